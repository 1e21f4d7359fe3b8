"""Forms of a study: set-up by a manager, grade and choice by a rater."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django import forms
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.accounts.models import User
from evaluation.labels import metric_name
from evaluation.metrics.registry import all_metrics
from evaluation.models import PredictionSet
from evaluation.preference.design import CATEGORIES, CATEGORY_MARKS, GRADES, Choice
from evaluation.preference.labels import CATEGORY_NAMES
from evaluation.preference.models import TieRule
from evaluation.preference.score_files import BadScores, Scores, read_scores
from evaluation.preference.score_mapping import BadMapping, MappingKind
from evaluation.preference.services.configure_study import (
    RULES,
    ComparedScore,
    SourceChoice,
    StudyPlan,
    label_of,
    mapping_for,
)
from evaluation.preference.services.rate_item import MAX_COMMENT

MAPPINGS = [
    ("", _("As the score requires: inverted if lower is better")),
    (MappingKind.LINEAR.value, _("Linear: 10 (x − low) / (high − low)")),
    (MappingKind.INVERTED.value, _("Inverted, lower is better: 10 (high − x) / (high − low)")),
    (MappingKind.RESCALED.value, _("Rescaled from a baseline: 10 (x − low) / (1 − low)")),
]
SHARES = [
    (1.0, _("all attention items")),
    (0.75, _("three quarters of the attention items")),
    (0.5, _("half of the attention items")),
]
DECIMALS = [(1, _("One decimal place, e.g. 7.3")), (0, _("Whole numbers, e.g. 7"))]


class SystemField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: PredictionSet) -> str:
        return f"{obj.system.name} · {obj.created_at:%Y-%m-%d}"


class PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: User) -> str:
        return obj.display_name


class StudyForm(forms.Form):
    """The first page: title, systems, scores from a file."""

    title = forms.CharField(
        label=_("Title"),
        max_length=200,
        help_text=_("For managers only. Raters never see it, so it may name the metrics."),
    )
    prediction_sets = SystemField(
        label=_("Systems to rate"),
        queryset=PredictionSet.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one system.")},
    )
    scores = forms.FileField(
        label=_("Scores from a file"),
        required=False,
        help_text=_(
            "CSV or JSON Lines with the fields id and, if there are several systems, system; "
            "every other field is a score. Use this for metrics that are not computed here."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.jsonl,.ndjson"}),
    )

    def __init__(self, *args: Any, sets: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["prediction_sets"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = sets

    def clean_scores(self) -> Scores | None:
        file = self.cleaned_data.get("scores")
        if not file:
            return None
        try:
            return read_scores(file.read())
        except BadScores as fault:
            raise forms.ValidationError(
                _("The file was not accepted: %(why)s.") % {"why": fault.message(_)}, code="scores"
            ) from None


class SetUpForm(forms.Form):
    """The second page: compared scores, numbers of items, raters."""

    first = forms.ChoiceField(label=_("First score"))
    first_label = forms.CharField(label=_("Name in the report"), max_length=60, required=False)
    first_mapping = forms.ChoiceField(label=_("Conversion to 0–10"), choices=MAPPINGS, required=False)
    first_low = forms.FloatField(label=_("Low end or baseline"), required=False)
    first_high = forms.FloatField(label=_("High end"), required=False)
    second = forms.ChoiceField(label=_("Second score"))
    second_label = forms.CharField(label=_("Name in the report"), max_length=60, required=False)
    second_mapping = forms.ChoiceField(label=_("Conversion to 0–10"), choices=MAPPINGS, required=False)
    second_low = forms.FloatField(label=_("Low end or baseline"), required=False)
    second_high = forms.FloatField(label=_("High end"), required=False)
    grader = forms.ChoiceField(
        label=_("Raw total from an automatic grader"),
        required=False,
        help_text=_("Before any penalty. It is correlated with the experts' mean grade."),
    )
    beside = forms.MultipleChoiceField(
        label=_("Further scores to correlate"),
        required=False,
        widget=forms.SelectMultiple(attrs={"size": 6}),
    )
    n_items = forms.IntegerField(label=_("Items"), min_value=1, max_value=5000, initial=200)
    n_practice = forms.IntegerField(
        label=_("Practice items"),
        min_value=0,
        max_value=20,
        initial=2,
        help_text=_("Shown first; they do not count."),
    )
    n_attention = forms.IntegerField(
        label=_("Attention items"),
        min_value=0,
        max_value=50,
        initial=4,
        help_text=_(
            "These have a right answer: a faithful text with one high and one low score, or a wrong text."
        ),
    )
    n_repeats = forms.IntegerField(
        label=_("Repeated items"),
        min_value=0,
        max_value=500,
        initial=10,
        help_text=_("Items shown again later with the sides swapped, to check how consistent a rater is."),
    )
    attention_share = forms.TypedChoiceField(
        label=_("A rater passes with"),
        choices=SHARES,
        coerce=float,
        initial=0.75,
        help_text=_("Results are reported for all raters, and again without those who did not pass."),
    )
    decimals = forms.TypedChoiceField(
        label=_("Scores are shown with"), choices=DECIMALS, coerce=int, initial=1
    )
    tie_rule = forms.ChoiceField(label=_("A metric wins an item with"), choices=TieRule.choices)
    raters = PeopleField(
        label=_("Raters"),
        queryset=User.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Project members who are not managers. Choose three or more to get a majority on each item."
        ),
        error_messages={"required": _("Choose at least one rater.")},
    )
    instructions = forms.CharField(
        label=_("Instructions for the raters"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Markdown. Shown before raters begin. Do not name any metric here."),
    )

    def __init__(self, *args: Any, scores: Scores, people: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scores = scores
        choices = source_choices(scores)
        for name, options in (
            ("first", choices),
            ("second", choices),
            ("grader", [("", lazystr(_("None"))), *choices]),
            ("beside", choices),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = options
        raters = self.fields["raters"]
        assert isinstance(raters, forms.ModelMultipleChoiceField)
        raters.queryset = people

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for side in ("first", "second"):
            if side in data:
                self._read_side(side, data)
        if data.get("first") and data.get("first") == data.get("second"):
            self.add_error("second", _("Both scores are the same. Choose a different one to compare."))
        if data.get("n_repeats", 0) > data.get("n_items", 0) // 2:
            self.add_error("n_repeats", _("At most half of the items can be repeated."))
        self._check_instructions(data)
        return data

    def _read_side(self, side: str, data: dict[str, Any]) -> None:
        source = SourceChoice.from_key(data[side])
        ends = {name: data.get(f"{side}_{name}") for name in ("low", "high")}
        try:
            mapping = mapping_for(source, scores=self.scores, kind=data.get(f"{side}_mapping", ""), **ends)
        except BadMapping as fault:
            self.add_error(
                f"{side}_mapping", _("This mapping cannot be used: %(why)s.") % {"why": fault.message(_)}
            )
            return
        label = data.get(f"{side}_label") or label_of(source)
        data[f"{side}_compared"] = ComparedScore(label, source, mapping)

    def _check_instructions(self, data: dict[str, Any]) -> None:
        """Add an error if the instructions name a compared score."""
        text = data.get("instructions", "").casefold()
        for side in ("first", "second"):
            compared = data.get(f"{side}_compared")
            names = {compared.label, compared.source.metric, compared.source.column} if compared else set()
            revealed = [
                name
                for name in names
                if name and re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)
            ]
            if revealed:
                self.add_error(
                    "instructions",
                    _("“%(name)s” would reveal to raters what is compared. Remove it.")
                    % {"name": revealed[0]},
                )

    def plan(self) -> StudyPlan:
        """The plan of a valid form."""
        data = self.cleaned_data
        return StudyPlan(
            first=data["first_compared"],
            second=data["second_compared"],
            grader=SourceChoice.from_key(data["grader"]) if data["grader"] else None,
            beside=tuple(SourceChoice.from_key(key) for key in data["beside"]),
            raters=tuple(data["raters"]),
            **{name: data[name] for name in RULES},
        )


class GradeForm(forms.Form):
    """Step 1: the grade; marks of the categories are optional."""

    position = forms.IntegerField(widget=forms.HiddenInput)
    grade = forms.TypedChoiceField(
        label=_("Grade"),
        choices=[(grade, str(grade)) for grade in GRADES],
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a grade from 0 to 10.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        marks = [("", pgettext_lazy("mark", "–")), *((mark, str(mark)) for mark in CATEGORY_MARKS)]
        for name in CATEGORIES:
            self.fields[f"mark_{name}"] = forms.TypedChoiceField(
                label=CATEGORY_NAMES[name], choices=marks, coerce=int, empty_value=None, required=False
            )

    def marks(self) -> dict[str, int]:
        marks = {name: self.cleaned_data.get(f"mark_{name}") for name in CATEGORIES}
        return {name: mark for name, mark in marks.items() if mark is not None}

    def category_fields(self) -> Sequence[Any]:
        return [self[f"mark_{name}"] for name in CATEGORIES]


class ChoiceForm(forms.Form):
    """Step 2: the choice."""

    position = forms.IntegerField(widget=forms.HiddenInput)
    choice = forms.ChoiceField(
        choices=[(choice.value, choice.value) for choice in Choice],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose score A, score B, or no preference.")},
    )
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        max_length=MAX_COMMENT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@lru_cache
def _registry_choices() -> tuple[tuple[str, str], ...]:
    """Each metric of texts, tables and formulas with each of its presets; verdicts are not transcriptions."""
    return tuple(
        (SourceChoice(spec.name, preset).key, f"{metric_name(spec.name)} · {preset}")
        for spec in all_metrics()
        if "grade" not in spec.kinds
        for preset in spec.presets
    )


def source_choices(scores: Scores) -> list[Any]:
    uploaded = [(SourceChoice(column=column).key, column) for column in scores.columns]
    groups: list[Any] = [(_("From a file"), uploaded)] if uploaded else []
    return [*groups, (_("Computed by InkBench"), list(_registry_choices()))]
