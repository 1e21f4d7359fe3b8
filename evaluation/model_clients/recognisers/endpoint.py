"""A vision model behind an OpenAI-compatible address, as a recogniser."""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.endpoint_settings import MAX_OUTPUT_TOKENS, EndpointSettings
from evaluation.model_clients.failures import BadSetting, FailureKind, ModelCallFailed
from evaluation.model_clients.prompts import Prompt
from evaluation.model_clients.recognisers.base import RecognisedLine, RecognisedPage, RecogniserFailed
from evaluation.model_clients.recognisers.images import check_png
from evaluation.model_clients.recognisers.parse_prediction import (
    NoTable,
    formulas_of_answer,
    page_of_formulas,
    table_of_answer,
)

if TYPE_CHECKING:
    from evaluation.model_clients.openai_endpoint import EndpointResponse

DEFAULT_PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": MAX_OUTPUT_TOKENS}
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")

_FENCED = re.compile(
    r"\A\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<inside>.*?)\n?[ \t]*(?P=fence)\s*\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRecogniser:
    """Sends the image as it is, with one prompt. `parameters` add to, or replace, the default ones."""

    settings: EndpointSettings
    prompt: Prompt
    policy: AddressPolicy = field(default_factory=AddressPolicy)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sleep: Callable[[float], None] = time.sleep
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
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

    def read(self, image_png: bytes) -> RecognisedPage:
        from evaluation.model_clients.openai_endpoint import OpenAIEndpoint  # noqa: PLC0415 (heavy)

        check_png(image_png)
        endpoint = OpenAIEndpoint(self.settings, policy=self.policy, sleep=self.sleep, environ=self.environ)
        try:
            answer = endpoint.chat(_messages(self.prompt.text, image_png), parameters=self._all_parameters())
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
        return self._reading(answer)

    def _all_parameters(self) -> dict[str, Any]:
        defaults = dict(DEFAULT_PARAMETERS)
        if "max_completion_tokens" in self.parameters:
            del defaults["max_tokens"]
        return defaults | dict(self.parameters)

    def _reading(self, answer: EndpointResponse) -> RecognisedPage:
        text = strip_fence(answer.text)
        if not text:
            raise RecogniserFailed(
                FailureKind.EMPTY,
                LocalizedError(_("the model replied with an empty code block")),
                raw=answer.body,
                attempts=answer.attempts,
                parameters=answer.parameters,
                dropped_parameters=answer.dropped_parameters,
            )
        text, lines = self._read_structure(text, answer)
        return RecognisedPage(
            text=text,
            lines=tuple(RecognisedLine(line) for line in lines),
            raw=answer.body,
            model=self.settings.model,
            version=answer.model,
            parameters=dict(answer.parameters),
            dropped_parameters=answer.dropped_parameters,
            attempts=answer.attempts,
            latency_s=answer.latency_s,
            is_cut_off=answer.finish_reason == "length",
        )

    def _read_structure(self, text: str, answer: EndpointResponse) -> tuple[str, Sequence[str]]:
        """The answer in the form of the sample's structure, and its lines (formulas: one LaTeX each)."""
        if self.structure == "table":
            try:
                return table_of_answer(text), ()
            except NoTable as error:
                problem: LocalizedError = error
        elif self.structure == "formula":
            if formulas := formulas_of_answer(text):
                return page_of_formulas(formulas), formulas
            problem = LocalizedError(_("the reply contains no formula"))
        else:
            return text, text.split("\n")
        raise RecogniserFailed(
            FailureKind.GARBAGE,
            problem.within(_("the reply is kept as received")),
            raw=answer.body,
            attempts=answer.attempts,
            parameters=answer.parameters,
            dropped_parameters=answer.dropped_parameters,
        )


def strip_fence(text: str) -> str:
    """The text inside one code fence that wraps the whole answer; line ends as \\n, no blank edges.

    >>> strip_fence("```markdown\\nDear Ann,\\n```")
    'Dear Ann,'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    match = _FENCED.match(text)
    inside = match["inside"] if match else text
    is_one_block = match is not None and match["fence"] not in inside
    return (inside if is_one_block else text).strip("\n").rstrip() if text.strip() else ""


def _messages(prompt: str, image_png: bytes) -> list[dict[str, Any]]:
    image = "data:image/png;base64," + base64.b64encode(image_png).decode("ascii")
    parts = [{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": image}}]
    return [{"role": "user", "content": parts}]
