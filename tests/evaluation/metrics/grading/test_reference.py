"""Comparison with the reference program, on its vectors and on real replies of models."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from evaluation.metrics.grading import (
    UnreadableReply,
    parse_prediction,
)
from evaluation.metrics.grading.reference import reference_scores
from evaluation.metrics.grading.scoring import (
    grade_accuracy_corpus,
    grade_errors_corpus,
)
from tests.evaluation.metrics.grading.rows import HAND_MADE, VECTORS, needs_shared, read_jsonl


def differences(figures: Any, expected: Any, where: str = "") -> list[str]:
    if isinstance(expected, dict):
        keys = [f"{where}: keys {set(figures) ^ set(expected)}"] if set(figures) != set(expected) else []
        return keys + [
            line
            for key in expected
            for line in differences(figures.get(key), expected[key], f"{where}/{key}")
        ]
    return (
        []
        if figures is not None and abs(figures - expected) <= 1e-9
        else [f"{where}: {figures} instead of {expected}"]
    )


@pytest.mark.parametrize("row", read_jsonl(HAND_MADE), ids=lambda row: row["id"])
def test_reference_scores_when_hand_made_rows_then_equal_the_evaluator(row: dict[str, Any]) -> None:
    assert differences(reference_scores(row["rows"], row["taxonomy"]), row["scores"]) == []


@needs_shared
def test_reference_scores_when_all_vectors_then_every_figure_is_equal() -> None:
    rows = read_jsonl(VECTORS / "metrics.jsonl")
    wrong = [
        f"{row['id']}{line}"
        for row in rows
        for line in differences(reference_scores(row["rows"], row["taxonomy"]), row["scores"])
    ]
    assert len(rows) == 34
    assert wrong == []


@needs_shared
def test_parse_prediction_when_real_replies_then_both_presets_read_the_same_and_one_is_empty() -> None:
    replies = [row["response"] for row in read_jsonl(VECTORS / "answers.jsonl")]
    unreadable = [reply for reply in replies if isinstance(parse_prediction(reply), UnreadableReply)]
    assert unreadable == [""]
    assert all(parse_prediction(r) == parse_prediction(r, preset="sketchjudge") for r in replies if r)


@needs_shared
def test_parse_prediction_when_real_replies_are_wrapped_then_inkbench_still_reads_the_same() -> None:
    for row in read_jsonl(VECTORS / "answers.jsonl")[::10]:
        reply = row["response"]
        if not reply:
            continue
        thought = '<think>maybe {"is_correct": true} or {x}</think>'
        wrapped = f"{thought} Here:\n```json\n{reply}\n```\nDone {{"
        assert parse_prediction(wrapped) == parse_prediction(reply)
        assert isinstance(parse_prediction(wrapped, preset="sketchjudge"), UnreadableReply)


@needs_shared
def test_grade_corpus_when_vector_rows_then_equals_the_report() -> None:
    vector = next(row for row in read_jsonl(VECTORS / "metrics.jsonl") if len(row["rows"]) > 1000)
    pairs = []
    for row in vector["rows"]:
        gold = {"domain": row["gold"]["category"], **row["gold"]}
        pairs.append((row["response"], json.dumps(gold)))
    random.Random(1).shuffle(pairs)
    accuracy = grade_accuracy_corpus(pairs, preset="sketchjudge").value
    assert accuracy == pytest.approx(vector["scores"]["binary"]["Accuracy"], abs=1e-9)
    errors = grade_errors_corpus(pairs, preset="sketchjudge").value
    assert errors == pytest.approx(vector["scores"]["errors_strict"]["F1e_example"], abs=1e-9)
