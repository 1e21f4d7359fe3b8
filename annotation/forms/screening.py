"""Areas to redact: drawn on the image, or typed as coordinates without JavaScript."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.payloads.errors import BadPayload
from evaluation.payloads.masks import parse_masks


class ScreeningForm(forms.Form):
    """`masks` is the JSON of the drawing tool; `boxes` has one box per line, in pixels of the image."""

    masks = forms.CharField(
        label=_("Areas to redact"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "mono"}),
        help_text=_("Drawn on the image; they are painted over when you submit."),
    )
    boxes = forms.CharField(
        label=_("Boxes as coordinates"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("One per line: left, top, right, bottom in pixels. They are added to the drawn areas."),
    )
    withhold_evidence = forms.BooleanField(
        label=_("Hide the writer's transcript and the links from annotators: they contain names"),
        required=False,
    )
    image_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def clean_masks(self) -> list[dict[str, Any]]:
        try:
            return parse_masks(self.cleaned_data["masks"])
        except BadPayload as error:
            raise forms.ValidationError(error.message(gettext)) from None

    def clean_boxes(self) -> list[dict[str, Any]]:
        areas = []
        for number, line in enumerate(self.cleaned_data["boxes"].splitlines(), start=1):
            parts = line.replace(",", " ").split()
            if not parts:
                continue
            if len(parts) != 4 or not all(
                part.isascii() and part.isdigit() and len(part) < 7 for part in parts
            ):
                raise forms.ValidationError(
                    _("Line %(number)s must be four whole numbers: left, top, right, bottom."),
                    params={"number": number},
                )
            left, top, right, bottom = map(int, parts)
            points = [[left, top], [right, bottom]]
            areas.append({"id": uuid.uuid4().hex[:8], "shape": "box", "points": points, "reason": ""})
        return areas

    def areas(self) -> list[dict[str, Any]]:
        return [*self.cleaned_data["masks"], *self.cleaned_data["boxes"]]
