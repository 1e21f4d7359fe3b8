"""The form of a new release."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.selectors.releases import NextRelease
from evaluation.prediction_formats import PAGE, REGIONS

ANSWERS = [
    (PAGE, _("By page: the whole page as Markdown, matched with the ground truth")),
    (REGIONS, _("By region: people and models see numbered outlines and transcribe each one by its number")),
]


class ReleaseForm(forms.Form):
    """Title, notes, the settings that only some releases need, and a confirmation."""

    number = forms.IntegerField(widget=forms.HiddenInput, required=False)  # as shown on the page
    title = forms.CharField(
        label=_("Title"),
        max_length=200,
        required=False,
        help_text=_("For readers; the number is assigned automatically."),
    )
    notes = forms.CharField(
        label=pgettext_lazy("release", "Notes"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What is new and what was corrected. Included in the manifest and in every export."),
    )
    formula_answers = forms.ChoiceField(
        label=_("Formula pages are transcribed"), choices=ANSWERS, initial=PAGE, widget=forms.RadioSelect
    )
    with_imported = forms.BooleanField(
        label=_("Release imported ground truth without review"),
        required=False,
        help_text=_("It was not reviewed here. Each record and the data card state how it was verified."),
    )
    crossing_reason = forms.CharField(
        label=_("Why these writers may appear in several splits"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_(
            "Without a reason, the release is refused. The reason is included in the "
            "manifest and the data card."
        ),
    )
    confirm = forms.BooleanField(
        label=_("I understand that a release can never be changed or removed"),
        error_messages={"required": _("Tick this to continue. A release can never be changed.")},
    )

    def __init__(self, *args: Any, upcoming: NextRelease, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not upcoming.formulas:
            del self.fields["formula_answers"]
        if not upcoming.n_imported:
            del self.fields["with_imported"]
        if not upcoming.crossing:
            del self.fields["crossing_reason"]
