"""Assertions on undefined scores."""

from __future__ import annotations

from evaluation.metrics.base import Score, ScoreStatus


def assert_undefined(score: Score, n: int, words: str) -> None:
    assert (score.value, score.status, score.n) == (None, ScoreStatus.UNDEFINED, n)
    assert words in score.reason
