"""A vision model behind an OpenAI-compatible address, as a recogniser."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.api_keys import ApiKeys
from evaluation.model_clients.endpoint_settings import MAX_OUTPUT_TOKENS, EndpointSettings
from evaluation.model_clients.failures import BadSetting, FailureKind, ModelCallFailed
from evaluation.model_clients.prompts import Prompt
from evaluation.model_clients.recognisers.base import RecognisedLine, RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.images import check_png
from evaluation.model_clients.recognisers.parse_reply import (
    NoTableInReply,
    formulas_to_markdown,
    parse_formulas,
    parse_table,
)

if TYPE_CHECKING:
    from evaluation.model_clients.openai_endpoint import EndpointResponse

DEFAULT_PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": MAX_OUTPUT_TOKENS}
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")

_FENCED = re.compile(
    r"\A\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<content>.*?)\n?[ \t]*(?P=fence)\s*\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRecogniser:
    """Sends the unchanged image with one prompt. `parameters` are added to the default ones or replace them.

    Raises BadSetting for parameters that cannot be set.
    """

    settings: EndpointSettings
    prompt: Prompt
    policy: AddressPolicy = field(default_factory=AddressPolicy)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sleep: Callable[[float], None] = time.sleep
    keys: ApiKeys = field(default_factory=ApiKeys)
    structure: str = "text"

    def __post_init__(self) -> None:
        for name in ("model", "messages", "stream", "n"):
            if name in self.parameters:
                raise BadSetting(
                    _("parameters: %(name)s is set by the recogniser and cannot be changed"), name=name
                )
        for name in TOKEN_LIMITS:
            value = self.parameters.get(name, 1)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_OUTPUT_TOKENS:
                raise BadSetting(
                    _("parameters: %(name)s must be a whole number from 1 to %(most)s"),
                    name=name,
                    most=MAX_OUTPUT_TOKENS,
                )

    def recognise(self, image_png: bytes) -> RecognisedPage:
        from evaluation.model_clients.openai_endpoint import OpenAIEndpoint  # noqa: PLC0415 (heavy)

        check_png(image_png)
        endpoint = OpenAIEndpoint(self.settings, policy=self.policy, sleep=self.sleep, keys=self.keys)
        try:
            response = endpoint.chat(
                _messages(self.prompt.text, image_png), parameters=self._all_parameters()
            )
        except ModelCallFailed as error:
            raise RecogniserFailed(
                error.kind,
                error.reason,
                raw=error.raw,
                attempts=error.attempts,
                parameters=error.parameters,
                dropped_parameters=error.dropped_parameters,
                retry_after_s=error.retry_after_s,
            ) from error
        return self._to_page(response)

    def _all_parameters(self) -> dict[str, Any]:
        defaults = dict(DEFAULT_PARAMETERS)
        if "max_completion_tokens" in self.parameters:
            del defaults["max_tokens"]
        return defaults | dict(self.parameters)

    def _to_page(self, response: EndpointResponse) -> RecognisedPage:
        text = strip_code_fence(response.text)
        if not text:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                LocalizedError(_("the model replied with an empty code block")),
                raw=response.body,
                attempts=response.attempts,
                parameters=response.parameters,
                dropped_parameters=response.dropped_parameters,
            )
        text, lines = self._parse_text(text, response)
        return RecognisedPage(
            text=text,
            lines=tuple(RecognisedLine(line) for line in lines),
            raw=response.body,
            model=self.settings.model,
            version=response.model,
            parameters=dict(response.parameters),
            dropped_parameters=response.dropped_parameters,
            attempts=response.attempts,
            latency_s=response.latency_s,
            is_cut_off=response.finish_reason == "length",
        )

    def _parse_text(self, text: str, response: EndpointResponse) -> tuple[str, Sequence[str]]:
        """The text in the form of the sample's structure, and its lines (formulas: one LaTeX each)."""
        if self.structure == "table":
            try:
                return parse_table(text), ()
            except NoTableInReply as error:
                problem: LocalizedError = error
        elif self.structure == "formula":
            if formulas := parse_formulas(text):
                return formulas_to_markdown(formulas), formulas
            problem = LocalizedError(_("the reply contains no formula"))
        else:
            return text, text.split("\n")
        raise RecogniserFailed(
            FailureKind.GARBAGE,
            problem.within(_("the reply is kept as received")),
            raw=response.body,
            attempts=response.attempts,
            parameters=response.parameters,
            dropped_parameters=response.dropped_parameters,
        )


def strip_code_fence(text: str) -> str:
    """The text without a code fence around the whole of it; line ends as \\n, no blank lines at either end.

    >>> strip_code_fence("```markdown\\nDear Ann,\\n```")
    'Dear Ann,'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    match = _FENCED.match(text)
    content = match["content"] if match else text
    is_one_block = match is not None and match["fence"] not in content
    return (content if is_one_block else text).strip("\n").rstrip() if text.strip() else ""


def _messages(prompt: str, image_png: bytes) -> list[dict[str, Any]]:
    image = "data:image/png;base64," + base64.b64encode(image_png).decode("ascii")
    parts = [{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": image}}]
    return [{"role": "user", "content": parts}]
