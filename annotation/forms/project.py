"""Forms of a project's settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation import labels
from annotation.models.project import Project, VerificationMode
from annotation.selectors.projects import RESERVED_SLUGS
from evaluation.model_clients.recognisers.registry import EMBEDDED

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
KILO = 1000
COLUMNS = [
    "name", "description", "file_prefix", "image_max_side", "verification_mode", "lease_minutes",
    "requires_screening", "raters_per_sample", "release_needs_ratings", "region_pair_iou", "region_agree_iou",
]  # fmt: skip
# What a new project is asked; everything else has a default that works.
QUESTIONS = ("name", "languages", "other_languages", "verification_mode")
# The other fields by what they are about: key (its place on the page), title, names.
GROUPS: tuple[tuple[str, str | Promise, tuple[str, ...]], ...] = (
    ("describe", _("Description and scenarios"), ("description", "slug", "scenarios")),
    ("start", _("Guideline and recognisers"), ("guideline", "recognisers")),
    ("images", _("Released images"), ("file_prefix", "image_cap_kb", "image_max_side")),
    ("queue", _("Queue"), ("lease_minutes",)),
    (
        "screening",
        _("Screening and difficulty"),
        ("requires_screening", "raters_per_sample", "release_needs_ratings"),
    ),
    ("outlines", _("Regions and masks"), ("region_pair_iou", "region_agree_iou")),
)
MODES = {
    VerificationMode.VERIFY: (
        _("Verify"),
        _("A second person sees the transcription, checks it and corrects it. The usual choice."),
    ),
    VerificationMode.DOUBLE_BLIND: (
        _("Double-blind"),
        _("A second person transcribes without seeing the first version. Takes about twice the work."),
    ),
}
GUIDELINES = [
    ("en", _("Faithful transcription, in English")),
    ("zh-hans", _("Faithful transcription, in Chinese")),
    ("", _("Empty: I will write my own")),
]


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields of a form that are about one thing; `key` names it in the page's address."""

    key: str
    title: str | Promise
    fields: tuple[BoundField, ...]

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """One way of second review: its radio button, its name and a line that explains it."""

    radio: Any
    name: str | Promise
    explanation: str | Promise


def split_lines(text: str) -> list[str]:
    """The stripped non-empty lines, without repetitions, in order."""
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


