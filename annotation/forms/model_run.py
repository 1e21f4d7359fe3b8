"""The form of a model run over a release."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models.project import Project, RecogniserSetting
from annotation.selectors.recognisers import recogniser_record_of
from evaluation.model_clients.recogniser_record import EMBEDDED as EMBEDDED_KIND
from evaluation.model_clients.recogniser_record import RecogniserRecord
from evaluation.model_clients.recognisers.registry import EMBEDDED


class ModelRunForm(forms.Form):
    """One of the project's recognisers or a built-in one, and its name on the leaderboard."""

    recogniser = forms.ChoiceField(
        label=_("Recogniser"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a recogniser.")},
    )
    system = forms.CharField(
        label=_("System"),
        max_length=120,
        required=False,
        help_text=_("Name on the leaderboard. If empty, the recogniser's own name is used."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        current: list[RecogniserSetting] = list(project.recognisers.filter(retired_at=None))
        self._records = {f"project-{setting.slot}": recogniser_record_of(setting) for setting in current}
        used = {setting.engine for setting in current}
        self._records |= {
            f"built-in-{key}": RecogniserRecord(label=entry.label, kind=EMBEDDED_KIND, engine=key)
            for key, entry in EMBEDDED.items()
            if key not in used and not entry.missing()
        }
        choices = [(key, record.label) for key, record in self._records.items()]
        cast(forms.ChoiceField, self.fields["recogniser"]).choices = choices

    def chosen(self) -> RecogniserRecord:
        """The chosen settings; call after `is_valid`."""
        return self._records[self.cleaned_data["recogniser"]]
