"""The library's forms of signing in, with two changes: each attempt is counted before it is checked
(`credential_limits`), and no words stand inside the fields, where they vanish while typing and repeat the label.

Passwords at sign-in and when asked for again are counted by the adapter.
"""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ChangePasswordForm, ReauthenticateForm, UserTokenForm
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateByCodeForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.core.exceptions import ValidationError

from config.accounts.credential_limits import Credential, attempt_of, count_failed_token, spend_code
from config.accounts.forms import drop_placeholders


class _Plain:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_placeholders(self)  # type: ignore[arg-type]


class _Code(_Plain):
    """Codes of the app and recovery codes: counted, and each works once. Raises LockedOut."""

    user: Any

    def clean_code(self) -> str:
        attempt = attempt_of(context.request, self.user, Credential.CODE)
        code: str = super().clean_code()  # type: ignore[misc]
        _spend(self.user, code)
        attempt.succeed()
        return code


class PasswordChange(_Plain, ChangePasswordForm):  # type: ignore[misc]
    def clean_oldpassword(self) -> str:
        attempt = attempt_of(context.request, self.user, Credential.PASSWORD)
        password: str = super().clean_oldpassword()
        attempt.succeed()
        return password


class PasswordAgain(_Plain, ReauthenticateForm):  # type: ignore[misc]
    pass


class SecondStep(_Code, AuthenticateForm):  # type: ignore[misc]
    pass


class SecondStepAgain(_Code, ReauthenticateByCodeForm):  # type: ignore[misc]
    pass


class SecondStepOn(_Plain, ActivateTOTPForm):  # type: ignore[misc]
    """Its code is checked against a secret that the page itself shows, so there is nothing to guess."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        _spend(self.user, code)
        return code


class ResetKey(UserTokenForm):  # type: ignore[misc]
    """The key of a mailed link. Raises LockedOut after too many wrong ones."""

    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            count_failed_token(context.request)
            raise
        return cleaned


def _spend(user: Any, code: str) -> None:
    if not spend_code(user, code):
        raise get_adapter().validation_error("incorrect_code")
