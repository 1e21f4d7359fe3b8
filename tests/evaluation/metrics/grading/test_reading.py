"""Parsing of replies and rows: forms of verdicts, matching of labels, incomplete gold."""

from __future__ import annotations

import time

import pytest

from evaluation.metrics.grading import (
    GraderPrediction,
    InvalidGradingRow,
    UnreadableReply,
    parse_prediction,
    read_row,
    read_rows,
)
from evaluation.metrics.grading.labels import match_label
from evaluation.metrics.grading.predictions import MAX_CHARACTERS
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy, label_id


@pytest.mark.parametrize(
    ("reply", "bare", "last"),
    [
        ('{"is_correct": true}', True, True),
        ('```json\n{"is_correct": true}\n```', None, True),
        ('{"is_correct": true} {"is_correct": false}', None, False),
        ('{"is_correct": false, "error_list": [{"is_correct": true}]}', False, False),
        ('{"is_correct": true} {"note": 1}', None, True),
        ('{"is_correct": true} {"is_correct": fal', None, True),
        ('{"answer": {"is_correct": true}}', None, None),
        ('{"is_correct": "true"}', None, None),
        ('{"is_correct": 1}', None, None),
        ('{"is_correct": null}', None, None),
        ("[true]", None, None),
        ("", None, None),
        ("The drawing is correct.", None, None),
        ('{"is_correct": true, "error_count": true}', True, True),
        ('{"is_correct": true, "error_count": "0"}', None, True),
        ('{"is_correct": true, "error_count": 0.0}', None, True),
        ('{"is_correct": true, "error_list": null}', None, True),
        ('{"is_correct": true, "error_list": {}}', None, True),
        ('{"is_correct": true, "error_list": "none"}', None, None),
        ('{"is_correct": true, "is_correct": false}', False, False),
        ('\ufeff{"is_correct": true}', None, True),
        ('{"is_correct": true, "n": ' + "9" * 5000 + "}", None, None),
        ('\\{"is_correct": true}', None, True),
    ],
)
def test_parse_prediction_when_form_varies_then_each_preset_decides_as_documented(
    reply: str, bare: bool | None, last: bool | None
) -> None:
    for preset, expected in (("sketchjudge", bare), ("inkbench-1", last)):
        grade = parse_prediction(reply, preset=preset)
        assert (grade.is_correct if isinstance(grade, GraderPrediction) else None) is expected, preset


def test_parse_prediction_when_preset_is_unknown_then_the_known_ones_are_named() -> None:
    with pytest.raises(ValueError, match="inkbench-1, sketchjudge"):
        parse_prediction("{}", preset="strict")


@pytest.mark.parametrize(
    "reply",
    [
        '{"a":' * 200_000,
        "{" * 1_000_000,
        '{"a":[' * 160_000,
        ('{"a":[' + "1," * 400) * 1200,
        "{\ud800\x00\u202e" * 10_000,
        "x" * (MAX_CHARACTERS + 1),
        '{"is_correct": true, "error_list": ' + "[" * 100_000,
    ],
)
def test_parse_prediction_when_hostile_then_unreadable_with_a_reason_in_bounded_time(reply: str) -> None:
    started = time.process_time()
    grade = parse_prediction(reply)
    assert isinstance(grade, UnreadableReply)
    assert grade.reason
    assert time.process_time() - started < 5


def test_match_label_when_near_then_matched_and_when_far_then_unknown() -> None:
    near = match_label("flowchart", "Connection Er", taxonomy=DIAGRAM_TAXONOMY)
    assert near == "flowchart::connection error"
    assert match_label("flowchart", "Wrong arrow", taxonomy=DIAGRAM_TAXONOMY) is None
    assert match_label("chart", "  ", taxonomy=DIAGRAM_TAXONOMY) is None
    assert match_label("biology", "Connection Error", taxonomy=DIAGRAM_TAXONOMY) is None


def test_match_label_when_two_types_are_equally_near_then_the_first_wins() -> None:
    names = ["Alpha Error A", "Alpha Error B"]
    for order in (names, names[::-1]):
        taxonomy = Taxonomy.from_mapping({"d": order})
        assert match_label("d", "Alpha Error", taxonomy=taxonomy) == label_id("d", order[0])


def test_read_row_when_gold_verdict_is_missing_then_named_or_skipped_by_preset() -> None:
    row = {"answer_id": "a", "gold": {"category": "chart"}, "response": "{}"}
    with pytest.raises(InvalidGradingRow, match=r"a, gold.is_correct: must be true or false"):
        read_rows([row])
    rows, skipped = read_rows([row], preset="sketchjudge")
    assert (rows, skipped[0].kind) == ([], "missing_field")


def test_read_row_when_gold_types_are_plain_names_then_read_and_oddities_passed_over() -> None:
    gold = {"subject": "chart", "is_correct": False, "error_types": ["Omission Error", 3, " "]}
    row = read_row({"answer_id": "a", "gold": gold, "response": None})
    assert (row.domain, row.error_names) == ("chart", ("Omission Error",))
