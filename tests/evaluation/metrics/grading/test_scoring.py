"""One sample at a time, as the registry asks for it."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from evaluation.metrics import registry
from evaluation.metrics.aggregation import Average
from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.grading.predictions import MAX_CHARACTERS
from evaluation.metrics.grading.scoring import (
    grade_accuracy,
    grade_accuracy_corpus,
    grade_errors,
)
from evaluation.predictions import Failed

GOLD = '{"domain": "chart", "is_correct": false, "error_list": [{"error_type": "Omission Error"}]}'
NAMED = '{"is_correct": false, "error_list": [{"error_type": "omission-error"}]}'


@pytest.mark.parametrize(
    ("prediction", "value", "status"),
    [
        (NAMED, 1.0, ScoreStatus.SCORED),
        ('{"is_correct": true}', 0.0, ScoreStatus.SCORED),
        ("no JSON", 0.0, ScoreStatus.INVALID_PREDICTION),
        ("", 0.0, ScoreStatus.SCORED),
        (None, 0.0, ScoreStatus.MISSING),
        (Failed("timeout"), 0.0, ScoreStatus.FAILED),
    ],
)
def test_grade_accuracy_when_reply_is_missing_or_odd_then_wrong_with_a_reason(
    prediction: str | None, value: float, status: ScoreStatus
) -> None:
    score = grade_accuracy(prediction, GOLD)
    assert (score.value, score.status) == (value, status)
    expected = ScoreStatus.SCORED if prediction == NAMED else ScoreStatus.NOT_APPLICABLE
    assert grade_errors(prediction, GOLD).status is expected


def test_grade_accuracy_when_gold_is_broken_or_absent_then_no_number() -> None:
    assert grade_accuracy(NAMED, '{"domain": "chart"}').status is ScoreStatus.INVALID_REFERENCE
    assert grade_errors(NAMED, '{"domain": "chart"}').status is ScoreStatus.INVALID_REFERENCE
    assert grade_accuracy(NAMED, None).status is ScoreStatus.NOT_APPLICABLE


def test_grade_accuracy_when_reply_runs_away_then_too_large_and_it_costs() -> None:
    runaway = '{"is_correct": false}' + " " * MAX_CHARACTERS
    score = grade_accuracy(runaway, GOLD)
    assert (score.value, score.status) == (None, ScoreStatus.TOO_LARGE)
    assert grade_accuracy_corpus([(NAMED, GOLD), (runaway, GOLD)]).value == 0.5
    assert grade_accuracy(runaway, GOLD, preset="sketchjudge").value == 1.0


def test_grade_accuracy_corpus_when_replies_are_missing_then_each_preset_counts_as_documented() -> None:
    pairs = [(NAMED, GOLD), (None, GOLD), ("?", GOLD)]
    inkbench, sketchjudge = grade_accuracy_corpus(pairs), grade_accuracy_corpus(pairs, preset="sketchjudge")
    assert (inkbench.value, inkbench.n, inkbench.n_failed) == (pytest.approx(1 / 3), 3, 2)
    assert (sketchjudge.value, sketchjudge.n) == (1.0, 1)


@pytest.mark.parametrize("name", ["grade_accuracy", "grade_errors"])
def test_registry_when_asked_for_a_grading_metric_then_its_accumulator_gives_the_corpus_score(
    name: str,
) -> None:
    spec = registry.get(name)
    pairs = [(NAMED, GOLD), (None, GOLD), ('{"is_correct": true}', GOLD)]
    for preset in spec.presets:
        accumulator = spec.make_accumulator(preset).add_all(
            spec.sample(*pair, preset=preset) for pair in pairs
        )
        assert accumulator.score(Average(spec.average)) == spec.corpus(pairs, preset=preset)
    assert (spec.kinds, spec.presets[0]) == ({"grade"}, "inkbench-1")


def test_page_when_its_examples_run_then_as_printed() -> None:
    page = Path(__file__).parents[4] / "docs" / "metrics" / "grading.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted
    assert not failed
