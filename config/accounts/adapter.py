"""What the sign-in library asks of this site."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from config.accounts.sign_up import may_sign_up


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up by the setting SIGN_UP."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)
