"""The filters of a sample list."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation import labels
from annotation.models.project import Project
from annotation.models.sample import Structure
from annotation.selectors.samples import SampleFilter
from config.accounts.selectors import people_in


class SampleFilterForm(forms.Form):
    """Filters from the address. Unknown values are reported and filter nothing."""

    number = forms.IntegerField(label=_("Number"), required=False, min_value=1)
    state = forms.ChoiceField(label=pgettext_lazy("state", "State"), required=False)
    structure = forms.ChoiceField(label=_("Structure"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    scenario = forms.ChoiceField(label=_("Scenario"), required=False)
    holder = forms.ChoiceField(label=_("Assigned to"), required=False)
    flag = forms.ChoiceField(
        label=_("Flag"), required=False, choices=[("", _("Any")), ("open", _("Open flag"))]
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: dict[str, list[tuple[str, Any]]] = {
            "state": [(str(key), name) for key, name in labels.STATES.items()],
            "structure": list(Structure.choices),
            "language": [(tag, labels.language_name(tag)) for tag in project.languages],
            "scenario": [(key, labels.scenario_name(key)) for key in project.scenarios],
            "holder": [(str(p.pk), p.display_name) for p in people_in(project.team).order_by("username")],
        }
        for name, values in choices.items():
            cast(forms.ChoiceField, self.fields[name]).choices = [("", _("Any")), *values]

    def chosen(self) -> SampleFilter:
        """The valid filters; call after `is_valid`."""
        data = {name: str(value) for name, value in self.cleaned_data.items() if value}
        return SampleFilter(**data)
