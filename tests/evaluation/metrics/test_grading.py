from __future__ import annotations

import doctest
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, hamming_loss, matthews_corrcoef

from evaluation.metrics import registry
from evaluation.metrics.base import Failed, Status
from evaluation.metrics.grading import (
    Answer,
    Confusion,
    GradingRow,
    InvalidRow,
    Judgement,
    Unreadable,
    count_errors,
    error_scores,
    grade_report,
    read_answer,
    read_row,
    read_rows,
    verdict_scores,
)
from evaluation.metrics.grading.answers import MAX_CHARACTERS
from evaluation.metrics.grading.comparisons import (
    ALL_DOMAINS,
    modality_deltas,
    pooled_recalls,
    prompt_table,
    reference_deltas,
    solution_deltas,
)
from evaluation.metrics.grading.labels import match_label
from evaluation.metrics.grading.reference import reference_scores
from evaluation.metrics.grading.samples import (
    grade_accuracy,
    grade_accuracy_corpus,
    grade_errors,
    grade_errors_corpus,
)
from evaluation.metrics.tally import Average
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy, label_id

ROOT = Path(__file__).parents[3]
SHARED = Path(os.environ.get("INKBENCH_SHARED", ROOT.parent / "shared"))
VECTORS = SHARED / "vectors" / "grading"
HAND_MADE = ROOT / "tests" / "data" / "grading" / "hand_made.jsonl"
needs_shared = pytest.mark.skipif(not VECTORS.exists(), reason="needs ../shared")

OMISSION, ACCURACY = "chart::omission error", "chart::data accuracy error"


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    if isinstance(theirs, dict):
        keys = [f"{where}: keys {set(ours) ^ set(theirs)}"] if set(ours) != set(theirs) else []
        return keys + [
            line for key in theirs for line in differences(ours.get(key), theirs[key], f"{where}/{key}")
        ]
    return [] if ours is not None and abs(ours - theirs) <= 1e-9 else [f"{where}: {ours} instead of {theirs}"]


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
def test_read_answer_when_real_replies_then_both_presets_read_the_same_and_one_is_empty() -> None:
    replies = [row["response"] for row in read_jsonl(VECTORS / "answers.jsonl")]
    unreadable = [reply for reply in replies if isinstance(read_answer(reply), Unreadable)]
    assert unreadable == [""]
    assert all(read_answer(r) == read_answer(r, preset="sketchjudge") for r in replies if r)


@needs_shared
def test_read_answer_when_real_replies_are_wrapped_then_inkbench_still_reads_the_same() -> None:
    for row in read_jsonl(VECTORS / "answers.jsonl")[::10]:
        reply = row["response"]
        if not reply:
            continue
        thought = '<think>maybe {"is_correct": true} or {x}</think>'
        wrapped = f"{thought} Here:\n```json\n{reply}\n```\nDone {{"
        assert read_answer(wrapped) == read_answer(reply)
        assert isinstance(read_answer(wrapped, preset="sketchjudge"), Unreadable)


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
def test_read_answer_when_form_varies_then_each_preset_decides_as_documented(
    reply: str, bare: bool | None, last: bool | None
) -> None:
    for preset, expected in (("sketchjudge", bare), ("inkbench-1", last)):
        answer = read_answer(reply, preset=preset)
        assert (answer.is_correct if isinstance(answer, Answer) else None) is expected, preset


def test_read_answer_when_preset_is_unknown_then_the_known_ones_are_named() -> None:
    with pytest.raises(ValueError, match="inkbench-1, sketchjudge"):
        read_answer("{}", preset="strict")


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
def test_read_answer_when_hostile_then_unreadable_with_a_reason_in_bounded_time(reply: str) -> None:
    started = time.process_time()
    answer = read_answer(reply)
    assert isinstance(answer, Unreadable)
    assert answer.reason
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
    with pytest.raises(InvalidRow, match=r"a, gold.is_correct: must be true or false"):
        read_rows([row])
    rows, skipped = read_rows([row], preset="sketchjudge")
    assert (rows, skipped[0].kind) == ([], "missing_field")


def test_read_row_when_gold_types_are_plain_names_then_read_and_oddities_passed_over() -> None:
    gold = {"subject": "chart", "is_correct": False, "error_types": ["Omission Error", 3, " "]}
    row = read_row({"answer_id": "a", "gold": gold, "response": None})
    assert (row.domain, row.error_names) == ("chart", ("Omission Error",))


def row(answer_id: str, gold: bool, reply: str | None, *errors: str) -> GradingRow:
    return GradingRow(answer_id, "chart", gold, errors, reply)


