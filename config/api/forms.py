"""The form for a new API token."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Purpose"),
        max_length=80,
        help_text=_("The program or machine that will use the token, so that you know which one to revoke."),
    )
