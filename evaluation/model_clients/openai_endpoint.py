"""Chat requests to an OpenAI-compatible endpoint.

The only file that imports `openai`, which takes half a second, so import this module on use. Retries are made here and
not by the library: at most three, after 5, 10 and 20 seconds or the longer wait that the endpoint asks for. All
requests are counted, and the body of the last reply is kept unchanged up to a limit (`ReplyLimits`).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import httpx2
import openai

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.addresses import AddressPolicy, AddressRefused, UnknownHost
from evaluation.model_clients.api_keys import ApiKeyRefused, ApiKeys
from evaluation.model_clients.endpoint_settings import EndpointSettings, ReplyLimits
from evaluation.model_clients.failures import FailureKind, ModelCallFailed
from evaluation.model_clients.retries import read_retry_after, wait_before_retry
from evaluation.model_clients.transport import CheckedTransport, ReplyTooLong

_UNSUPPORTED = re.compile(
    r"unsupported|not[ _]supported|(does not|doesn't|cannot) support|unrecogni[sz]ed|unknown|unexpected|"
    r"not permitted|not allowed|only the default|deprecated",
    re.IGNORECASE,
)


_MOST_QUOTED = 300  # characters of the endpoint's own words in a message
_MOST_NAME = 200  # characters of the model's name as the endpoint gives it


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointResponse:
    """The reply of an endpoint to a chat request: its text, which is never blank, and its body as it is kept."""

    text: str
    body: str
    model: str
    finish_reason: str
    parameters: Mapping[str, Any]
    dropped_parameters: tuple[str, ...]
    attempts: int
    latency_s: float


@dataclass(slots=True)
class _RequestState:
    """The progress of one request: parameters still sent, parameters dropped, number of attempts."""

    parameters: dict[str, Any]
    limits: ReplyLimits
    dropped: list[str] = field(default_factory=list)
    attempts: int = 0
    retries: int = 0
    latency_s: float = 0.0


class OpenAIEndpoint:
    """One model at one endpoint. `sleep` waits between retries."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        policy: AddressPolicy,
        sleep: Callable[[float], None] = time.sleep,
        keys: ApiKeys,
    ) -> None:
        self._settings = settings
        self._policy = policy
        self._sleep = sleep
        self._keys = keys

    def chat(
        self, messages: Sequence[Mapping[str, Any]], *, parameters: Mapping[str, Any]
    ) -> EndpointResponse:
        """Send one request, with retries. Raises ModelCallFailed and nothing else.

        A parameter that the endpoint rejects is left out and recorded; `max_tokens` first becomes
        `max_completion_tokens`, which reasoning models require.
        """
        state = _RequestState(dict(parameters), self._settings.limits)
        self._check_address()
        key = self._key()
        with self._client(key) as client:
            while True:
                try:
                    return self._ask(client, messages, state)
                except openai.APIError as error:
                    if _drop_rejected_parameter(error, state):
                        continue
                    failure = self._failure(error, state, key)
                    wait_s = wait_before_retry(failure, retries=state.retries)
                    if wait_s is None:
                        raise failure from error
                    state.retries += 1
                    self._sleep(wait_s)

    def _key(self) -> str:
        try:
            return self._keys.find(self._settings.api_key_variable, self._settings.base_url)
        except ApiKeyRefused as error:
            raise ModelCallFailed(FailureKind.AUTH, error) from error

    def _check_address(self) -> None:
        try:
            self._policy.check_url(self._settings.base_url)
        except AddressRefused as error:
            raise ModelCallFailed(FailureKind.ADDRESS_REFUSED, error) from error
        except UnknownHost as error:
            raise ModelCallFailed(FailureKind.UNREACHABLE, error) from error

    def _client(self, key: str) -> openai.OpenAI:
        timeout_s = self._settings.timeout_s
        may_send_key = partial(self._keys.may_send, self._settings.api_key_variable)
        transport = CheckedTransport(
            self._policy,
            timeout_s=timeout_s,
            reply_bytes=self._settings.limits.reply_bytes,
            may_send_key=may_send_key,
        )
        # Without the environment's proxies: a proxy would make the connection itself and bypass the check.
        http_client = httpx2.Client(
            transport=transport, timeout=timeout_s, trust_env=False, follow_redirects=False
        )
        return openai.OpenAI(
            base_url=self._settings.base_url,
            api_key=key or "none",  # the library requires a key; the transport removes it again
            timeout=timeout_s,
            max_retries=0,
            http_client=http_client,
        )

    def _ask(
        self, client: openai.OpenAI, messages: Sequence[Mapping[str, Any]], state: _RequestState
    ) -> EndpointResponse:
        state.attempts += 1
        started = time.monotonic()
        try:
            response = client.chat.completions.with_raw_response.create(
                model=self._settings.model,
                messages=cast(Any, list(messages)),
                extra_body=state.parameters,
            )
            body = response.content.decode("utf-8", "replace")
        except httpx2.TimeoutException as error:  # while the body was being read
            raise openai.APITimeoutError(request=error.request) from error
        except httpx2.TransportError as error:
            raise openai.APIConnectionError(request=error.request) from error
        finally:
            state.latency_s = round(time.monotonic() - started, 3)
        text, finish_reason, model = _read_chat_body(body, state)
        return EndpointResponse(
            text=text,
            body=state.limits.shorten_raw(body),
            model=model or self._settings.model,
            finish_reason=finish_reason,
            parameters=state.parameters,
            dropped_parameters=tuple(state.dropped),
            attempts=state.attempts,
            latency_s=state.latency_s,
        )

    def _failure(self, error: openai.APIError, state: _RequestState, key: str) -> ModelCallFailed:
        kind, reason = _explain(error, self._settings)
        raw, retry_after_s = "", None
        if isinstance(error, openai.APIStatusError):
            raw = error.response.text
            retry_after_s = read_retry_after(error.response.headers.get("retry-after", ""))
        if key:  # some endpoints repeat the key in their reply
            reason, raw = reason.with_secret_replaced(key, "[key]"), raw.replace(key, "[key]")
        return _fail(kind, reason, state, raw=raw, retry_after_s=retry_after_s)


