"""What a manager says about a release before it is frozen."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class ReleaseForm(forms.Form):
    """Title, notes, and that the manager means it."""

    number = forms.IntegerField(widget=forms.HiddenInput, required=False)  # the one the page promises
    title = forms.CharField(
        label=_("Title"),
        max_length=200,
        required=False,
        help_text=_("For people; the number comes by itself."),
    )
    notes = forms.CharField(
        label=pgettext_lazy("release", "Notes"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What is new, what was mended. They go into the manifest and every export."),
    )
    confirm = forms.BooleanField(
        label=_("I know that a release can never be changed or removed"),
        error_messages={"required": _("Tick this to go on: a release stays as it is for good.")},
    )