class ProjectForm(forms.ModelForm):  # type: ignore[type-arg]
    """Settings that can be changed at any time. Imported samples keep their images and names."""

    languages = forms.MultipleChoiceField(
        label=_("Languages"),
        choices=list(labels.LANGUAGES.items()),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    other_languages = forms.CharField(
        label=_("Other languages"),
        required=False,
        max_length=300,
        help_text=_("Language tags (BCP 47), separated by commas: de, ja, ar-EG."),
    )
    scenarios = forms.CharField(
        label=_("Scenarios"),
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("One per line. The distribution of samples is shown by these scenarios."),
    )
    image_cap_kb = forms.IntegerField(
        label=_("Maximum size of a released image, in KB"),
        required=False,
        min_value=20,
        max_value=1_000_000,
        help_text=_(
            "Models and baseline participants get a PNG of at most this size; 1000 KB is 1 "
            "MB. Leave empty for no limit."
        ),
    )

    class Meta:
        model = Project
        fields = [
            "name",
            "description",
            "file_prefix",
            "image_max_side",
            "verification_mode",
            "lease_minutes",
            "requires_screening",
            "raters_per_sample",
            "region_pair_iou",
            "region_agree_iou",
            "release_needs_ratings",
        ]
        labels = {
            "name": _("Name"),
            "description": _("Description"),
            "file_prefix": _("File prefix"),
            "image_max_side": _("Longest side of a released image, in pixels"),
            "verification_mode": _("Second review"),
            "lease_minutes": _("Release idle samples after (minutes)"),
            "requires_screening": _("Screen pages for names before anyone else sees them"),
            "raters_per_sample": _("Difficulty ratings per sample"),
            "region_pair_iou": _("Minimum overlap for two outlines to be the same region"),
            "region_agree_iou": _("Minimum overlap for two outlines to agree"),
            "release_needs_ratings": _("Release a sample only when all its difficulty ratings are complete"),
        }
        help_texts = {
            "file_prefix": _(
                "Released images are named prefix_random.png. Use lowercase letters, digits and hyphens."
            ),
            "verification_mode": _("Assignments that have already started keep their mode."),
            "requires_screening": _(
                "Applies to samples imported from now on. A person with the role “Screener” "
                "first redacts names and identifiers."
            ),
            "region_agree_iou": _(
                "For formula regions and masks: intersection divided by union, 0.1 to 1. "
                "Below this value, the outline goes to discussion."
            ),
            "raters_per_sample": _(
                "Number of people who rate each sample without seeing each other's ratings. "
                "Only people with the role “Difficulty rater” are asked."
            ),
            "release_needs_ratings": _("If unticked, a sample is released with the ratings it has."),
            "lease_minutes": _(
                "Saving, or keeping the page open, renews the time. When it runs out, the "
                "sample returns to the queue and the draft is kept."
            ),
        }
        widgets = {"verification_mode": forms.RadioSelect, "description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        project = self.instance
        self.initial["languages"] = [tag for tag in project.languages if tag in labels.LANGUAGES]
        self.initial["other_languages"] = ", ".join(t for t in project.languages if t not in labels.LANGUAGES)
        self.initial["scenarios"] = "\n".join(labels.scenario_name(key) for key in project.scenarios)
        cap = project.image_cap_bytes
        self.initial["image_cap_kb"] = None if cap is None else cap // KILO
        mode = cast(forms.ChoiceField, self.fields["verification_mode"])
        mode.choices = VerificationMode.choices  # no empty choice

    @property
    def groups(self) -> list[FieldGroup]:
        """The fields beside QUESTIONS, without groups that this form has no field of."""
        groups = [
            FieldGroup(key, title, tuple(self[name] for name in names if name in self.fields))
            for key, title, names in GROUPS
        ]
        return [group for group in groups if group.fields]

    @property
    def modes(self) -> list[ModeChoice]:
        radios = list(self["verification_mode"])
        return [
            ModeChoice(radio, *MODES[VerificationMode(value)])
            for radio, value in zip(radios, VerificationMode.values, strict=True)
        ]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if not name:
            raise forms.ValidationError(_("Give the project a name."))
        return name

    def clean_other_languages(self) -> list[str]:
        tags = [
            tag.strip() for tag in re.split(r"[,，\s]+", self.cleaned_data["other_languages"]) if tag.strip()
        ]
        for tag in tags:
            if not _TAG.fullmatch(tag) or len(tag) > 35:
                raise forms.ValidationError(
                    _("“%(tag)s” is not a language tag. Write tags like de, ja or ar-EG."),
                    params={"tag": tag},
                )
        return list(dict.fromkeys(tags))

    def clean_scenarios(self) -> list[str]:
        """Known names in either language become their keys; any other name is its own key."""
        by_name = labels.scenario_keys()
        lines = split_lines(self.cleaned_data["scenarios"])
        for line in lines:
            if len(line) > 60:
                raise forms.ValidationError(
                    _("“%(line)s…” is too long: a scenario has at most 60 characters."),
                    params={"line": line[:30]},
                )
        return list(dict.fromkeys(by_name.get(line, line) for line in lines))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("region_pair_iou", 0) > data.get("region_agree_iou", 1):
            self.add_error(
                "region_agree_iou",
                _("Outlines that agree must also count as the same region: enter at least that value."),
            )
        if (
            not data.get("languages")
            and not data.get("other_languages")
            and "other_languages" not in self.errors
        ):
            self.add_error("languages", _("Choose at least one language."))
        return data

    def columns(self) -> dict[str, Any]:
        """The cleaned values as columns of Project."""
        data = self.cleaned_data
        cap = data["image_cap_kb"]
        return {
            **{name: data[name] for name in COLUMNS},
            "languages": [*data["languages"], *data["other_languages"]],
            "scenarios": data["scenarios"],
            "image_cap_bytes": None if cap is None else cap * KILO,
        }


class NewProjectForm(ProjectForm):
    """Also the settings that are chosen once, at the start."""

    slug = forms.SlugField(
        label=_("Short name in URLs"),
        required=False,
        max_length=60,
        help_text=_("Letters, digits and hyphens. If empty, it is made from the name."),
    )
    guideline = forms.ChoiceField(
        label=_("Guideline"), choices=GUIDELINES, required=False, widget=forms.RadioSelect, initial="en"
    )
    recognisers = forms.MultipleChoiceField(
        label=_("Recognisers"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "These run on this server without a network connection. You can add your own "
            "endpoints on the recognisers page."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        available = [entry for entry in EMBEDDED.values() if not entry.missing()]
        cast(forms.ChoiceField, self.fields["recognisers"]).choices = [
            (entry.key, entry.label) for entry in available
        ]
        self.initial["recognisers"] = [entry.key for entry in available][:3]
        self.fields["verification_mode"].help_text = ""

    @property
    def has_advanced_errors(self) -> bool:
        """Whether a field outside QUESTIONS was refused: its group must then be in view."""
        return any(group.has_errors for group in self.groups)

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower()
        if slug in RESERVED_SLUGS or (slug and Project.objects.filter(slug=slug).exists()):
            raise forms.ValidationError(_("This short name is taken. Enter another, or leave it empty."))
        return slug

    def clean_recognisers(self) -> list[str]:
        keys: list[str] = self.cleaned_data["recognisers"]
        if len(keys) > 3:
            raise forms.ValidationError(_("A sample is read by at most three recognisers. Untick some."))
        return keys
