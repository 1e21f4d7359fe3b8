"""What a manager fills in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from baseline.models import Baseline, State
from baseline.questionnaire import BadQuestion, as_rows, parse_questions, write_questions
from baseline.services.configure_baseline import FIXED
from evaluation.models import GoldItem, Release

REASONS = {
    "no words": gettext_lazy("the question has no text"),
    "one choice": gettext_lazy("give at least two choices, separated by |"),
    "twice": gettext_lazy("this question appears twice"),
    "too many": gettext_lazy("there are too many questions"),
}


SECTIONS = (
    (gettext_lazy("Name"), "", "name system_name"),
    (
        gettext_lazy("Samples"),
        gettext_lazy("What to draw from the release. The same seed always gives the same draw."),
        "method n strata balance seed practice",
    ),
    (
        gettext_lazy("Who reads what"),
        gettext_lazy("No one gets an image they have already seen in another role."),
        "people_per_sample samples_per_person",
    ),
    (
        gettext_lazy("Timing"),
        gettext_lazy("Measured by the server. Participants see these rules before they begin."),
        "time_limit_seconds gap_minutes clamp_minutes break_every",
    ),
    (gettext_lazy("What participants read"), "", "consent brief questions"),
)


class BaselineForm(forms.ModelForm):  # type: ignore[type-arg]
    """All settings of a baseline. Once it is open, those of the exam itself are shown and cannot be changed."""

    strata = forms.CharField(
        label=gettext_lazy("Strata"),
        required=False,
        help_text=gettext_lazy(
            "For equal shares: sample fields separated by commas, such as language or "
            "domain. Each combination gets an equal share."
        ),
    )
    questions = forms.CharField(
        label=gettext_lazy("Questions about the participant"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "One per line. Separate choices with |: Which hand? | left | right. End with "
            "(optional) if no answer is required."
        ),
    )
    practice = forms.CharField(
        label=gettext_lazy("Practice samples"),
        required=False,
        help_text=gettext_lazy(
            "Sample numbers separated by commas. Their ground truth is shown afterwards; they do not count."
        ),
    )
    consent = forms.CharField(
        label=gettext_lazy("Consent text"),
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=gettext_lazy(
            "Markdown. Each change creates a new version; anyone who agreed to an older version keeps it."
        ),
    )

    class Meta:
        model = Baseline
        fields = [
            "name",
            "system_name",
            "method",
            "n",
            "strata",
            "balance",
            "seed",
            "people_per_sample",
            "samples_per_person",
            "time_limit_seconds",
            "gap_minutes",
            "clamp_minutes",
            "break_every",
            "practice",
            "questions",
            "brief",
            "consent",
        ]
        labels = {
            "name": gettext_lazy("Name"),
            "system_name": gettext_lazy("Name on the leaderboard"),
            "method": gettext_lazy("Which samples"),
            "n": gettext_lazy("How many samples"),
            "balance": gettext_lazy("Balanced by"),
            "seed": gettext_lazy("Seed"),
            "people_per_sample": gettext_lazy("Participants per sample"),
            "samples_per_person": gettext_lazy("Maximum samples per participant"),
            "time_limit_seconds": gettext_lazy("Time per sample (seconds)"),
            "gap_minutes": gettext_lazy("Longest silence (minutes)"),
            "clamp_minutes": gettext_lazy("Maximum time counted (minutes)"),
            "break_every": gettext_lazy("Break after every … samples"),
            "brief": gettext_lazy("Instructions"),
        }
        help_texts = {
            "name": gettext_lazy("Participants read this."),
            "balance": gettext_lazy(
                "A field whose values get equal shares within each stratum, such as verdict."
            ),
            "seed": gettext_lazy(
                "Determines the draw, who gets which samples, and their order. Kept with the results."
            ),
            "people_per_sample": gettext_lazy("Leave empty for everyone to read every sample."),
            "samples_per_person": gettext_lazy("Leave empty for no maximum."),
            "time_limit_seconds": gettext_lazy("Leave empty for no limit; the time taken is still recorded."),
            "gap_minutes": gettext_lazy(
                "If the page is closed or asleep for longer than this, the current sample is "
                "void. Participants are informed. 0: never."
            ),
            "clamp_minutes": gettext_lazy("Times are kept as measured, and also capped at this value."),
            "break_every": gettext_lazy("0: no breaks."),
            "brief": gettext_lazy(
                "Markdown. Participants read this before they begin, above the rules of the baseline."
            ),
        }
        widgets = {"brief": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.release = release
        made: Baseline = self.instance
        newest = made.consents.first() if made.pk else None
        written = {
            "strata": ", ".join(made.strata),
            "questions": write_questions(made.questions),
            "practice": ", ".join(map(str, made.practice)),
            "consent": newest.text if newest else "",
        }
        self.initial.update(written)
        if made.state != State.DRAFT:
            for name in FIXED & set(self.fields):
                self.fields[name].disabled = True

    @property
    def sections(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Title, a word on it, and the fields, in the order one decides in."""
        return [
            (str(title), str(lead), [self[name] for name in names.split()]) for title, lead, names in SECTIONS
        ]

    def clean_strata(self) -> list[str]:
        return [name.strip() for name in self.cleaned_data["strata"].split(",") if name.strip()]

    def clean_questions(self) -> list[dict[str, Any]]:
        try:
            return as_rows(parse_questions(self.cleaned_data["questions"]))
        except BadQuestion as error:
            words = {"line": error.line, "reason": REASONS[error.reason]}
            raise forms.ValidationError(_("Line %(line)s: %(reason)s.") % words) from None

    def clean_practice(self) -> list[int]:
        written = [part.strip() for part in self.cleaned_data["practice"].split(",") if part.strip()]
        if not all(part.isdecimal() and len(part) < 9 for part in written):
            raise forms.ValidationError(_("Enter sample numbers separated by commas."))
        numbers = list(dict.fromkeys(map(int, written)))
        there = set(
            GoldItem.objects.filter(release=self.release, number__in=numbers).values_list("number", flat=True)
        )
        missing = [str(number) for number in numbers if number not in there]
        if missing:
            raise forms.ValidationError(
                _("This release has no sample with number %(numbers)s.") % {"numbers": ", ".join(missing)}
            )
        return numbers

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        method, n = values.get("method"), values.get("n")
        if method in ("random", "stratified") and not n:
            self.add_error("n", _("Enter a number."))
        if method == "stratified" and not values.get("strata"):
            self.add_error("strata", _("Enter at least one field."))
        limit = values.get("time_limit_seconds")
        if limit is not None and not 5 <= limit <= 24 * 3600:
            self.add_error("time_limit_seconds", _("Between 5 seconds and one day."))
        return values

    def validate_unique(self) -> None:
        """The name on the leaderboard is checked by the service, against models too."""


class PeopleForm(forms.Form):
    """Names of accounts that take part."""

    names = forms.CharField(
        label=gettext_lazy("Usernames"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One username per line. They need no role in the project."),
    )

    def clean_names(self) -> list[str]:
        return list(
            dict.fromkeys(name.strip() for name in self.cleaned_data["names"].splitlines() if name.strip())
        )
