"""What the sign-in library asks the site: every check of a password goes through here and is counted first."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from config.accounts.credential_limits import attempt_by_name, forgive
from config.accounts.known_browsers import remember_browser
from config.accounts.models import User
from config.accounts.sign_up import may_sign_up
from config.client_address import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "unknown"

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The account with this name and password, at sign-in and when the password is asked for again.

        A mail address is given as a name: given as both, its account would have the password compared twice, and the
        time would tell which addresses exist. Raises LockedOut.
        """
        name = credentials.get("username") or credentials.get("email") or ""
        attempt = attempt_by_name(request, name)
        user: User | None = super().authenticate(request, username=name, password=credentials["password"])
        if user is not None:
            attempt.succeed()
        return user

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        remember_browser(request, user)

    def set_password(self, user: User, password: str) -> None:
        """A new password, chosen when signed in or by the link of a mail."""
        super().set_password(user, password)
        forgive(self.request, user)
        if self.request.user == user:
            remember_browser(self.request, user)
