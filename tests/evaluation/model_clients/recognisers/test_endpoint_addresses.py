"""The endpoint recogniser and addresses: private ones are refused whatever name leads there."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.failures import FailureKind
from tests.evaluation.model_clients.recognisers.endpoint_helpers import failure_of, png, recogniser
from tests.openai_server import (
    OpenAIServer,
    answer,
    redirect,
)

CERTIFICATE = Path(__file__).parents[3] / "data" / "model.lan.pem"  # made for these tests, trusted nowhere


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
        recogniser(server, policy=listed, settings={"base_url": url}).recognise(png())
    assert server.requests[0].headers["host"] == f"model.lan:{server.port}"


def test_address_when_the_first_takes_no_connection_then_the_next_is_tried() -> None:
    with OpenAIServer(answer("x")) as server:
        listed = AddressPolicy(allowed=("model.lan",), resolve=lambda host, port: ("::1", "127.0.0.1"))
        url = f"http://model.lan:{server.port}/v1"
        reading = recogniser(server, policy=listed, settings={"base_url": url}).recognise(png())
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
            assert recogniser(server, policy=listed, settings=url).recognise(png()).text == "x"
        else:
            failed = failure_of(server, policy=listed, settings=url)
            assert (failed.kind, server.count) == (FailureKind.UNREACHABLE, 0)
            assert "certificate" in str(failed.reason)


def test_redirect_when_answered_then_not_followed() -> None:
    with OpenAIServer(answer("secret")) as inner, OpenAIServer(redirect(f"{inner.base_url}/x")) as server:
        failed = failure_of(server)
        assert (failed.kind, server.count, inner.count) == (FailureKind.BAD_REQUEST, 1, 0)
    assert "redirect" in str(failed.reason)
