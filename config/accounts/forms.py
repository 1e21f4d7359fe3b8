"""What people fill in about themselves."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.forms import LoginForm, SignupForm
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from config.accounts.display_preferences import READING_SIZES
from config.accounts.models import User


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name, language and looks. An empty language follows the browser."""

    reading_size = forms.ChoiceField(
        label=_("Transcription text size"),
        choices=READING_SIZES,
        help_text=_("Text size of transcriptions, both in the editor and when reading."),
    )

    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "language", "theme"]
        labels = {
            "first_name": _("First name"),
            "last_name": _("Last name"),
            "email": _("Email address"),
            "language": _("Language"),
            "theme": _("Theme"),
        }
        help_texts = {
            "first_name": _(
                "Managers and colleagues can see your name. It is never shown in second "
                "reviews or discussions."
            ),
            "email": _("Only used to reset a forgotten password."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = cast(forms.ChoiceField, self.fields["language"])
        language.choices = [("", _("Same as browser")), *settings.LANGUAGES]
        self.fields["reading_size"].initial = self.instance.preferences.get("reading_size", "medium")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if email and User.objects.filter(email__iexact=email).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(
                _("Another account uses this address. Enter a different one, or leave the field empty.")
            )
        return email


class SignUpForm(SignupForm):  # type: ignore[misc]
    """The library's form in our words; labels stand above the fields, so nothing is repeated inside them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("Email address")
        self.fields["email"].help_text = _("Only used to reset a forgotten password.")
        drop_placeholders(self)


class SignInForm(LoginForm):  # type: ignore[misc]
    """The library's form without words inside the fields."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username or email")
        self.fields["password"].help_text = ""  # a link to the reset page stands beside the button
        drop_placeholders(self)


def drop_placeholders(form: forms.Form) -> None:
    """Take the grey words out of the fields: they vanish while typing and repeat the label."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
