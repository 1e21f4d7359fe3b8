"""A project as its manager describes it."""

from __future__ import annotations

import re
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation import labels
from annotation.models.project import Project, VerificationMode
from annotation.services.configure_project import RESERVED_SLUGS
from evaluation.model_clients.recognisers.registry import EMBEDDED

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
KILO = 1000
COLUMNS = [
    "name", "description", "file_prefix", "image_max_side", "verification_mode", "lease_minutes",
    "requires_screening", "raters_per_sample", "release_needs_ratings", "region_pair_iou", "region_agree_iou",
]  # fmt: skip
GUIDELINES = [
    ("en", _("Faithful transcription, in English")),
    ("zh-hans", _("Faithful transcription, in Chinese")),
    ("", _("An empty one: I write my own")),
]


def split_lines(text: str) -> list[str]:
    """The non-empty lines without outer blanks, each once, in order."""
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


class ProjectForm(forms.ModelForm):  # type: ignore[type-arg]
    """What can be changed at any time. Samples that are in already keep their images and names."""

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
        help_text=_("One a line. The distribution of samples is shown along this list."),
    )
    image_cap_kb = forms.IntegerField(
        label=_("Largest released image, in KB"),
        required=False,
        min_value=20,
        max_value=1_000_000,
        help_text=_(
            "Models and baseline participants get a PNG of at most this size; 1000 KB is 1 MB. Empty: no limit."
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
            "description": _("What it is about"),
            "file_prefix": _("File prefix"),
            "image_max_side": _("Longest side of the released image, in pixels"),
            "verification_mode": _("Second review"),
            "lease_minutes": _("Minutes a sample stays in idle hands"),
            "requires_screening": _("Pages are screened for names before anybody else sees them"),
            "raters_per_sample": _("Difficulty ratings a sample gets"),
            "region_pair_iou": _("Overlap from which two outlines are one region"),
            "region_agree_iou": _("Overlap from which two outlines agree"),
            "release_needs_ratings": _("A release waits for all difficulty ratings of a sample"),
        }
        help_texts = {
            "file_prefix": _(
                "Released images are called prefix_random.png. Small letters, digits and hyphens."
            ),
            "verification_mode": _("Assignments that are taken already keep the mode they began with."),
            "requires_screening": _(
                "For samples imported from now on. People with the role “Screener” redact names and identifiers first."
            ),
            "region_agree_iou": _(
                "For formula regions and masks: shared area divided by joint area, 0.1 to 1."
                " Below it, the outline is discussed."
            ),
            "raters_per_sample": _(
                "From that many people, blind to each other; only people with the role “Difficulty rater” are asked."
            ),
            "release_needs_ratings": _("Without this, a sample is released with the ratings it has."),
            "lease_minutes": _(
                "Saving and an open page renew it. Then the sample goes back; its draft is kept."
            ),
        }
        widgets = {"verification_mode": forms.RadioSelect, "description": forms.Textarea(attrs={"rows": 3})}

    field_order = [
        "name", "slug", "description", "languages", "other_languages", "scenarios", "guideline", "recognisers",
        "verification_mode", "file_prefix", "image_cap_kb", "image_max_side", "lease_minutes",
        "region_pair_iou", "region_agree_iou", "requires_screening", "raters_per_sample", "release_needs_ratings",
    ]  # fmt: skip

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
                    _("“%(tag)s” is not a language tag. Write it like de, ja or ar-EG."), params={"tag": tag}
                )
        return list(dict.fromkeys(tags))

    def clean_scenarios(self) -> list[str]:
        """Known names, in either language, become their stable keys; anything else is its own key."""
        by_name = labels.scenario_keys()
        lines = split_lines(self.cleaned_data["scenarios"])
        for line in lines:
            if len(line) > 60:
                raise forms.ValidationError(
                    _("“%(line)s…” is too long: at most 60 characters a scenario."),
                    params={"line": line[:30]},
                )
        return list(dict.fromkeys(by_name.get(line, line) for line in lines))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("region_pair_iou", 0) > data.get("region_agree_iou", 1):
            self.add_error(
                "region_agree_iou",
                _("Two outlines that agree must be one region: give this at least as much."),
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
    """The same, and what is chosen once at the start."""

    slug = forms.SlugField(
        label=_("Short name in addresses"),
        required=False,
        max_length=60,
        help_text=_("Letters, digits and hyphens. Left empty, it is made from the name."),
    )
    guideline = forms.ChoiceField(
        label=_("Guideline"), choices=GUIDELINES, required=False, widget=forms.RadioSelect, initial="en"
    )
    recognisers = forms.MultipleChoiceField(
        label=_("Recognisers"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "These run here, without a network. Endpoints of your own are added on the recognisers page."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = [entry for entry in EMBEDDED.values() if not entry.missing()]
        cast(forms.ChoiceField, self.fields["recognisers"]).choices = [
            (entry.key, entry.label) for entry in able
        ]
        self.initial["recognisers"] = [entry.key for entry in able][:3]

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower()
        if slug in RESERVED_SLUGS or (slug and Project.objects.filter(slug=slug).exists()):
            raise forms.ValidationError(_("This short name is taken. Give another, or leave it empty."))
        return slug

    def clean_recognisers(self) -> list[str]:
        keys: list[str] = self.cleaned_data["recognisers"]
        if len(keys) > 3:
            raise forms.ValidationError(_("At most three recognisers read a sample. Untick some."))
        return keys
