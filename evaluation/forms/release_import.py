"""An exported release that comes in again."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ReleaseImportForm(forms.Form):
    """The archive, as it was exported."""

    file = forms.FileField(
        label=_("Exported release"),
        help_text=_("A zip in the format InkBench JSONL + images."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
        error_messages={"required": _("Choose the zip of an exported release.")},
    )
