from __future__ import annotations

from typing import Any

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "config.api"
    label = "api"

    def ready(self) -> None:
        from config.accounts.models import password_changed  # noqa: PLC0415

        password_changed.connect(_revoke_tokens)


def _revoke_tokens(*, user: Any, **_: object) -> None:
    """Who changes a password because somebody knew it must not leave that person a token."""
    from config.api.services import revoke_all_tokens  # noqa: PLC0415

    revoke_all_tokens(user=user)
