"""The string metrics against reference scores, jiwer and sacrebleu, and against their own definitions."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jiwer
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.base import Score, ScoreStatus
from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.normalise import pipeline
from evaluation.metrics.string_metric import STRING_METRICS
from evaluation.metrics.text import (
    bleu,
    bleu_corpus,
    cer,
    cer_corpus,
    edit,
    edit_corpus,
    ned,
    ned_corpus,
    token_f1,
    token_f1_corpus,
    wer,
    wer_corpus,
)
from evaluation.predictions import Failed

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "text_own.jsonl").read_text("utf-8").splitlines()
]
SAMPLE_METRICS = (edit, cer, wer, ned, token_f1, bleu)
CORPUS_METRICS = (edit_corpus, cer_corpus, wer_corpus, ned_corpus, token_f1_corpus, bleu_corpus)
# Letters, blanks, a combining accent, ideographs, maths and marks: what the normalisers treat differently.
texts = st.text(alphabet="ab \n\t.-−$\\^_{}²é\u0301字写①", max_size=40)
answers = st.one_of(st.none(), texts, texts.map(Failed))
pairs = st.lists(st.tuples(answers, st.one_of(st.none(), texts)), max_size=8)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_text_metrics_when_scored_by_reference_programs_then_equal(row: dict[str, Any]) -> None:
    answer, gold, expected = row["pred"], row["gt"], row["scores"]
    for key, preset in (("odb15", "omnidocbench-1.5"), ("odb16", "omnidocbench-1.6")):
        score = edit(answer, gold, preset=preset)
        assert score.value == pytest.approx(expected[key]["edit_dist"], abs=1e-9)
        assert (score.numerator, score.denominator) == (
            expected[key]["edit_num"],
            expected[key]["upper_len"],
        )
    assert edit(answer, gold, preset="none").value == pytest.approx(expected["ned"], abs=1e-9)
    assert ned(answer, gold, preset="none").value == pytest.approx(expected["one_minus_ned"], abs=1e-9)
    assert cer(answer, gold, preset="jiwer").value == pytest.approx(expected["cer"], abs=1e-9)
    assert wer(answer, gold, preset="jiwer").value == pytest.approx(expected["wer"], abs=1e-9)
    for name, value in expected["sacrebleu_sentence"].items():
        bleu_value = bleu(answer, gold, preset=f"sacrebleu-{name}").value
        assert bleu_value == pytest.approx(value / 100, abs=1e-8)
    for name, value in expected["sacrebleu_corpus_of_one"].items():
        bleu_value = bleu_corpus([(answer, gold)], preset=f"sacrebleu-{name}").value
        assert bleu_value == pytest.approx(value / 100, abs=1e-8)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_alignment_when_counted_then_equals_jiwers_operations(row: dict[str, Any]) -> None:
    for metric, key in ((cer, "cer_hits_sub_del_ins"), (wer, "wer_hits_sub_del_ins")):
        details = metric(row["pred"], row["gt"], preset="jiwer", with_alignment=True).details
        if "hits" in details:
            counts = [details[name] for name in ("hits", "substitutions", "deletions", "insertions")]
            assert counts == row["scores"][key]


@given(st.text(alphabet="ab \n\u3000x", max_size=20), st.text(alphabet="ab \n\u3000x", max_size=20))
def test_jiwer_preset_when_any_blanks_then_equals_jiwer(answer: str, gold: str) -> None:
    assert cer(answer, gold, preset="jiwer").value == pytest.approx(jiwer.cer(gold, answer), abs=1e-12)
    assert wer(answer, gold, preset="jiwer").value == pytest.approx(jiwer.wer(gold, answer), abs=1e-12)


sentences = st.lists(st.sampled_from(["a", "b", "the", "cat.", "字"]), max_size=12).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6))
def test_bleu_when_compared_with_sacrebleu_then_equal(corpus: list[tuple[str, str]]) -> None:
    value = bleu_corpus(corpus, preset="sacrebleu-13a").value
    corpus_bleu = sacrebleu.corpus_bleu([answer for answer, _ in corpus], [[gold for _, gold in corpus]])
    if not all(answer == "" and gold == "" for answer, gold in corpus):
        assert value == pytest.approx(corpus_bleu.score / 100, abs=1e-9)
    for answer, gold in corpus:
        expected = sacrebleu.sentence_bleu(answer, [gold]).score / 100
        assert bleu(answer, gold, preset="sacrebleu-13a").value == pytest.approx(expected, abs=1e-9)


@given(texts, texts)
def test_bounded_metrics_when_any_text_then_stay_in_bounds_and_symmetric(text: str, other: str) -> None:
    for metric in (edit, ned, token_f1):
        forward, back = metric(text, other).value, metric(other, text).value
        assert forward is not None
        assert 0 <= forward <= 1
        assert forward == back
    value = bleu(text, other).value
    assert value is not None
    assert 0 <= value <= 1 + 1e-12
    assert (cer(text, other).value or 0) >= 0


@given(texts)
def test_every_metric_when_prediction_is_the_reference_then_best_under_inkbench_1(text: str) -> None:
    for metric in SAMPLE_METRICS:
        best = 0.0 if metric in (edit, cer, wer) else 1.0
        assert metric(text, text).value == pytest.approx(best, abs=1e-12)


@given(texts, texts)
def test_edit_and_ned_when_of_one_pair_then_add_up_to_one(text: str, other: str) -> None:
    for preset in ("inkbench-1", "none"):
        distance, likeness = edit(text, other, preset=preset).value, ned(text, other, preset=preset).value
        assert distance is not None and likeness is not None
        assert distance + likeness == pytest.approx(1)


@given(texts.filter(lambda text: text.strip() != ""), st.integers(1, 3))
def test_cer_when_invented_characters_are_added_then_grows_by_each(text: str, extra: int) -> None:
    base, longer = cer(text, text), cer(text.strip() + "Z" * extra, text)
    assert base.value == 0
    assert longer.numerator >= extra


@settings(deadline=None)
@given(pairs, st.randoms(use_true_random=False))
def test_corpus_metrics_when_rows_are_shuffled_then_give_the_same_last_digit(
    rows: list[tuple[str | None, str | None]], order: Any
) -> None:
    before = [metric(rows).as_dict() for metric in CORPUS_METRICS]
    order.shuffle(rows)
    assert [metric(rows).as_dict() for metric in CORPUS_METRICS] == before


@given(pairs)
def test_corpus_metrics_when_predictions_are_missing_then_never_gain(
    rows: list[tuple[str | None, str | None]],
) -> None:
    without = [(None, gold) for _, gold in rows]
    for metric, is_error in ((edit_corpus, True), (ned_corpus, False), (token_f1_corpus, False)):
        given_up, tried = metric(without, average="sample").value, metric(rows, average="sample").value
        if given_up is not None and tried is not None:
            assert given_up >= tried if is_error else given_up <= tried


@given(texts, texts, st.text(alphabet="xyz", min_size=1, max_size=5))
def test_edit_when_both_sides_get_the_same_ending_then_never_grows(
    text: str, other: str, ending: str
) -> None:
    before, after = edit(text, other, preset="none"), edit(text + ending, other + ending, preset="none")
    assert after.numerator == before.numerator
    assert after.value is not None and before.value is not None
    assert after.value <= before.value


@given(texts, texts)
def test_edit_when_letters_are_renamed_alike_then_stays(text: str, other: str) -> None:
    rename = str.maketrans("ab字写", "QZ龍鳳")
    renamed = edit(text.translate(rename), other.translate(rename), preset="none")
    assert renamed.value == edit(text, other, preset="none").value


@settings(deadline=None)
@given(pairs.filter(bool))
def test_corpus_metrics_when_every_row_comes_twice_then_rates_stay_and_counts_double(
    rows: list[tuple[str | None, str | None]],
) -> None:
    for metric in CORPUS_METRICS:
        once, twice = metric(rows), metric(rows + rows)
        assert (twice.n, twice.n_failed) == (2 * once.n, 2 * once.n_failed)
        # BLEU's smoothing of n-grams that never match depends on how many there are, in sacrebleu as here.
        if metric is not bleu_corpus:
            assert twice.value == (None if once.value is None else pytest.approx(once.value))


@given(texts.filter(lambda text: len(text.split()) > 1))
def test_token_f1_when_words_are_reversed_then_stays_and_edit_may_not(text: str) -> None:
    words = text.split()
    assert token_f1(" ".join(reversed(words)), " ".join(words)).value == 1


def test_edit_when_signs_points_and_operators_differ_then_only_inkbench_counts_them() -> None:
    for answer, gold in (("-5", "5"), ("3.14", "314"), ("2+2=4", "224"), ("कि", "की")):
        assert edit(answer, gold, preset="omnidocbench-1.5").value == 0
        assert (edit(answer, gold).value or 0) > 0


def test_edit_when_encodings_of_one_character_differ_then_inkbench_sees_none() -> None:
    assert edit("cafe\u0301\r\n", "caf\u00e9").value == 0
    for answer, gold in (("１", "1"), ("ſ", "s"), ("u\u030a", "u\u0366"), ("发", "發")):
        assert (edit(answer, gold).value or 0) > 0


def test_masked_gold_when_predicted_then_costs_only_what_is_invented() -> None:
    for preset in STRING_METRICS["edit"].presets:
        assert edit("dear  you", "dear ⟦masked⟧ you", preset=preset).value == 0
    assert edit("dear Bob you", "dear ⟦masked⟧ you").numerator == 3
    only_mask = edit("Bob", "⟦masked⟧")
    assert (only_mask.value, only_mask.status) == (1.0, ScoreStatus.EMPTY_REFERENCE)
    assert edit("", "⟦masked⟧").status is ScoreStatus.BOTH_EMPTY


def test_corpus_bleu_when_exact_matches_are_short_then_differs_from_the_mean() -> None:
    rows = [("one two three", "one two three")]
    assert bleu_corpus(rows).value == 0
    assert bleu_corpus(rows, average="sample").value == pytest.approx(1)


def test_page_average_when_pages_are_named_then_is_the_mean_of_page_ratios() -> None:
    rows = [("a", "a"), ("bcd", "xyz"), ("q", "q")]
    score = edit_corpus(rows, average="page", pages=["1", "1", "2"])
    assert (score.value, score.numerator, score.denominator) == (0.375, 0.75, 2)
    with pytest.raises(ValueError, match="zip"):
        edit_corpus(rows, pages=["1"])


@pytest.mark.parametrize("metric", SAMPLE_METRICS)
def test_every_metric_when_preset_is_unknown_then_names_those_it_has(metric: Any) -> None:
    with pytest.raises(ValueError, match="inkbench-1"):
        metric("a", "b", preset="omnidocbench-9")


def test_signature_when_settings_differ_then_differs() -> None:
    signatures = {str(edit("a", "b", preset=preset).signature) for preset in STRING_METRICS["edit"].presets}
    assert len(signatures) == len(STRING_METRICS["edit"].presets)
    assert "rapidfuzz:" in str(edit("a", "b").signature)
    assert "pylatexenc:3.0a30" in str(edit("a", "b", preset="omnidocbench-1.5").signature)


def test_too_large_when_the_prediction_runs_away_then_says_so_and_costs_the_corpus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "MAX_CHARACTERS", 30_000)
    runaway = edit("x" * 30_001, "ink")
    assert (runaway.value, runaway.status, runaway.n_failed) == (None, ScoreStatus.TOO_LARGE, 1)
    assert "MAX_CHARACTERS" in runaway.reason
    assert edit_corpus([("x" * 30_001, "ink"), ("ink", "ink")]).value == 0.5
    gold = edit("ink", "x" * 30_001)
    assert (gold.status, gold.n, gold.n_failed) == (ScoreStatus.TOO_LARGE, 0, 0)
    with pytest.raises(TooLarge):
        pipeline.prepare("x" * 30_001)


@pytest.mark.parametrize(
    "hostile",
    [
        "\ud800lone",
        "nul\x00nul",
        "\u202eright\u202c",
        "\ufeffbom",
        "\uffff",
        "e" + "\u0301" * 5000,
        "&amp;" * 999,
    ],
)
@pytest.mark.parametrize("preset", STRING_METRICS["edit"].presets)
def test_edit_when_code_points_are_hostile_then_scores_them_as_text(hostile: str, preset: str) -> None:
    assert edit(hostile, hostile, preset=preset).value == 0
    score = edit(hostile, "plain", preset=preset)
    assert score.value is not None
    assert 0 < score.value <= 1
    json.dumps(score.as_dict())


def test_scores_when_made_then_are_finite_and_json_able() -> None:
    for metric in SAMPLE_METRICS:
        score: Score = metric("the cat", "the hat")
        assert score.value is not None
        assert math.isfinite(score.value)
        assert json.loads(json.dumps(score.as_dict()))["status"] == "scored"
