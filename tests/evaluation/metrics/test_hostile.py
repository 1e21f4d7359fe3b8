"""Input meant to break or stall the text metrics: bounded time, bounded memory, a clear status."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.bundles import ScoringSample, bundle_names, score_samples
from evaluation.metrics.normalise import normalise, preset_names
from evaluation.metrics.string_metric import STRING_METRICS, score_pair
from evaluation.predictions import Text

MILLION = 1_000_000


@contextmanager
def within(cpu_seconds: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < cpu_seconds


LINES = {
    "letters": "a" * MILLION,
    "punctuation": "a." * (MILLION // 2),
    "lone dollars": "$ \n" * (MILLION // 3),
    "open parentheses": "\\(" * (MILLION // 2),
    "backslashes": "\\" * MILLION,
    "blanks": " " * (MILLION - 1) + "x",
    "blank lines": "\n \n" * (MILLION // 3),
    "fences": "```\n" * (MILLION // 4),
    "fence and blanks": "```" + " " * MILLION + "x y",
    "circle and blanks": "\\textcircled{" + " " * MILLION + "x",
    "tags": "<text>" + "</text> " * (MILLION // 8),
    "ticks": "`" * MILLION,
    "accents": "e" + "\u0301" * MILLION,
    "circled": "\\textcircled{" * (MILLION // 13),
    "surrogates": "\ud800" * MILLION,
    "nuls": "\x00" * MILLION,
    "bidi": "\u202e\u2066" * (MILLION // 2),
    "entities": "&lol9;" * (MILLION // 6),
    "masks": "⟦masked" * (MILLION // 7),
    "deep braces": "$" + "{\\a" * 10_000 + "}" * 10_000 + "$",
    "deep fractions": "$" + "\\frac{" * 10_000 + "$",
}


@pytest.mark.parametrize("name", LINES)
def test_normalising_when_a_megabyte_is_hostile_then_takes_seconds(name: str) -> None:
    for preset in ("inkbench-1", "omnidocbench-1.5", "omnidocbench-1.6", "none", "jiwer"):
        with within(4):
            normalise(LINES[name], preset=preset)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("bundle", bundle_names())
def test_scoring_when_a_megabyte_is_hostile_then_ends_with_a_status(name: str, bundle: str) -> None:
    with within(15):
        report = score_samples(
            [ScoringSample("1", "text", Text(LINES[name]), Text("the gold text"), "en")], bundle=bundle
        )
    for score in report.scores.values():
        assert score.n >= 1
        assert score.value is None or score.value >= 0


@pytest.mark.parametrize("depth", [10, 100, 1_000, 10_000])
def test_inline_maths_when_nested_deep_then_same_from_any_stack_depth(depth: int) -> None:
    text = "$" + "\\frac{" * depth + "x" + "}{2}" * depth + "$"

    def from_below(frames: int) -> str:
        return from_below(frames - 1) if frames else normalise(text, preset="omnidocbench-1.5")

    with within(10):
        assert from_below(600) == from_below(0)


def test_much_inline_maths_when_over_the_limit_then_too_large_and_named() -> None:
    prediction = "$x^2$ " * 20_000
    with within(5):
        score = score_pair(STRING_METRICS["edit"], prediction, "x", "omnidocbench-1.5")
    assert (score.value, score.status) == (None, ScoreStatus.TOO_LARGE)
    assert "MAX_MATHS" in score.reason
    assert score_pair(STRING_METRICS["edit"], prediction, "x", "inkbench-1").status is ScoreStatus.SCORED


def test_two_huge_texts_when_compared_then_too_large_not_approximated() -> None:
    text, other = "ab" * MILLION, "ba" * MILLION
    with within(5):
        score = score_pair(STRING_METRICS["edit"], text, other, "none")
    assert (score.value, score.status) == (None, ScoreStatus.TOO_LARGE)
    assert "MAX_CELLS" in score.reason
    assert score_pair(STRING_METRICS["edit"], text, text, "none").value == 0


@pytest.mark.parametrize("preset", preset_names())
def test_hundred_megabytes_when_in_one_line_then_bounded(preset: str) -> None:
    line = "x" * (100 * MILLION)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    metrics = [metric for metric in STRING_METRICS.values() if preset in metric.presets]
    with within(20):
        scores = [score_pair(metric, line, "the gold text", preset) for metric in metrics]
    assert {score.status for score in scores} == {ScoreStatus.TOO_LARGE}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_500_000  # kB


def test_ten_megabytes_of_tokens_when_asked_for_then_too_large_and_named() -> None:
    with within(10):
        score = score_pair(STRING_METRICS["bleu"], "a " * (5 * MILLION), "the gold text", "inkbench-1")
    assert (score.value, score.status) == (None, ScoreStatus.TOO_LARGE)
    assert "MAX_TOKENISED" in score.reason
