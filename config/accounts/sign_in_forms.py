"""The library's forms of signing in, without words inside the fields: they vanish while typing and repeat the label."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ChangePasswordForm, ReauthenticateForm
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateByCodeForm
from allauth.mfa.totp.forms import ActivateTOTPForm

from config.accounts.forms import drop_placeholders


class _Plain:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_placeholders(self)  # type: ignore[arg-type]


class PasswordChange(_Plain, ChangePasswordForm):  # type: ignore[misc]
    pass


class PasswordAgain(_Plain, ReauthenticateForm):  # type: ignore[misc]
    pass


class SecondStep(_Plain, AuthenticateForm):  # type: ignore[misc]
    pass


class SecondStepAgain(_Plain, ReauthenticateByCodeForm):  # type: ignore[misc]
    pass


class SecondStepOn(_Plain, ActivateTOTPForm):  # type: ignore[misc]
    pass
