"""What comes with an upload of predictions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.models import System, SystemKind


class PredictionsForm(forms.Form):
    """Whose predictions they are. The files are read by the view, for there are many."""

    system = forms.CharField(
        label=_("System"),
        max_length=120,
        help_text=_("The name shown on the leaderboard. Use the same name every time."),
        widget=forms.TextInput(attrs={"list": "systems", "autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=_("Type"), choices=SystemKind.choices, initial=SystemKind.MODEL)

    def __init__(self, *args: Any, systems: list[System], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = {system.name: system.kind for system in systems}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        known = self.known.get(data.get("system", ""))
        if known and data.get("kind") and known != data["kind"]:
            self.add_error(
                "kind",
                _("This system is on the leaderboard as “%(kind)s”. Choose that type, or another name.")
                % {"kind": SystemKind(known).label},
            )
        return data
