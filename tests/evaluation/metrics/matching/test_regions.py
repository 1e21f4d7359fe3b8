"""Predictions keyed by region are matched by region id, and only by it."""

from __future__ import annotations

import pytest

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching import (
    BlockKind,
    GoldBlock,
    UnreadablePrediction,
    match_page,
    match_regions,
    read_region_predictions,
)
from evaluation.metrics.matching.extract import MAX_PAGE

GOLD = [GoldBlock("r1", BlockKind.FORMULA, "x^2"), GoldBlock("r2", BlockKind.FORMULA, "y_1")]


def test_predictions_when_swapped_then_not_corrected() -> None:
    match = match_regions({"r1": "y_1", "r2": "x^2"}, GOLD)
    assert match.pairs(BlockKind.FORMULA) == [("y_1", "x^2"), ("x^2", "y_1")]
    assert all(pair.distance > 0 for pair in match.matches)


def test_region_when_not_predicted_then_missing_and_when_empty_then_answered() -> None:
    assert match_regions({"r2": ""}, GOLD).pairs(BlockKind.FORMULA) == [(None, "x^2"), ("", "y_1")]


def test_prediction_when_for_no_region_then_left_over_by_name() -> None:
    match = match_regions({"r1": "x^2", "r2": "y_1", "r7": "z"}, GOLD)
    assert [(block.name, block.content) for block in match.extra] == [("r7", "z")]


def test_region_when_ignored_then_no_score() -> None:
    match = match_regions({"n": "7"}, [GoldBlock("n", BlockKind.TEXT, "7", is_ignored=True)])
    assert (match.matches, len(match.ignored)) == ((), 1)


def test_json_when_given_as_text_then_read() -> None:
    match = match_page('```json\n{"r1": "x^2", "r2": "y_1"}\n```', GOLD, preset="by-region")
    assert {pair.distance for pair in match.matches} == {0.0}


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("x^2", "not JSON"),
        ('["x^2"]', "not a list"),
        ('{"r1": 2}', "region 'r1'"),
        ("[" * 100_000, "not JSON"),
        ('{"r1": "\\ud800"', "not JSON"),
    ],
)
def test_json_when_unreadable_then_the_place_is_named(answer: str, complaint: str) -> None:
    with pytest.raises(UnreadablePrediction, match=complaint):
        read_region_predictions(answer)


def test_json_when_over_the_limit_then_refused() -> None:
    with pytest.raises(TooLarge, match="MAX_PAGE"):
        read_region_predictions(" " * (MAX_PAGE + 1))


def test_mapping_when_the_preset_reads_pages_then_rejected() -> None:
    with pytest.raises(ValueError, match="not predictions by region"):
        match_page({"r1": "x"}, GOLD)
