"""The endpoint recogniser against a real HTTP server on loopback."""

from __future__ import annotations

import base64
import io
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.openai_endpoint import EndpointSettings
from evaluation.model_clients.prompts import load_prompt
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.endpoint import EndpointRecogniser, strip_fence
from tests.openai_server import (
    OpenAIServer,
    Step,
    answer,
    dropped,
    error,
    garbage,
    no_choices,
    redirect,
    refuse,
    refuses_parameter,
)

CERTIFICATE = Path(__file__).parents[3] / "data" / "model.lan.pem"  # made for these tests, trusted nowhere
LOOPBACK = AddressPolicy(allowed=("127.0.0.1",))


def png(width: int = 8, height: int = 6) -> bytes:
    file = io.BytesIO()
    Image.new("L", (width, height), 255).save(file, "PNG")
    return file.getvalue()


class Sleeps(list[float]):
    """Stands for time.sleep and keeps what it was asked."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def recogniser(server: OpenAIServer, sleeps: Sleeps | None = None, **changes: Any) -> EndpointRecogniser:
    settings = {"base_url": server.base_url, "model": "eye-1", "timeout_s": 5.0} | changes.pop("settings", {})
    return EndpointRecogniser(
        settings=EndpointSettings(**settings),
        prompt=load_prompt("transcription"),
        policy=changes.pop("policy", LOOPBACK),
        sleep=Sleeps() if sleeps is None else sleeps,
        environ=changes.pop("environ", {}),
        **changes,
    )


def failure_of(server: OpenAIServer, sleeps: Sleeps | None = None, **changes: Any) -> RecogniserFailed:
    with pytest.raises(RecogniserFailed) as caught:
        recogniser(server, sleeps, **changes).read(png())
    return caught.value


def test_read_when_answered_then_text_and_all_its_provenance() -> None:
    with OpenAIServer(answer("Dear Ann,\nthank you.", model="eye-1-2026-11")) as server:
        reading = recogniser(server).read(png())
    assert reading.text == "Dear Ann,\nthank you."
    assert [line.text for line in reading.lines] == ["Dear Ann,", "thank you."]
    assert (reading.model, reading.version) == ("eye-1", "eye-1-2026-11")
    assert reading.parameters == {"temperature": 0, "max_tokens": 8192}
    assert (reading.dropped_parameters, reading.attempts, reading.is_cut_off) == ((), 1, False)
    assert 0 < reading.latency_s < 5
    assert '"content": "Dear Ann,\\nthank you."' in reading.raw


def test_request_when_sent_then_holds_prompt_and_the_very_bytes_of_the_picture() -> None:
    picture = png(40, 30)
    with OpenAIServer(answer("x")) as server:
        recogniser(server).read(picture)
    body = server.requests[0].body
    text, image = body["messages"][0]["content"]
    assert server.requests[0].path == "/v1/chat/completions"
    assert body["model"] == "eye-1"
    assert (body["temperature"], body["max_tokens"]) == (0, 8192)
    assert text["text"] == load_prompt("transcription").text
    head, _, data = image["image_url"]["url"].partition(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", picture)


def test_read_when_refused_twice_then_waits_5_and_10_seconds_and_counts() -> None:
    sleeps = Sleeps()
    with OpenAIServer([refuse(), refuse(), answer("at last")]) as server:
        reading = recogniser(server, sleeps).read(png())
    assert (reading.text, reading.attempts, sleeps, server.count) == ("at last", 3, [5, 10], 3)


@pytest.mark.parametrize(
    ("step", "kind", "word"),
    [
        (refuse(), FailureKind.REFUSED, "429"),
        (error(500, "boom"), FailureKind.SERVER_ERROR, "boom"),
        (error(503, "loading"), FailureKind.SERVER_ERROR, "loading"),
        (dropped(), FailureKind.UNREACHABLE, "closed the connection"),
    ],
)
def test_read_when_the_fault_stays_then_three_retries_and_a_named_failure(
    step: Step, kind: FailureKind, word: str
) -> None:
    sleeps = Sleeps()
    with OpenAIServer(step) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.attempts, server.count, sleeps) == (kind, 4, 4, [5, 10, 20])
    assert word in failed.message
    assert failed.raw == step.body.decode()


@pytest.mark.parametrize(
    ("step", "kind", "word"),
    [
        (garbage(), FailureKind.GARBAGE, "not a chat answer"),
        (garbage(b"[1, 2]"), FailureKind.GARBAGE, "not a chat answer"),
        (garbage(b'{"choices": [{"message": {"content": 7}}]}'), FailureKind.GARBAGE, "not text"),
        (no_choices(), FailureKind.EMPTY, "without any text"),
        (answer(""), FailureKind.EMPTY, "without any text"),
        (answer(None, finish_reason="content_filter"), FailureKind.EMPTY, "content_filter"),
        (answer(" \n\t"), FailureKind.EMPTY, "without any text"),
        (answer("```markdown\n\n```"), FailureKind.EMPTY, "empty code block"),
        (error(401, "bad key"), FailureKind.AUTH, "bad key"),
        (error(403, "no access"), FailureKind.AUTH, "no access"),
        (error(400, "image too large"), FailureKind.BAD_REQUEST, "image too large"),
        (error(404, "no such model"), FailureKind.BAD_REQUEST, "no such model"),
    ],
)
def test_read_when_asking_again_is_no_use_then_one_request_and_the_raw_answer(
    step: Step, kind: FailureKind, word: str
) -> None:
    sleeps = Sleeps()
    with OpenAIServer(step) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.attempts, server.count, sleeps) == (kind, 1, 1, [])
    assert word in failed.message
    assert failed.raw == step.body.decode()


def test_read_when_slow_then_timeout_after_the_recognisers_own_time() -> None:
    started = time.monotonic()
    with OpenAIServer([answer("late", delay_s=2), answer("in time")]) as server:
        reading = recogniser(server, settings={"timeout_s": 0.3}).read(png())
    assert (reading.text, reading.attempts) == ("in time", 2)
    assert time.monotonic() - started < 2


def test_read_when_answer_drips_then_timeout_though_every_byte_is_in_time() -> None:
    with OpenAIServer(answer("d" * 400, drip_s=0.05)) as server:
        failed = failure_of(server, settings={"timeout_s": 0.4})
    assert (failed.kind, failed.attempts) == (FailureKind.TIMEOUT, 4)


@pytest.mark.parametrize(("asked", "waited"), [("30", 30), ("1", 5), ("2.5", 5), ("soon", 5)])
def test_read_when_retry_after_is_given_then_waits_at_least_that_long(asked: str, waited: float) -> None:
    sleeps = Sleeps()
    with OpenAIServer([refuse(retry_after=asked), answer("x")]) as server:
        recogniser(server, sleeps).read(png())
    assert sleeps == [waited]


def test_read_when_retry_after_is_a_date_then_waits_until_it() -> None:
    sleeps = Sleeps()
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    with OpenAIServer([refuse(retry_after=moment), answer("x")]) as server:
        recogniser(server, sleeps).read(png())
    assert 55 < sleeps[0] <= 60


def test_read_when_retry_after_is_an_hour_then_fails_now_and_tells_the_wait() -> None:
    sleeps = Sleeps()
    with OpenAIServer(refuse(retry_after="3600")) as server:
        failed = failure_of(server, sleeps)
    assert (failed.kind, failed.retry_after_s, sleeps, server.count) == (FailureKind.REFUSED, 3600, [], 1)


def test_read_when_temperature_is_refused_then_dropped_recorded_and_no_wait() -> None:
    sleeps = Sleeps()
    with OpenAIServer(refuses_parameter("temperature", answer("x"))) as server:
        reading = recogniser(server, sleeps).read(png())
    assert reading.dropped_parameters == ("temperature",)
    assert reading.parameters == {"max_tokens": 8192}
    assert (reading.attempts, sleeps) == (2, [])


def test_read_when_max_tokens_is_refused_then_max_completion_tokens_instead() -> None:
    with OpenAIServer(refuses_parameter("max_tokens", answer("x"))) as server:
        reading = recogniser(server).read(png())
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
        reading = recogniser(server).read(png())
    assert reading.parameters == {}
    assert reading.dropped_parameters == ("temperature", "max_tokens", "max_completion_tokens")


def test_read_when_only_the_value_is_refused_then_a_failure_and_nothing_dropped() -> None:
    with OpenAIServer(error(400, "max_tokens is too large: at most 4096", param="max_tokens")) as server:
        failed = failure_of(server)
    assert (failed.kind, failed.dropped_parameters) == (FailureKind.BAD_REQUEST, ())
    assert failed.parameters["max_tokens"] == 8192


def test_read_when_fenced_then_text_without_fence_and_raw_with_it() -> None:
    with OpenAIServer(answer("```markdown\nDear Ann,\n```")) as server:
        reading = recogniser(server).read(png())
    assert reading.text == "Dear Ann,"
    assert "```markdown" in reading.raw


def test_read_when_stopped_at_the_token_limit_then_says_it_is_cut_off() -> None:
    with OpenAIServer(answer("half a", finish_reason="length")) as server:
        assert recogniser(server).read(png()).is_cut_off


def test_key_when_named_then_read_from_the_environment_and_hidden_from_failures() -> None:
    keyed = {"environ": {"EYE_KEY": "sk-very-secret"}, "settings": {"api_key_variable": "EYE_KEY"}}
    with OpenAIServer(error(401, "Incorrect API key provided: sk-very-secret")) as server:
        failed = failure_of(server, **keyed)
    assert server.requests[0].headers["authorization"] == "Bearer sk-very-secret"
    assert "sk-very-secret" not in f"{failed}{failed.raw}{failed.parameters}"
    assert "[key]" in failed.raw


def test_key_when_its_variable_is_not_set_then_auth_failure_naming_it_and_no_request() -> None:
    with OpenAIServer(answer("x")) as server:
        failed = failure_of(server, settings={"api_key_variable": "EYE_KEY"})
    assert (failed.kind, failed.attempts, server.count) == (FailureKind.AUTH, 0, 0)
    assert "EYE_KEY" in failed.message


def test_environment_when_it_holds_a_vendors_account_then_none_of_it_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "account-of-someone")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Tenant: account-of-someone")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with OpenAIServer(answer("x")) as server:
        recogniser(server).read(png())
    assert "authorization" not in server.requests[0].headers
    assert "account-of-someone" not in str(server.requests[0].headers)


def test_address_when_loopback_is_not_allowed_then_refused_and_no_request() -> None:
    with OpenAIServer(answer("x")) as server:
        failed = failure_of(server, policy=AddressPolicy())
    assert (failed.kind, failed.attempts, server.count) == (FailureKind.ADDRESS_REFUSED, 0, 0)


def test_address_when_a_public_name_leads_here_then_refused_and_no_request() -> None:
    with OpenAIServer(answer("x")) as server:
        fake = AddressPolicy(resolve=lambda host, port: ("127.0.0.1",))
        url = f"http://api.example.com:{server.port}/v1"
        failed = failure_of(server, policy=fake, settings={"base_url": url})
    assert (failed.kind, server.count) == (FailureKind.ADDRESS_REFUSED, 0)


def test_address_when_the_name_moves_after_the_check_then_refused_at_the_connection() -> None:
    answers = iter(["93.184.215.14"])

    def rebinding(host: str, port: int) -> tuple[str, ...]:
        return (next(answers, "127.0.0.1"),)

    with OpenAIServer(answer("x")) as server:
        url = f"http://api.example.com:{server.port}/v1"
        failed = failure_of(server, policy=AddressPolicy(resolve=rebinding), settings={"base_url": url})
    assert (failed.kind, server.count) == (FailureKind.ADDRESS_REFUSED, 0)


def test_address_when_a_name_is_allowed_then_connects_to_it_and_keeps_the_name() -> None:
    with OpenAIServer(answer("x")) as server:
        listed = AddressPolicy(allowed=("model.lan",), resolve=lambda host, port: ("127.0.0.1",))
        url = f"http://model.lan:{server.port}/v1"
        recogniser(server, policy=listed, settings={"base_url": url}).read(png())
    assert server.requests[0].headers["host"] == f"model.lan:{server.port}"


def test_address_when_the_first_takes_no_connection_then_the_next_is_tried() -> None:
    with OpenAIServer(answer("x")) as server:
        listed = AddressPolicy(allowed=("model.lan",), resolve=lambda host, port: ("::1", "127.0.0.1"))
        url = f"http://model.lan:{server.port}/v1"
        reading = recogniser(server, policy=listed, settings={"base_url": url}).read(png())
    assert (reading.text, reading.attempts) == ("x", 1)


@pytest.mark.parametrize(("name", "is_trusted"), [("model.lan", True), ("other.lan", False)])
def test_certificate_when_checked_then_against_the_name_and_not_the_address(
    monkeypatch: pytest.MonkeyPatch, name: str, is_trusted: bool
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    listed = AddressPolicy(allowed=(name,), resolve=lambda host, port: ("127.0.0.1",))
    with OpenAIServer(answer("x"), certificate=CERTIFICATE) as server:
        url = {"base_url": f"https://{name}:{server.port}/v1"}
        if is_trusted:
            assert recogniser(server, policy=listed, settings=url).read(png()).text == "x"
        else:
            failed = failure_of(server, policy=listed, settings=url)
            assert (failed.kind, server.count) == (FailureKind.UNREACHABLE, 0)
            assert "certificate" in failed.message


def test_redirect_when_answered_then_not_followed() -> None:
    with OpenAIServer(answer("secret")) as inner, OpenAIServer(redirect(f"{inner.base_url}/x")) as server:
        failed = failure_of(server)
        assert (failed.kind, server.count, inner.count) == (FailureKind.BAD_REQUEST, 1, 0)
    assert "redirect" in failed.message


def test_read_when_nothing_listens_then_unreachable() -> None:
    with OpenAIServer(answer("x")) as server:
        pass
    failed = failure_of(server)
    assert (failed.kind, failed.attempts) == (FailureKind.UNREACHABLE, 4)


@pytest.mark.parametrize(
    ("picture", "word"),
    [(b"", "not a PNG"), (b"GIF89a", "not a PNG"), (png(4001, 2), "4001 x 2")],
)
def test_picture_when_unfit_then_bad_image_and_no_request(picture: bytes, word: str) -> None:
    with OpenAIServer(answer("x")) as server, pytest.raises(RecogniserFailed, match=word) as caught:
        recogniser(server).read(picture)
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
    assert strip_fence(answered) == text


def test_answer_when_the_sample_is_a_table_then_its_canonical_html_or_a_failure_with_the_raw_answer() -> None:
    fenced = "```html\n<table border=1><tr><td>a<td>b</table>\n```"
    with OpenAIServer([answer(fenced), answer("I see no table.")]) as server:
        reading = recogniser(server, structure="table").read(png())
        failed = failure_of(server, structure="table")
    assert reading.text == "<table><tr><td>a</td><td>b</td></tr></table>"
    assert failed.kind == FailureKind.GARBAGE and "no <table>" in failed.message
    assert "I see no table." in failed.raw


def test_answer_when_the_sample_is_formulas_then_each_is_a_line() -> None:
    with OpenAIServer([answer("$$a$$\n$$b$$"), answer("Nothing.")]) as server:
        reading = recogniser(server, structure="formula").read(png())
        failed = failure_of(server, structure="formula")
    assert [line.text for line in reading.lines] == ["a", "b"]
    assert failed.kind == FailureKind.GARBAGE
