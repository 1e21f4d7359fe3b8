"""System checks of the settings for model endpoints: a mistake there ends the start, not somebody's recogniser run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.api_keys import ApiKeys


@register()
def check_model_endpoint_settings(**_options: Any) -> list[CheckMessage]:
    readers: dict[str, Callable[[], object]] = {
        "MODEL_API_KEYS": lambda: ApiKeys(settings.MODEL_API_KEYS),
        "MODEL_ENDPOINT_ALLOWLIST": lambda: AddressPolicy(tuple(settings.MODEL_ENDPOINT_ALLOWLIST)),
    }
    problems: list[CheckMessage] = []
    for name, read in readers.items():
        try:
            read()
        except ValueError as error:
            problems.append(Error(str(error), id=f"evaluation.{name}"))
    return problems
