"""Forms of the work pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models.kinds import EvidenceKind
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.masks import parse_masks
from evaluation.payloads.text import validate_text


def check_text(value: str) -> None:
    """A validator that reports at the field what the service would refuse."""
    try:
        validate_text(value)
    except BadPayload as error:
        raise forms.ValidationError(error.message(gettext)) from None


class NoteForm(forms.Form):
    text = forms.CharField(
        label=_("Note"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        validators=[check_text],
    )


class EvidenceForm(forms.Form):
    kind = forms.ChoiceField(label=_("Source consulted"), choices=EvidenceKind.choices)
    link = forms.URLField(
        label=_("Link"),
        required=False,
        max_length=1000,
        assume_scheme="https",
        validators=[URLValidator(schemes=["http", "https"])],
    )
    note = forms.CharField(
        label=_("What you learned"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 2}),
        validators=[check_text],
    )

    def clean(self) -> dict[str, str]:
        data = super().clean() or {}
        if not data.get("link") and not data.get("note") and not self.errors:
            raise forms.ValidationError(_("Give a link, or describe what you learned."))
        return data


class QuestionForm(forms.Form):
    """A question to a domain expert; `box` is "left top width height" in pixels of the image, or empty."""

    question = forms.CharField(
        label=_("What do you want to know?"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        validators=[check_text],
    )
    box = forms.CharField(
        label=_("Place on the image"),
        required=False,
        max_length=60,
        help_text=_("Left, top, width and height in pixels. Leave empty for the whole page."),
    )

    def clean_box(self) -> list[int]:
        parts = self.cleaned_data["box"].replace(",", " ").split()
        if not parts:
            return []
        if len(parts) != 4 or not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
            raise forms.ValidationError(_("Enter four whole numbers, or leave the field empty."))
        return [int(part) for part in parts]


class AnswerForm(forms.Form):
    """An expert's answer."""

    answer = forms.CharField(
        label=_("Your answer"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6}),
        validators=[check_text],
    )


class SubmitForm(forms.Form):
    """A submission. The hidden fields tie the text to its image and to one press of the button."""

    text = forms.CharField(required=False, strip=False, label=_("Transcription"))
    masks = forms.CharField(required=False, label=_("Masks"))
    base_version = forms.IntegerField(min_value=0)
    image_hash = forms.CharField(max_length=64)
    idempotency_key = forms.CharField(min_length=8, max_length=64)
    mask_reason = forms.CharField(
        required=False, max_length=300, label=_("Why this is correct"), validators=[check_text]
    )

    def clean_masks(self) -> list[dict[str, Any]] | None:
        """The submitted masks; None, which keeps those of the draft, from a page without a field for them."""
        if "masks" not in self.data:
            return None
        try:
            return parse_masks(self.cleaned_data["masks"])
        except BadPayload as error:
            raise forms.ValidationError(error.message(gettext)) from None


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))


class FlagForm(forms.Form):
    message = forms.CharField(
        label=_("What is wrong with this sample?"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
