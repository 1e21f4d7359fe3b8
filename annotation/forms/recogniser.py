"""One of a project's three recogniser slots."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.forms.fields import InvalidJSONInput
from django.utils.translation import gettext_lazy as _

from annotation.models.project import RecogniserKind, RecogniserSetting
from annotation.selectors.recognisers import PROMPT_COLUMNS
from evaluation.model_clients.addresses import AddressPolicy, AddressRefused, UnknownHost
from evaluation.model_clients.api_keys import ApiKeyRefused, ApiKeys
from evaluation.model_clients.endpoint_settings import MAX_TIMEOUT_S, EndpointSettings
from evaluation.model_clients.failures import BadSetting
from evaluation.model_clients.prompts import Prompt, load_prompt
from evaluation.model_clients.recognisers.endpoint import EndpointRecogniser
from evaluation.model_clients.recognisers.registry import EMBEDDED
from evaluation.payloads.text import is_storable_json


class PlainJSONField(forms.JSONField):
    """JSON that every database can store, without extreme numbers or nesting."""

    def to_python(self, value: Any) -> Any:
        try:
            parsed = super().to_python(value)
        except (ValueError, RecursionError):  # numbers with thousands of digits, endless nesting
            parsed = None
            is_readable = False
        else:
            is_readable = is_storable_json(parsed)
        if not is_readable:
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": value}
            )
        return parsed

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            parsed = super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return InvalidJSONInput(data)
        return parsed if is_storable_json(parsed) else InvalidJSONInput(data)


class EmbeddedForm(forms.Form):
    """A built-in recogniser."""

    engine = forms.ChoiceField(label=_("Recogniser"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, current: RecogniserSetting | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["engine"]).choices = [
            (e.key, " · ".join((e.label, *e.helpers, e.licence))) for e in EMBEDDED.values()
        ]
        if current is not None and current.kind == RecogniserKind.EMBEDDED:
            self.initial["engine"] = current.engine

    def clean_engine(self) -> str:
        key: str = self.cleaned_data["engine"]
        if missing := EMBEDDED[key].missing():
            raise forms.ValidationError(
                _("Cannot run on this machine: %(missing)s"), params={"missing": missing.message(_)}
            )
        return key

    def columns(self) -> dict[str, Any]:
        key = self.cleaned_data["engine"]
        return {"kind": RecogniserKind.EMBEDDED, "engine": key, "label": EMBEDDED[key].label}


class EndpointForm(forms.Form):
    """A vision model behind an OpenAI-compatible endpoint."""

    label = forms.CharField(
        label=_("Name"), max_length=60, help_text=_("Annotators see this name next to its suggestions.")
    )
    base_url = forms.URLField(
        label=_("Base URL"),
        max_length=500,
        assume_scheme="https",
        help_text=_("As given by the provider; usually ends in /v1."),
    )
    model = forms.CharField(
        label=_("Model"), max_length=200, help_text=_("The model's name as listed by the endpoint.")
    )
    api_key_variable = forms.ChoiceField(
        label=_("API key"),
        required=False,
        # Without the value: it may be a key that was sent by mistake.
        error_messages={"invalid_choice": _("Choose one of the listed keys.")},
        help_text=_("The keys that this server's operator offers, with the hosts each may be sent to."),
    )
    prompt = forms.CharField(
        label=_("Prompt for text pages"),
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_(
            "Changing the prompt creates a new version. Each suggestion records the version that made it."
        ),
    )
    table_prompt = forms.CharField(
        label=_("Prompt for tables"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "It must ask for one HTML <table>: a reply without one counts as failed. "
            "Leave empty for the default."
        ),
    )
    formula_prompt = forms.CharField(
        label=_("Prompt for formula pages"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "It must ask for LaTeX with each formula between $$: any other reply counts as "
            "failed. Leave empty for the default."
        ),
    )
    parameters = PlainJSONField(
        label=_("Parameters (JSON)"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_('Sent in addition to temperature 0 and 8192 output tokens, for example {"top_p": 1}.'),
    )
    timeout_seconds = forms.IntegerField(
        label=_("Timeout in seconds"), min_value=1, max_value=int(MAX_TIMEOUT_S), initial=180
    )

    def __init__(self, *args: Any, current: RecogniserSetting | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        default_prompts = {column: load_prompt(name).text for name, column in PROMPT_COLUMNS.items()}
        self.initial.update(default_prompts)
        self.initial["parameters"] = {}
        cast(forms.ChoiceField, self.fields["api_key_variable"]).choices = [
            ("", _("No key")),
            *((name, f"{name} ({', '.join(hosts)})") for name, hosts in settings.MODEL_API_KEYS.items()),
        ]
        if current is not None and current.kind == RecogniserKind.ENDPOINT:
            stored = {name: getattr(current, name) for name in self.fields}
            self.initial.update(
                {name: stored[name] or default_prompts.get(name, stored[name]) for name in stored}
            )

    def clean_table_prompt(self) -> str:
        return self.cleaned_data["table_prompt"] or load_prompt("table").text

    def clean_formula_prompt(self) -> str:
        return self.cleaned_data["formula_prompt"] or load_prompt("formula").text

    def clean_base_url(self) -> str:
        url: str = self.cleaned_data["base_url"].rstrip("/")
        try:
            AddressPolicy(allowed=tuple(settings.MODEL_ENDPOINT_ALLOWLIST)).check_url(url)
        except AddressRefused as error:
            raise forms.ValidationError(
                _("This address cannot be used: %(why)s."), params={"why": error.message(_)}
            ) from error
        except UnknownHost as error:
            raise forms.ValidationError(
                _("Host not found: %(why)s. Check the spelling."),
                params={"why": error.message(_)},
            ) from error
        return url

    def clean_parameters(self) -> dict[str, Any]:
        value: Any = self.cleaned_data["parameters"]
        if value in (None, ""):
            return {}
        if not isinstance(value, dict):
            raise forms.ValidationError(_('Enter one JSON object in braces: {"top_p": 1}.'))
        try:
            EndpointRecogniser(
                settings=EndpointSettings(base_url="https://example.org", model="any"),
                prompt=Prompt("any", 1, "any"),
                parameters=value,
            )
        except BadSetting as error:
            raise forms.ValidationError(_("Fix this: %(why)s"), params={"why": error.message(_)}) from error
        return value

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        name, url = values.get("api_key_variable"), values.get("base_url")
        if name and url:
            try:
                ApiKeys(settings.MODEL_API_KEYS).find(name, url)
            except ApiKeyRefused as error:
                self.add_error(
                    "api_key_variable",
                    forms.ValidationError(_("Fix this: %(why)s"), params={"why": error.message(_)}),
                )
        return values

    def columns(self) -> dict[str, Any]:
        return {"kind": RecogniserKind.ENDPOINT, **self.cleaned_data}
