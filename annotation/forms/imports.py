"""What a manager says about a whole import, and how a pair of look-alikes is settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation import labels
from annotation.models import DuplicatePair, Project
from annotation.models.sample import DuplicateDecision, Source, Structure


class ImportForm(forms.Form):
    """The fields of every page that no manifest speaks of. The files themselves are read from the request."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        help_text=_("Used for every page that the manifest does not list."),
    )
    scenario = forms.ChoiceField(label=_("Scenario"), required=False)
    structure = forms.ChoiceField(label=_("Structure"), choices=Structure.choices)
    source = forms.ChoiceField(label=_("Source"), choices=Source.choices)

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options)
        languages: list[tuple[str, Any]] = [(tag, labels.language_name(tag)) for tag in project.languages]
        if len(languages) > 1:
            languages.insert(0, ("", _("As in the manifest")))
        scenarios = [(key, labels.scenario_name(key)) for key in project.scenarios]
        self._set_choices("language", languages)
        self._set_choices("scenario", [("", _("No scenario")), *scenarios])

    def _set_choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def defaults(self) -> dict[str, str]:
        """The chosen sample fields, without the empty ones."""
        return {name: value for name, value in self.cleaned_data.items() if value}


class DuplicateDecisionForm(forms.Form):
    decision = forms.ChoiceField(
        label=_("Which one is kept?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose which page to keep.")},
    )
    even_if_worked_on = forms.BooleanField(
        required=False, label=_("Set the other one aside even though someone has worked on it")
    )

    def __init__(self, *args: Any, pair: DuplicatePair, asks: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["decision"]
        assert isinstance(field, forms.ChoiceField)
        numbers = {"first": pair.first.number, "second": pair.second.number}
        field.choices = [
            (DuplicateDecision.KEEP_FIRST.value, _("Same page: keep sample %(first)s") % numbers),
            (DuplicateDecision.KEEP_SECOND.value, _("Same page: keep sample %(second)s") % numbers),
            (DuplicateDecision.KEEP_BOTH.value, _("Different pages: keep both")),
        ]
        if not asks:
            del self.fields["even_if_worked_on"]


def form_errors(form: forms.Form) -> Iterator[str]:
    """Each error of a form, after the label of its field where it has one."""
    for name, told in form.errors.items():
        words = " ".join(str(error) for error in told)
        yield f"{form[name].label}: {words}" if name in form.fields else words
