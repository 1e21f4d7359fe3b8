"""Scores of verdicts and of named errors."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, hamming_loss, matthews_corrcoef

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.grading import (
    ConfusionMatrix,
    Judgement,
    count_errors,
    error_scores,
    grade_report,
    verdict_scores,
)
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY
from tests.evaluation.metrics.grading.rows import ACCURACY, OMISSION, judgements, row


def test_grade_report_when_verdict_is_missing_then_wrong_here_and_left_out_there() -> None:
    said = '{"is_correct": true}'
    rows = [row("a", True, said), row("b", True, None), row("c", False, "", "Omission Error")]
    inkbench, sketchjudge = grade_report(rows), grade_report(rows, preset="sketchjudge")
    assert (inkbench.confusion.tp, inkbench.confusion.fn, inkbench.confusion.fp) == (1, 1, 1)
    assert inkbench.verdicts["accuracy"].value == pytest.approx(1 / 3)
    assert inkbench.verdicts["accuracy"].n_failed == 2
    assert [failure.answer_id for failure in inkbench.failures] == ["b", "c"]
    assert sketchjudge.verdicts["accuracy"].value == 1.0
    assert [skipped.kind for skipped in sketchjudge.skipped] == ["parse_fail", "parse_fail"]


def test_grade_report_when_answering_only_the_easy_then_inkbench_is_not_fooled() -> None:
    honest = [row(str(i), True, json.dumps({"is_correct": i < 6})) for i in range(10)]
    picky = [row(str(i), True, json.dumps({"is_correct": True}) if i < 6 else "?") for i in range(10)]
    assert grade_report(picky).verdicts["accuracy"].value == grade_report(honest).verdicts["accuracy"].value
    assert grade_report(picky, preset="sketchjudge").verdicts["accuracy"].value == 1.0


def test_grade_report_when_an_answer_comes_twice_then_rejected_with_its_id() -> None:
    rows = [row("a", True, "{}"), row("a", True, "{}")]
    with pytest.raises(ValueError, match="'a' comes twice"):
        grade_report(rows)
    assert grade_report(rows, preset="sketchjudge").n_rows == 2


def test_grade_report_when_nothing_submitted_then_reasons_not_zeros() -> None:
    empty = grade_report([])
    for score in (*empty.verdicts.values(), *empty.errors_strict.values()):
        assert (score.value, score.status) == (None, ScoreStatus.UNDEFINED)
        assert score.reason
    sketchjudge = grade_report([], preset="sketchjudge")
    assert all(
        score.value == 0 for score in (*sketchjudge.verdicts.values(), *sketchjudge.errors_strict.values())
    )


def test_verdict_scores_when_perfect_on_one_class_then_one_here_and_a_half_there() -> None:
    counts = ConfusionMatrix(tn=4)
    assert verdict_scores(counts)["macro_f1"].value == 1.0
    assert verdict_scores(counts, preset="sketchjudge")["macro_f1"].value == 0.5
    assert verdict_scores(counts)["mcc"].value is None
    assert verdict_scores(counts)["fpr"].value == 0.0


def test_error_scores_when_false_alarm_on_an_unsupported_type_then_only_macro_seen_pays() -> None:
    clean = Judgement("a", "chart", False, False, (OMISSION,), (OMISSION,))
    alarm = Judgement("a", "chart", False, False, (OMISSION,), (OMISSION, ACCURACY))
    plain, alarmed = (
        error_scores(count_errors([judgement], taxonomy=DIAGRAM_TAXONOMY)) for judgement in (clean, alarm)
    )
    assert alarmed["macro_f1_err"].value == plain["macro_f1_err"].value == 1.0
    assert alarmed["macro_f1_seen"].value == 0.5
    assert alarmed["micro_f1_err"].value == pytest.approx(2 / 3)


def test_count_errors_when_two_missing_and_one_named_then_recall_is_a_half() -> None:
    step = "flowchart::missing step"
    judgement = Judgement("a", "flowchart", False, False, (step, step), (step,))
    counts = count_errors([judgement], taxonomy=DIAGRAM_TAXONOMY)
    assert counts.recalled == {step: (1, 2)}
    assert counts.example_f1_sum == 1.0


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_verdict_scores_when_any_counts_then_in_range_and_equal_to_scikit_learn(
    tp: int, fp: int, tn: int, fn: int
) -> None:
    gold = [True] * tp + [False] * fp + [False] * tn + [True] * fn
    said = [True] * (tp + fp) + [False] * (tn + fn)
    expected = verdict_scores(ConfusionMatrix(tp, fp, tn, fn), preset="sketchjudge")
    for name, score in verdict_scores(ConfusionMatrix(tp, fp, tn, fn)).items():
        assert score.value is None or (-1 if name == "mcc" else 0) <= score.value <= 1 + 1e-12
        assert (score.value is None) == bool(score.reason)
    if gold:
        macro = f1_score(gold, said, labels=[True, False], average="macro", zero_division=0)
        assert expected["macro_f1"].value == pytest.approx(macro, abs=1e-12)
        assert expected["mcc"].value == pytest.approx(matthews_corrcoef(gold, said), abs=1e-12)


@settings(deadline=None)
@given(judgements)
def test_error_scores_when_any_labels_then_equal_to_scikit_learn(rows: list[Judgement]) -> None:
    counts = count_errors(rows, taxonomy=DIAGRAM_TAXONOMY)
    scores = error_scores(counts)
    both = [judgement for judgement in rows if not judgement.gold and not judgement.predicted]
    assert counts.n == len(both)
    if not both:
        assert scores["example_f1"].value is None
        return
    ids = DIAGRAM_TAXONOMY.all_ids()
    gold = [[label in judgement.gold_labels for label in ids] for judgement in both]
    said = [[label in judgement.predicted_labels for label in ids] for judgement in both]
    by_hand = f1_score(gold, said, average="samples", zero_division=1)
    assert scores["example_f1"].value == pytest.approx(by_hand, abs=1e-9)
    if scores["micro_f1_err"].value is not None:
        assert scores["micro_f1_err"].value == pytest.approx(f1_score(gold, said, average="micro"), abs=1e-9)
    one_domain = [judgement for judgement in both if judgement.domain == "physics"]
    if one_domain:
        own = DIAGRAM_TAXONOMY.ids("physics")
        masked = error_scores(count_errors(one_domain, taxonomy=DIAGRAM_TAXONOMY))["hamming"].value
        matrix = [
            [[label in side for label in own] for side in (judgement.gold_labels, judgement.predicted_labels)]
            for judgement in one_domain
        ]
        expected = hamming_loss([pair[0] for pair in matrix], [pair[1] for pair in matrix])
        assert masked == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(judgements, st.randoms(use_true_random=False))
def test_error_scores_when_rows_are_shuffled_then_bit_for_bit_the_same(rows: list[Judgement], chance) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)
    scores = [error_scores(count_errors(order, taxonomy=DIAGRAM_TAXONOMY)) for order in (rows, mixed)]
    assert scores[0] == scores[1]


@settings(deadline=None)
@given(judgements)
def test_error_scores_when_reply_is_the_gold_then_best(rows: list[Judgement]) -> None:
    same = [
        Judgement("x", judgement.domain, False, False, judgement.gold_labels, judgement.gold_labels)
        for judgement in rows
    ]
    scores = error_scores(count_errors(same, taxonomy=DIAGRAM_TAXONOMY))
    assert {scores[name].value for name in ("example_f1", "macro_f1_err", "micro_f1_err")} <= {1.0, None}
