"""The endpoint recogniser against a real HTTP server on loopback: what it sends, and what it makes of the answer."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from evaluation.checks import check_model_endpoint_settings
from evaluation.model_clients.api_keys import ApiKeys
from evaluation.model_clients.endpoint_settings import EndpointSettings
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.prompts import load_prompt
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.endpoint import strip_code_fence
from tests.evaluation.model_clients.recognisers.endpoint_helpers import Sleeps, failure_of, png, recogniser
from tests.openai_server import (
    OpenAIServer,
    Step,
    answer,
    error,
    refuses_parameter,
)


def test_read_when_answered_then_text_and_all_its_provenance() -> None:
    with OpenAIServer(answer("Dear Ann,\nthank you.", model="eye-1-2026-11")) as server:
        reading = recogniser(server).recognise(png())
    assert reading.text == "Dear Ann,\nthank you."
    assert [line.text for line in reading.lines] == ["Dear Ann,", "thank you."]
    assert (reading.model, reading.version) == ("eye-1", "eye-1-2026-11")
    assert reading.parameters == {"temperature": 0, "max_tokens": 8192}
    assert (reading.dropped_parameters, reading.attempts, reading.is_cut_off) == ((), 1, False)
    assert 0 < reading.latency_s < 5
    assert '"content": "Dear Ann,\\nthank you."' in reading.raw


def test_request_when_sent_then_holds_prompt_and_the_very_bytes_of_the_image() -> None:
    image = png(40, 30)
    with OpenAIServer(answer("x")) as server:
        recogniser(server).recognise(image)
    body = server.requests[0].body
    text, part = body["messages"][0]["content"]
    assert server.requests[0].path == "/v1/chat/completions"
    assert body["model"] == "eye-1"
    assert (body["temperature"], body["max_tokens"]) == (0, 8192)
    assert text["text"] == load_prompt("transcription").text
    head, _, data = part["image_url"]["url"].partition(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", image)


def test_read_when_temperature_is_refused_then_dropped_recorded_and_no_wait() -> None:
    sleeps = Sleeps()
    with OpenAIServer(refuses_parameter("temperature", answer("x"))) as server:
        reading = recogniser(server, sleeps).recognise(png())
    assert reading.dropped_parameters == ("temperature",)
    assert reading.parameters == {"max_tokens": 8192}
    assert (reading.attempts, sleeps) == (2, [])


def test_read_when_max_tokens_is_refused_then_max_completion_tokens_instead() -> None:
    with OpenAIServer(refuses_parameter("max_tokens", answer("x"))) as server:
        reading = recogniser(server).recognise(png())
    assert reading.dropped_parameters == ("max_tokens",)
    assert reading.parameters == {"temperature": 0, "max_completion_tokens": 8192}
    assert server.requests[-1].body["max_completion_tokens"] == 8192


def test_read_when_both_token_limits_and_temperature_are_refused_then_all_dropped() -> None:
    def choose(request: Any) -> Step:
        for name in ("temperature", "max_completion_tokens", "max_tokens"):
            if name in request.body:
                return error(422, f"Unrecognized request argument supplied: {name}")
        return answer("x")

    with OpenAIServer(choose) as server:
        reading = recogniser(server).recognise(png())
    assert reading.parameters == {}
    assert reading.dropped_parameters == ("temperature", "max_tokens", "max_completion_tokens")


def test_read_when_only_the_value_is_refused_then_a_failure_and_nothing_dropped() -> None:
    with OpenAIServer(error(400, "max_tokens is too large: at most 4096", param="max_tokens")) as server:
        failed = failure_of(server)
    assert (failed.kind, failed.dropped_parameters) == (FailureKind.BAD_REQUEST, ())
    assert failed.parameters["max_tokens"] == 8192


def test_read_when_fenced_then_text_without_fence_and_raw_with_it() -> None:
    with OpenAIServer(answer("```markdown\nDear Ann,\n```")) as server:
        reading = recogniser(server).recognise(png())
    assert reading.text == "Dear Ann,"
    assert "```markdown" in reading.raw


def test_read_when_stopped_at_the_token_limit_then_says_it_is_cut_off() -> None:
    with OpenAIServer(answer("half a", finish_reason="length")) as server:
        assert recogniser(server).recognise(png()).is_cut_off


def _keyed(host: str) -> dict[str, Any]:
    """Settings that name a key which the operator offers for `host`."""
    keys = ApiKeys({"EYE_KEY": [host]}, {"EYE_KEY": "sk-very-secret", "OTHER_KEY": "sk-other"})
    return {"keys": keys, "settings": {"api_key_variable": "EYE_KEY"}}


def test_key_when_offered_for_the_host_then_sent_and_hidden_from_failures() -> None:
    with OpenAIServer(error(401, "Incorrect API key provided: sk-very-secret")) as server:
        failed = failure_of(server, **_keyed(server.base_url.split("/")[2]))
    assert server.requests[0].headers["authorization"] == "Bearer sk-very-secret"
    assert "sk-very-secret" not in f"{failed}{failed.raw}{failed.parameters}"
    assert "[key]" in failed.raw


def test_key_when_its_variable_is_not_set_then_auth_failure_naming_it_and_no_request() -> None:
    with OpenAIServer(answer("x")) as server:
        keys = ApiKeys({"EYE_KEY": [server.base_url.split("/")[2]]}, {})
        failed = failure_of(server, keys=keys, settings={"api_key_variable": "EYE_KEY"})
    assert (failed.kind, failed.attempts, server.count) == (FailureKind.AUTH, 0, 0)
    assert "EYE_KEY" in str(failed.reason)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "api.example.com", "localhost"])
def test_key_when_its_hosts_are_others_then_nothing_is_sent(host: str) -> None:
    with OpenAIServer(answer("x")) as server:
        failed = failure_of(server, **_keyed(host))
    assert (failed.kind, server.count) == (FailureKind.AUTH, 0)


def test_key_when_the_operator_does_not_offer_it_then_the_same_message_whether_it_is_set_or_not() -> None:
    with OpenAIServer(answer("x")) as server:
        host = server.base_url.split("/")[2]
        reasons = {
            str(
                failure_of(server, **(_keyed(host) | {"settings": {"api_key_variable": name}})).reason
            ).replace(name, "")
            for name in ("OTHER_KEY", "NOT_SET_ANYWHERE")
        }
    assert len(reasons) == 1 and server.count == 0


@pytest.mark.parametrize("entry", ["https://api.example.com", "api.example.com:https", "", "a.com:8443/v1"])
def test_offered_keys_when_a_host_is_not_one_then_refused_naming_the_entry(entry: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"EYE_KEY={entry}")):
        ApiKeys({"EYE_KEY": [entry]})


def test_environment_when_it_holds_a_vendors_account_then_none_of_it_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "account-of-someone")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Tenant: account-of-someone")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with OpenAIServer(answer("x")) as server:
        recogniser(server).recognise(png())
    assert "authorization" not in server.requests[0].headers
    assert "account-of-someone" not in str(server.requests[0].headers)


@pytest.mark.parametrize(
    ("image", "word"),
    [(b"", "not a PNG"), (b"GIF89a", "not a PNG"), (png(4001, 2), "4001 x 2")],
)
def test_image_when_unfit_then_bad_image_and_no_request(image: bytes, word: str) -> None:
    with OpenAIServer(answer("x")) as server, pytest.raises(RecogniserFailed, match=word) as caught:
        recogniser(server).recognise(image)
    assert (caught.value.kind, server.count) == (FailureKind.BAD_IMAGE, 0)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"model": " "}, "model"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": 601}, "timeout_s"),
        ({"api_key_variable": "sk-abc-123"}, "api_key_variable"),
    ],
)
def test_settings_when_wrong_then_refused_naming_the_field(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word) as caught:
        EndpointSettings(**({"base_url": "https://example.com/v1", "model": "m"} | settings))
    assert "sk-abc-123" not in str(caught.value)


@pytest.mark.parametrize(
    "parameters", [{"max_tokens": 8193}, {"max_completion_tokens": 0}, {"max_tokens": True}, {"stream": True}]
)
def test_parameters_when_outside_the_protocol_then_refused(parameters: dict[str, Any]) -> None:
    with OpenAIServer(answer("x")) as server, pytest.raises(ValueError, match="parameters"):
        recogniser(server, parameters=parameters)


@pytest.mark.parametrize(
    ("answered", "text"),
    [
        ("plain", "plain"),
        ("```\na\nb\n```", "a\nb"),
        ("\n```markdown\r\na\r\n```\n", "a"),
        ("~~~md\na\n~~~", "a"),
        ("````\n```\nx\n```\n````", "```\nx\n```"),
        ("```\na\n```\nand\n```\nb\n```", "```\na\n```\nand\n```\nb\n```"),
        ("before\n```\na\n```", "before\n```\na\n```"),
        ("```\n  indented\n```", "  indented"),
        ("~~gone~~ kept", "~~gone~~ kept"),
        ("```\n```", ""),
    ],
)
def test_fence_when_it_wraps_all_then_stripped_and_nothing_else(answered: str, text: str) -> None:
    assert strip_code_fence(answered) == text


def test_answer_when_the_sample_is_a_table_then_its_canonical_html_or_a_failure_with_the_raw_answer() -> None:
    fenced = "```html\n<table border=1><tr><td>a<td>b</table>\n```"
    with OpenAIServer([answer(fenced), answer("I see no table.")]) as server:
        reading = recogniser(server, structure="table").recognise(png())
        failed = failure_of(server, structure="table")
    assert reading.text == "<table><tr><td>a</td><td>b</td></tr></table>"
    assert failed.kind == FailureKind.GARBAGE and "no <table>" in str(failed.reason)
    assert "I see no table." in failed.raw


def test_answer_when_the_sample_is_formulas_then_each_is_a_line() -> None:
    with OpenAIServer([answer("$$a$$\n$$b$$"), answer("Nothing.")]) as server:
        reading = recogniser(server, structure="formula").recognise(png())
        failed = failure_of(server, structure="formula")
    assert [line.text for line in reading.lines] == ["a", "b"]
    assert failed.kind == FailureKind.GARBAGE


def test_check_when_an_offered_key_has_no_host_then_the_start_ends_naming_it(settings: Any) -> None:
    assert check_model_endpoint_settings() == []
    settings.MODEL_API_KEYS = {"EYE_KEY": ["https://api.example.com"]}
    settings.MODEL_ENDPOINT_ALLOWLIST = ["10.0.0.0/99"]
    assert [problem.id for problem in check_model_endpoint_settings()] == [
        "evaluation.MODEL_API_KEYS",
        "evaluation.MODEL_ENDPOINT_ALLOWLIST",
    ]