def _fail(
    kind: FailureKind,
    reason: LocalizedError,
    state: _RequestState,
    *,
    raw: str,
    retry_after_s: float | None = None,
) -> ModelCallFailed:
    return ModelCallFailed(
        kind,
        reason,
        raw=state.limits.shorten_raw(raw),
        attempts=state.attempts,
        parameters=state.parameters,
        dropped_parameters=tuple(state.dropped),
        retry_after_s=retry_after_s,
    )


def _read_chat_body(body: str, state: _RequestState) -> tuple[str, str, str]:
    """Text, finish reason and model name of a chat completion. Raises ModelCallFailed."""
    try:
        data = json.loads(body)
        choices = data["choices"]
        first = choices[0] if choices else {"message": {}}
        content, reason = first["message"].get("content"), first.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        problem = LocalizedError(_("the reply is not a chat completion: %(body)s"), body=repr(body[:200]))
        raise _fail(FailureKind.GARBAGE, problem, state, raw=body) from error
    if content is not None and not isinstance(content, str):
        raise _fail(
            FailureKind.GARBAGE, LocalizedError(_("the content of the reply is not text")), state, raw=body
        )
    if content is None or not content.strip():
        raise _fail(
            FailureKind.EMPTY, _without_text(first["message"].get("refusal"), reason), state, raw=body
        )
    size = len(content.encode("utf-8", "replace"))
    if size > state.limits.answer_bytes:
        problem = LocalizedError(
            _(
                "the text of the reply has %(size)s bytes, and at most %(most)s are stored; "
                "it is not used, because a shortened transcription would be wrong"
            ),
            size=size,
            most=state.limits.answer_bytes,
        )
        raise _fail(FailureKind.GARBAGE, problem, state, raw=body)
    return content, str(reason or ""), str(data.get("model") or "")[:_MOST_NAME]


def _without_text(refusal: object, reason: object) -> LocalizedError:
    if refusal:
        return LocalizedError(_("the model's reply has no text (%(why)s)"), why=str(refusal)[:_MOST_QUOTED])
    if reason:
        return LocalizedError(
            _("the model's reply has no text (finish reason: %(reason)s)"),
            reason=str(reason)[:_MOST_QUOTED],
        )
    return LocalizedError(_("the model's reply has no text and gives no reason"))


