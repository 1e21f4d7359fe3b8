"""Roles and invitations."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from config.accounts.models import Role


def _roles() -> list[tuple[str, str]]:
    return [(role.value, str(role.label)) for role in Role]


class RolesForm(forms.Form):
    """All roles of one person; none removes them from the project."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=_roles, widget=forms.CheckboxSelectMultiple, required=False
    )


class InvitationForm(forms.Form):
    """A link that gives its bearer roles."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=_roles,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one role.")},
    )
    days = forms.IntegerField(label=_("Expires after (days)"), min_value=1, max_value=365, initial=14)
    max_uses = forms.IntegerField(
        label=_("Maximum uses"),
        min_value=1,
        max_value=1000,
        initial=1,
        help_text=_("Each person who accepts counts as one use."),
    )
