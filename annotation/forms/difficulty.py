"""A difficulty rating: six levels and a note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from annotation.difficulty import SCALE, Dimension
from annotation.forms.work import check_text
from annotation.rating_scale import ANCHORS, Anchor


class RatingForm(forms.Form):
    """One level for each dimension, as radio buttons."""

    note = forms.CharField(
        label=_("Note for the managers"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        validators=[check_text],
    )
    image_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for dimension, anchor in ANCHORS.items():
            self.fields[dimension] = forms.TypedChoiceField(
                label=anchor.name,
                choices=[(level, str(level)) for level in SCALE],
                coerce=int,
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose a level from 1 to 5.")},
            )

    def scores(self) -> Mapping[str, int]:
        """The cleaned levels by dimension."""
        return {str(dimension): self.cleaned_data[dimension] for dimension in Dimension}

    def rows(self) -> list[tuple[BoundField, Anchor]]:
        """The field and the anchor of each dimension, in order."""
        return [(self[dimension], anchor) for dimension, anchor in ANCHORS.items()]