def _explain(error: openai.APIError, settings: EndpointSettings) -> tuple[FailureKind, LocalizedError]:
    """Kind and message for an error that the library raised."""
    if isinstance(error, openai.APITimeoutError):
        return FailureKind.TIMEOUT, LocalizedError(
            _("no complete reply within %(seconds)s s"), seconds=f"{settings.timeout_s:g}"
        )
    if isinstance(error, openai.APIConnectionError):
        return _explain_connection(error, settings)
    if not isinstance(error, openai.APIStatusError):
        return FailureKind.GARBAGE, LocalizedError(
            _("the reply cannot be read: %(why)s"), why=error.message[:_MOST_QUOTED]
        )
    status = error.status_code
    facts = {"status": str(status), "said": _server_message(error)}
    if status == 429:
        return FailureKind.REFUSED, LocalizedError(
            _("the endpoint accepts no more requests at the moment (%(status)s): %(said)s"), **facts
        )
    if status in (401, 403):
        return FailureKind.AUTH, LocalizedError(
            _("the endpoint rejected the key (%(status)s): %(said)s"), **facts
        )
    if status == 408:
        return FailureKind.TIMEOUT, LocalizedError(
            _("the endpoint timed out (%(status)s): %(said)s"), **facts
        )
    if status >= 500:
        return FailureKind.SERVER_ERROR, LocalizedError(
            _("the endpoint had an internal error (%(status)s): %(said)s"), **facts
        )
    if 300 <= status < 400:
        return (
            FailureKind.BAD_REQUEST,
            LocalizedError(
                _("the endpoint redirects elsewhere (%(status)s); redirects are not followed"),
                status=str(status),
            ),
        )
    return FailureKind.BAD_REQUEST, LocalizedError(
        _("the endpoint rejected the request (%(status)s): %(said)s"), **facts
    )


def _explain_connection(
    error: openai.APIConnectionError, settings: EndpointSettings
) -> tuple[FailureKind, LocalizedError]:
    cause = error.__cause__
    if cause is not None and isinstance(cause.__cause__, AddressRefused):
        return FailureKind.ADDRESS_REFUSED, cause.__cause__
    if isinstance(cause, ReplyTooLong):
        return FailureKind.GARBAGE, LocalizedError(
            _("the reply is longer than %(most)s bytes, unpacked; the rest was not read"),
            most=settings.limits.reply_bytes,
        )
    if isinstance(cause, httpx2.DecodingError):
        return FailureKind.GARBAGE, LocalizedError(
            _("the reply cannot be unpacked: %(why)s"), why=str(cause)[:_MOST_QUOTED]
        )
    if isinstance(cause, httpx2.RemoteProtocolError):
        return FailureKind.UNREACHABLE, LocalizedError(
            _("the endpoint closed the connection before it replied")
        )
    return FailureKind.UNREACHABLE, LocalizedError(
        _("%(url)s cannot be reached: %(why)s"), url=settings.base_url, why=str(cause or error.message)
    )


def _server_message(error: openai.APIStatusError) -> str:
    """The endpoint's own error message, shortened."""
    body = error.body
    words = body.get("message") if isinstance(body, dict) else None
    return str(words or error.response.text or "-").strip()[:_MOST_QUOTED]


def _drop_rejected_parameter(error: openai.APIError, state: _RequestState) -> bool:
    """Drop the parameter that the endpoint rejected. False if it rejected none that was sent."""
    if not isinstance(error, openai.APIStatusError) or error.status_code not in (400, 422):
        return False
    body = error.body if isinstance(error.body, dict) else {}
    words = f"{body.get('code') or ''} {body.get('message') or ''} {error.response.text}"
    if not _UNSUPPORTED.search(words):
        return False
    named = [name for name in state.parameters if name == body.get("param")] or [
        name for name in state.parameters if re.search(rf"\b{re.escape(name)}\b", words)
    ]
    if not named:
        return False
    value = state.parameters.pop(named[0])
    state.dropped.append(named[0])
    if named[0] == "max_tokens" and "max_completion_tokens" not in state.dropped:
        state.parameters["max_completion_tokens"] = value
    return True
