"""Forms of an import's defaults and of a duplicate decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation import labels
from annotation.models import DuplicatePair, Project
from annotation.models.sample import DuplicateDecision, Source, Structure


class ImportForm(forms.Form):
    """Fields of all pages that no manifest lists. The files are read from the request."""

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
    """The errors of a form, each with the label of its field."""
    for name, errors in form.errors.items():
        message = " ".join(str(error) for error in errors)
        yield f"{form[name].label}: {message}" if name in form.fields else message
