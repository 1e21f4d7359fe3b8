"""A new version of the guideline."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 100_000


class GuidelineForm(forms.Form):
    """`based_on` is the version that was edited, so that nobody overwrites another person's version."""

    text = forms.CharField(
        label=_("Guideline (Markdown)"),
        max_length=MAX_LENGTH,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 24}),
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].replace("\r\n", "\n").replace("\r", "\n")
        if not text.strip():
            raise forms.ValidationError(_("The guideline is empty. Write what annotators should do."))
        return text
