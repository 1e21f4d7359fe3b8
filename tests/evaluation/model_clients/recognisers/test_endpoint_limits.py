"""The endpoint recogniser when a reply is too long: as it is sent, as it unpacks, as it is stored."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest

from evaluation.model_clients.endpoint_settings import ReplyLimits
from evaluation.model_clients.failures import FailureKind
from tests.evaluation.model_clients.recognisers.endpoint_helpers import Sleeps, failure_of, png, recogniser
from tests.openai_server import OpenAIServer, Step, answer, error, garbage

BOMB_BYTES = 64 * 2**20
SMALL = ReplyLimits(reply_bytes=20_000, answer_bytes=2_000, raw_bytes=1_000)


def packed(coding: str, body: bytes) -> Step:
    pack = {"gzip": gzip.compress, "deflate": zlib.compress}.get(coding, bytes)
    return Step(body=pack(body), headers={"Content-Encoding": coding})


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_read_when_a_small_reply_unpacks_to_a_huge_one_then_reading_stops_at_the_limit(coding: str) -> None:
    bomb = packed(coding, bytes(BOMB_BYTES))
    sleeps = Sleeps()
    with OpenAIServer(bomb) as server:
        failure_of(server, settings={"limits": SMALL})  # what is imported on first use is not counted
        tracemalloc.start()
        failed = failure_of(server, sleeps)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(bomb.body) < 100_000
    assert (failed.kind, failed.attempts, sleeps) == (FailureKind.GARBAGE, 1, [])
    assert f"longer than {ReplyLimits().reply_bytes} bytes" in str(failed.reason)
    assert peak < ReplyLimits().reply_bytes + 8 * 2**20


def test_read_when_the_reply_is_sent_packed_then_it_is_read() -> None:
    with OpenAIServer(packed("gzip", answer("Dear Ann,").body)) as server:
        assert recogniser(server).recognise(png()).text == "Dear Ann,"


@pytest.mark.parametrize(
    ("step", "word"),
    [
        (packed("br", b"x"), "not asked for"),
        (packed("gzip, gzip", b"x"), "not asked for"),
        (Step(body=b"no gzip", headers={"Content-Encoding": "gzip"}), "cannot be unpacked"),
    ],
)
def test_read_when_the_reply_cannot_be_unpacked_then_one_request_and_the_reason(
    step: Step, word: str
) -> None:
    with OpenAIServer(step) as server:
        failed = failure_of(server)
    assert (failed.kind, failed.attempts) == (FailureKind.GARBAGE, 1)
    assert word in str(failed.reason)


@pytest.mark.parametrize("status", [200, 500])
def test_read_when_the_content_type_names_a_codec_that_unpacks_then_it_is_not_used(status: int) -> None:
    body = zlib.compress(bytes(BOMB_BYTES))
    headers = {"Content-Type": "application/json; charset=zlib_codec"}
    with OpenAIServer(Step(status=status, body=body, headers=headers)) as server:
        failure_of(server, settings={"limits": SMALL})
        tracemalloc.start()
        failed = failure_of(server)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert failed.kind is (FailureKind.GARBAGE if status == 200 else FailureKind.SERVER_ERROR)
    assert peak < 8 * 2**20


@pytest.mark.parametrize("status", [200, 400])
def test_read_when_the_reply_is_longer_than_is_read_then_the_error_says_so(status: int) -> None:
    with OpenAIServer(Step(status=status, body=b"x" * 20_001)) as server:
        failed = failure_of(server, settings={"limits": SMALL})
    assert (failed.kind, failed.attempts, failed.raw) == (FailureKind.GARBAGE, 1, "")
    assert "longer than 20000 bytes" in str(failed.reason)


def test_read_when_the_text_is_longer_than_is_stored_then_a_failure_and_never_a_shortened_text() -> None:
    with OpenAIServer([answer("\u4e00" * 666), answer("\u4e00" * 667)]) as server:
        assert recogniser(server, settings={"limits": SMALL}).recognise(png()).text == "\u4e00" * 666
        failed = failure_of(server, settings={"limits": SMALL})
    assert (failed.kind, failed.attempts) == (FailureKind.GARBAGE, 1)
    assert "2001 bytes" in str(failed.reason) and "2000" in str(failed.reason)


@pytest.mark.parametrize("step", [garbage(b"<" * 5_000), error(400, "m" * 5_000)])
def test_read_when_a_failed_reply_is_long_then_it_is_kept_with_a_mark_where_it_was_cut(step: Step) -> None:
    with OpenAIServer(step) as server:
        failed = failure_of(server, settings={"limits": SMALL})
    kept, _, mark = failed.raw.rpartition("\n")
    assert len(kept) == 1_000
    assert mark == f"[cut: 1000 of {len(step.body)} bytes are kept]"
    assert len(str(failed.reason)) < 500


def test_read_when_the_reply_is_nested_without_end_then_it_is_no_chat_completion() -> None:
    with OpenAIServer(garbage(b"[" * 500_000)) as server:
        failed = failure_of(server)
    assert (failed.kind, failed.attempts) == (FailureKind.GARBAGE, 1)


def test_read_when_the_endpoint_names_its_model_at_length_then_the_name_is_shortened() -> None:
    with OpenAIServer(answer("Dear Ann,", model="m" * 5_000)) as server:
        assert recogniser(server).recognise(png()).version == "m" * 200


def test_read_when_the_model_refuses_at_length_then_its_words_are_shortened() -> None:
    body = b'{"choices": [{"message": {"content": null, "refusal": "%s"}}]}' % (b"no " * 2_000)
    with OpenAIServer(Step(body=body)) as server:
        failed = failure_of(server)
    assert failed.kind is FailureKind.EMPTY
    assert len(str(failed.reason)) < 400
