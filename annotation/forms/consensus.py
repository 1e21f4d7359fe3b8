"""Forms of a discussion: which version of a field, or a new text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.worksheets import FieldSheet

# Choices for a field. DROP: leave the field out.
PRIMARY, SECOND, NEW, DROP = "primary", "second", "new", "drop"
CHOICES = [(PRIMARY, PRIMARY), (SECOND, SECOND), (NEW, NEW), (DROP, DROP)]


class FieldChoiceForm(forms.Form):
    """One field: `choice`, and `text` if it is new."""

    choice = forms.ChoiceField(
        choices=CHOICES, error_messages={"required": _("Choose one of the texts, or write a new one.")}
    )
    text = forms.CharField(required=False, strip=False)

    def __init__(self, *args: Any, field: FieldSheet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.field = field

    def chosen_text(self) -> str | None:
        """The chosen text; None to leave the field out."""
        match self.cleaned_data["choice"]:
            case "primary":
                return self.field.primary_text
            case "second":
                return self.field.second_text
            case "new":
                return str(self.cleaned_data["text"])
            case _:
                return None


class ConsensusDecisionForm(forms.Form):
    """All open fields at once, as `choice-<position>` and `text-<position>`."""

    def __init__(self, data: Any, *, fields: Iterable[FieldSheet]) -> None:
        super().__init__(data)
        self.choices = {
            field.position: FieldChoiceForm(
                {
                    "choice": data.get(f"choice-{field.position}"),
                    "text": data.get(f"text-{field.position}", ""),
                },
                field=field,
            )
            for field in fields
            if not field.is_settled
        }

    def is_valid(self) -> bool:
        return super().is_valid() and all(choice.is_valid() for choice in self.choices.values())

    def chosen_texts(self) -> dict[int, str | None]:
        """Position -> text (None: leave the field out); call after `is_valid`."""
        return {position: choice.chosen_text() for position, choice in self.choices.items()}


class MessageForm(forms.Form):
    text = forms.CharField(
        max_length=5000,
        error_messages={"required": _("The message is empty. Write what you read there, and why.")},
    )