def test_grade_report_when_verdict_is_missing_then_wrong_here_and_left_out_there() -> None:
    said = '{"is_correct": true}'
    rows = [row("a", True, said), row("b", True, None), row("c", False, "", "Omission Error")]
    ours, theirs = grade_report(rows), grade_report(rows, preset="sketchjudge")
    assert (ours.confusion.tp, ours.confusion.fn, ours.confusion.fp) == (1, 1, 1)
    assert ours.verdicts["accuracy"].value == pytest.approx(1 / 3)
    assert ours.verdicts["accuracy"].n_failed == 2
    assert [failure.answer_id for failure in ours.failures] == ["b", "c"]
    assert theirs.verdicts["accuracy"].value == 1.0
    assert [skipped.kind for skipped in theirs.skipped] == ["parse_fail", "parse_fail"]


def test_grade_report_when_answering_only_the_easy_then_inkbench_is_not_fooled() -> None:
    honest = [row(str(i), True, json.dumps({"is_correct": i < 6})) for i in range(10)]
    picky = [row(str(i), True, json.dumps({"is_correct": True}) if i < 6 else "?") for i in range(10)]
    assert grade_report(picky).verdicts["accuracy"].value == grade_report(honest).verdicts["accuracy"].value
    assert grade_report(picky, preset="sketchjudge").verdicts["accuracy"].value == 1.0


def test_grade_report_when_an_answer_comes_twice_then_refused_with_its_id() -> None:
    rows = [row("a", True, "{}"), row("a", True, "{}")]
    with pytest.raises(ValueError, match="'a' comes twice"):
        grade_report(rows)
    assert grade_report(rows, preset="sketchjudge").n_rows == 2


def test_grade_report_when_nothing_handed_in_then_reasons_not_zeros() -> None:
    empty = grade_report([])
    for score in (*empty.verdicts.values(), *empty.errors_strict.values()):
        assert (score.value, score.status) == (None, Status.UNDEFINED)
        assert score.reason
    theirs = grade_report([], preset="sketchjudge")
    assert all(score.value == 0 for score in (*theirs.verdicts.values(), *theirs.errors_strict.values()))


def test_verdict_scores_when_perfect_on_one_class_then_one_here_and_a_half_there() -> None:
    counts = Confusion(tn=4)
    assert verdict_scores(counts)["macro_f1"].value == 1.0
    assert verdict_scores(counts, preset="sketchjudge")["macro_f1"].value == 0.5
    assert verdict_scores(counts)["mcc"].value is None
    assert verdict_scores(counts)["fpr"].value == 0.0


def test_error_scores_when_false_alarm_on_an_unsupported_type_then_only_macro_seen_pays() -> None:
    clean = Judgement("a", "chart", False, False, (OMISSION,), (OMISSION,))
    alarm = Judgement("a", "chart", False, False, (OMISSION,), (OMISSION, ACCURACY))
    plain, alarmed = (error_scores(count_errors([one], taxonomy=DIAGRAM_TAXONOMY)) for one in (clean, alarm))
    assert alarmed["macro_f1_err"].value == plain["macro_f1_err"].value == 1.0
    assert alarmed["macro_f1_seen"].value == 0.5
    assert alarmed["micro_f1_err"].value == pytest.approx(2 / 3)


def test_count_errors_when_two_missing_and_one_named_then_recall_is_a_half() -> None:
    step = "flowchart::missing step"
    one = Judgement("a", "flowchart", False, False, (step, step), (step,))
    counts = count_errors([one], taxonomy=DIAGRAM_TAXONOMY)
    assert counts.recalled == {step: (1, 2)}
    assert counts.example_f1_sum == 1.0


judgements = st.lists(
    st.sampled_from(sorted(DIAGRAM_TAXONOMY)).flatmap(
        lambda domain: st.builds(
            Judgement,
            st.just("x"),
            st.just(domain),
            st.booleans(),
            st.booleans(),
            st.lists(st.sampled_from(DIAGRAM_TAXONOMY.ids(domain)), max_size=3).map(tuple),
            st.lists(st.sampled_from(DIAGRAM_TAXONOMY.ids(domain)), max_size=3).map(tuple),
        )
    ),
    max_size=30,
)


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_verdict_scores_when_any_counts_then_in_range_and_equal_to_scikit_learn(
    tp: int, fp: int, tn: int, fn: int
) -> None:
    gold = [True] * tp + [False] * fp + [False] * tn + [True] * fn
    said = [True] * (tp + fp) + [False] * (tn + fn)
    theirs = verdict_scores(Confusion(tp, fp, tn, fn), preset="sketchjudge")
    for name, score in verdict_scores(Confusion(tp, fp, tn, fn)).items():
        assert score.value is None or (-1 if name == "mcc" else 0) <= score.value <= 1 + 1e-12
        assert (score.value is None) == bool(score.reason)
    if gold:
        macro = f1_score(gold, said, labels=[True, False], average="macro", zero_division=0)
        assert theirs["macro_f1"].value == pytest.approx(macro, abs=1e-12)
        assert theirs["mcc"].value == pytest.approx(matthews_corrcoef(gold, said), abs=1e-12)


@settings(deadline=None)
@given(judgements)
def test_error_scores_when_any_labels_then_equal_to_scikit_learn(rows: list[Judgement]) -> None:
    counts = count_errors(rows, taxonomy=DIAGRAM_TAXONOMY)
    scores = error_scores(counts)
    both = [one for one in rows if not one.gold and not one.predicted]
    assert counts.n == len(both)
    if not both:
        assert scores["example_f1"].value is None
        return
    ids = DIAGRAM_TAXONOMY.all_ids()
    gold = [[label in one.gold_labels for label in ids] for one in both]
    said = [[label in one.predicted_labels for label in ids] for one in both]
    by_hand = f1_score(gold, said, average="samples", zero_division=1)
    assert scores["example_f1"].value == pytest.approx(by_hand, abs=1e-9)
    if scores["micro_f1_err"].value is not None:
        assert scores["micro_f1_err"].value == pytest.approx(f1_score(gold, said, average="micro"), abs=1e-9)
    one_domain = [one for one in both if one.domain == "physics"]
    if one_domain:
        own = DIAGRAM_TAXONOMY.ids("physics")
        masked = error_scores(count_errors(one_domain, taxonomy=DIAGRAM_TAXONOMY))["hamming"].value
        matrix = [
            [[label in side for label in own] for side in (one.gold_labels, one.predicted_labels)]
            for one in one_domain
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
    same = [Judgement("x", one.domain, False, False, one.gold_labels, one.gold_labels) for one in rows]
    scores = error_scores(count_errors(same, taxonomy=DIAGRAM_TAXONOMY))
    assert {scores[name].value for name in ("example_f1", "macro_f1_err", "micro_f1_err")} <= {1.0, None}


def tagged(answer_id: str, said: bool, gold: bool = True, domain: str = "chart", **tags: str) -> Judgement:
    return Judgement(answer_id, domain, gold, said, tags={"system": "s", **tags})


def test_reference_deltas_when_both_settings_then_with_minus_without() -> None:
    rows = [tagged("a", True, setting="with_reference"), tagged("a", False, setting="no_reference")]
    deltas = reference_deltas(rows)
    assert [(delta.domain, delta.accuracy) for delta in deltas] == [(ALL_DOMAINS, 1.0), ("chart", 1.0)]


def test_modality_deltas_when_one_side_is_missing_then_no_number() -> None:
    (everything, chart) = modality_deltas([tagged("a", True, modality="paper")])
    assert everything.accuracy is chart.accuracy is None
    assert everything.first.accuracy.reason == "no answers"


def test_solution_deltas_when_incorrect_answers_are_tagged_then_only_correct_ones_count() -> None:
    rows = [
        tagged("a", True, solution="exact"),
        tagged("b", False, solution="alternative"),
        tagged("c", False, gold=False, solution="alternative"),
    ]
    delta = solution_deltas(rows)[0]
    assert (delta.accuracy, delta.second.accuracy.n, delta.example_f1) == (1.0, 1, None)


def test_prompt_table_when_two_families_then_a_row_each() -> None:
    rows = [tagged("a", True, prompt="baseline"), tagged("a", False, prompt="rubric"), tagged("b", True)]
    table = prompt_table(rows)
    assert [(key, figure.accuracy.value) for key, figure in table.items()] == [
        (("s", "baseline"), 1.0),
        (("s", "rubric"), 0.0),
    ]


def test_pooled_recalls_when_systems_differ_then_pooled_by_counts_and_spread_by_quartiles() -> None:
    def one(system: str, hit: bool) -> Judgement:
        said = (OMISSION,) if hit else ()
        return Judgement("a", "chart", False, False, (OMISSION,), said, tags={"system": system})

    rows = [one("x", True), *[one("y", i == 0) for i in range(4)], one("z", False)]
    recall = pooled_recalls(rows)[OMISSION]
    assert recall.pooled == pytest.approx(2 / 6)
    assert recall.by_system == (("x", 1.0), ("y", 0.25), ("z", 0.0))
    assert (recall.quartile_1, recall.quartile_3) == (0.125, 0.625)
    assert pooled_recalls([one("x", True)])[OMISSION].quartile_1 is None


GOLD = '{"domain": "chart", "is_correct": false, "error_list": [{"error_type": "Omission Error"}]}'
NAMED = '{"is_correct": false, "error_list": [{"error_type": "omission-error"}]}'


@pytest.mark.parametrize(
    ("prediction", "value", "status"),
    [
        (NAMED, 1.0, Status.SCORED),
        ('{"is_correct": true}', 0.0, Status.SCORED),
        ("no JSON", 0.0, Status.INVALID_PREDICTION),
        ("", 0.0, Status.SCORED),
        (None, 0.0, Status.MISSING),
        (Failed("timeout"), 0.0, Status.FAILED),
    ],
)
def test_grade_accuracy_when_reply_is_missing_or_odd_then_wrong_and_said_why(
    prediction: str | None, value: float, status: Status
) -> None:
    score = grade_accuracy(prediction, GOLD)
    assert (score.value, score.status) == (value, status)
    expected = Status.SCORED if prediction == NAMED else Status.NOT_APPLICABLE
    assert grade_errors(prediction, GOLD).status is expected


def test_grade_accuracy_when_gold_is_broken_or_absent_then_no_number() -> None:
    assert grade_accuracy(NAMED, '{"domain": "chart"}').status is Status.INVALID_REFERENCE
    assert grade_errors(NAMED, '{"domain": "chart"}').status is Status.INVALID_REFERENCE
    assert grade_accuracy(NAMED, None).status is Status.NOT_APPLICABLE


def test_grade_accuracy_when_reply_runs_away_then_too_large_and_it_costs() -> None:
    runaway = '{"is_correct": false}' + " " * MAX_CHARACTERS
    score = grade_accuracy(runaway, GOLD)
    assert (score.value, score.status) == (None, Status.TOO_LARGE)
    assert grade_accuracy_corpus([(NAMED, GOLD), (runaway, GOLD)]).value == 0.5
    assert grade_accuracy(runaway, GOLD, preset="sketchjudge").value == 1.0


def test_grade_accuracy_corpus_when_replies_are_missing_then_each_preset_counts_as_documented() -> None:
    pairs = [(NAMED, GOLD), (None, GOLD), ("?", GOLD)]
    ours, theirs = grade_accuracy_corpus(pairs), grade_accuracy_corpus(pairs, preset="sketchjudge")
    assert (ours.value, ours.n, ours.n_failed) == (pytest.approx(1 / 3), 3, 2)
    assert (theirs.value, theirs.n) == (1.0, 1)


@needs_shared
def test_grade_corpus_when_vector_rows_then_equals_the_report() -> None:
    vector = next(one for one in read_jsonl(VECTORS / "metrics.jsonl") if len(one["rows"]) > 1000)
    pairs = []
    for one in vector["rows"]:
        gold = {"domain": one["gold"]["category"], **one["gold"]}
        pairs.append((one["response"], json.dumps(gold)))
    random.Random(1).shuffle(pairs)
    accuracy = grade_accuracy_corpus(pairs, preset="sketchjudge").value
    assert accuracy == pytest.approx(vector["scores"]["binary"]["Accuracy"], abs=1e-9)
    errors = grade_errors_corpus(pairs, preset="sketchjudge").value
    assert errors == pytest.approx(vector["scores"]["errors_strict"]["F1e_example"], abs=1e-9)


@pytest.mark.parametrize("name", ["grade_accuracy", "grade_errors"])
def test_registry_when_asked_for_a_grading_metric_then_its_tally_gives_the_corpus_score(name: str) -> None:
    spec = registry.get(name)
    pairs = [(NAMED, GOLD), (None, GOLD), ('{"is_correct": true}', GOLD)]
    for preset in spec.presets:
        tally = spec.make_tally(preset).add_all(spec.sample(*pair, preset=preset) for pair in pairs)
        assert tally.score(Average(spec.average)) == spec.corpus(pairs, preset=preset)
    assert (spec.kinds, spec.presets[0]) == ({"grade"}, "inkbench-1")


def test_page_when_its_examples_run_then_as_printed() -> None:
    page = Path(__file__).parents[3] / "docs" / "metrics" / "grading.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted
    assert not failed
