"""Bundles: their metrics, aggregation, and the papers' own figures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature
from evaluation.metrics.bundles import (
    ALL,
    SUBTASKS,
    ScoringSample,
    bundle_names,
    get_bundle,
    measure_label,
    score_samples,
    stratum,
    subtask_of,
)
from evaluation.metrics.bundles.overall import overall_down, overall_up, wildhandbench_overall
from evaluation.metrics.bundles.strata import EASY_MEANS, HARD_MEANS, LabelStatistics
from evaluation.metrics.normalise import preset_names
from evaluation.predictions import MISSING, Failed, Regions, Text

SHARED = Path(os.environ.get("INKBENCH_SHARED", Path(__file__).parents[3].parent / "shared"))
SIGNATURE = Signature("overall", "wildhandbench")


def figure(value: float | None, direction: Direction = Direction.HIGHER) -> Score:
    status = ScoreStatus.SCORED if value is not None else ScoreStatus.NOT_APPLICABLE
    return Score(value, value or 0, 1, 1, 0, direction, status, SIGNATURE)


def published_rows() -> list[tuple[str, float, float, float, float]]:
    """Model, Edit, TEDS, CDM, Overall of WildHandBench's table 2."""
    lines = (SHARED / "papers" / "wildhandbench.txt").read_text("utf-8").splitlines()
    rows = []
    for line in lines:
        cells = line.split("\t")
        if len(cells) == 11 and cells[3].replace(".", "").isdigit():
            rows.append((cells[1], *(float(cell) for cell in cells[3:7])))
    return rows


@pytest.mark.skipif(not (SHARED / "papers").is_dir(), reason="needs ../shared")
def test_overall_of_three_when_given_the_papers_columns_then_gives_its_overalls() -> None:
    rows = published_rows()
    assert len(rows) == 19
    off: dict[str, float] = {}
    for model, edit, teds, cdm, overall in rows:
        score = wildhandbench_overall(
            figure(edit / 100), figure(cdm / 100), figure(teds / 100), signature=SIGNATURE
        )
        assert score.value is not None
        if abs(100 * score.value - overall) > 0.01:  # more than rounding explains
            off[model] = round(100 * score.value - overall, 4)
    # Three of the paper's own Overalls are 0.01 to 0.02 off the columns beside them.
    assert off == {"MinerU-2.5": -0.0133, "MinerU2.5-Pro": -0.0133, "FireRed-OCR": -0.0167}


def test_suite_overalls_when_given_published_columns_then_are_plain_means() -> None:
    up = overall_up(figure(0.5924), figure(0.8160), figure(0.7563), signature=SIGNATURE)
    assert up.value == pytest.approx(0.721566666)
    down = overall_down(figure(0.1042, Direction.LOWER), figure(0.1516, Direction.LOWER), signature=SIGNATURE)
    assert (down.value, down.direction) == (pytest.approx(0.1279), Direction.LOWER)


@pytest.mark.parametrize("absent", ["edit", "cdm", "teds"])
def test_overall_of_three_when_a_structure_is_missing_then_not_applicable_and_named(absent: str) -> None:
    parts: dict[str, Score | None] = {"edit": figure(0.1), "cdm": figure(0.9), "teds": figure(0.8)}
    for empty in (None, figure(None)):
        parts[absent] = empty
        score = wildhandbench_overall(**parts, signature=SIGNATURE)
        assert (score.value, score.status) == (None, ScoreStatus.NOT_APPLICABLE)
        assert absent.upper() in score.reason.upper()


def test_every_bundle_when_scored_then_counts_each_sample_once() -> None:
    samples = [
        ScoringSample("1", "text", Text("ink"), Text("ink"), "en"),
        ScoringSample("2", "text", MISSING, Text("写字"), "zh_hans"),
        ScoringSample(
            "3",
            "table",
            Text("<table><tr><td>1</td></tr></table>"),
            Text("<table><tr><td>1</td></tr></table>"),
        ),
        ScoringSample("4", "text", Failed("timeout"), Text("ink"), "en"),
    ]
    for name in bundle_names():
        report = score_samples(samples, bundle=name)
        metric = "ned" if name == "omnihandwritingocr" else "edit"
        score = report.scores[metric, ALL]
        assert (score.n, score.n_failed, report.n_samples) == (3, 2, 4)
        assert score.details["states"] == {"scored": 1, "missing": 1, "failed": 1}


def test_wildhandbench_when_a_text_page_is_matched_then_order_of_paragraphs_costs_nothing() -> None:
    gold = "First paragraph about ink.\n\nSecond paragraph about paper."
    answer = "```markdown\nSecond paragraph about paper.\n\nFirst paragraph about ink.\n```"
    report = score_samples([ScoringSample("1", "text", Text(answer), Text(gold))], bundle="wildhandbench")
    assert report.scores["edit", ALL].value == 0
    part = score_samples(
        [ScoringSample("1", "text", Text("First paragraph about ink."), Text(gold))], bundle="wildhandbench"
    )
    value = part.scores["edit", ALL].value
    assert value == pytest.approx(25 / (22 + 25))  # the second paragraph's letters, all missing


@pytest.mark.parametrize("bundle", ["inkbench-1", "wildhandbench"])
def test_formula_pages_when_gold_is_bare_delimited_or_by_region_then_each_part_is_found(bundle: str) -> None:
    for gold, answer, n in (
        (Text("x^2+1"), Text("```latex\nx^2+1\n```"), 1),
        (Text("x^2+1"), Text("$x^2+1$"), 1),
        (Text("{x}^2"), Text("{x}^2"), 1),
        (Text("$$x^2$$\n\n$$y=1$$"), Text("$$y=1$$\n\n$$x^2$$"), 2),
        (Regions({"1": "x^2", "2": "y=1"}), Regions({"2": "y=1", "1": "x^2"}), 2),
        (Regions({"1": "x^2", "2": "y=1"}), Text("$$y=1$$\n\n$$x^2$$"), 2),
    ):
        score = score_samples([ScoringSample("1", "formula", answer, gold)], bundle=bundle).scores["cdm", ALL]
        assert (score.value, score.n) == (1.0, n), (gold, answer)
    half = [ScoringSample("1", "formula", Regions({"1": "x^2"}), Regions({"1": "x^2", "2": "y=1"}))]
    assert score_samples(half, bundle=bundle).scores["cdm", ALL].value == 0.5


def test_wildhandbench_when_pages_differ_in_size_then_each_page_weighs_the_same() -> None:
    samples = [
        ScoringSample("1", "text", Text("abcd"), Text("abcd")),
        ScoringSample("2", "text", Text("x" * 30), Text("y" * 30)),
    ]
    score = score_samples(samples, bundle="wildhandbench").scores["edit", ALL]
    assert (score.value, score.details["average"]) == (0.5, "page")


def test_wildhandbench_when_a_page_is_too_large_to_match_then_costs_the_worst() -> None:
    samples = [
        ScoringSample("1", "text", Text("word " * 200_000), Text("ink")),
        ScoringSample("2", "text", Text("ink"), Text("ink")),
    ]
    score = score_samples(samples, bundle="wildhandbench").scores["edit", ALL]
    assert (score.value, score.n_failed, score.details["states"]["too_large"]) == (0.5, 1, 1)


def test_suite_when_outputs_are_wrapped_long_and_broken_then_prepared_as_stated() -> None:
    def suite(answer: str, label: str, subtask: str) -> dict[str, float | None]:
        report = score_samples(
            [ScoringSample("1", "text", Text(answer), Text(label), "", subtask)], bundle="omnihandwritingocr"
        )
        return {metric: report.scores[metric, subtask].value for metric in ("cer", "wer", "ned", "token_f1")}

    assert suite("```plaintext\nthe cat\nsat\n```", "the cat sat", "en-text")["wer"] == 0
    assert suite("我们\n在路上", "我们在路上", "zh-text")["cer"] == 0
    assert suite(r"$$ \alpha x $$", r"\alpha  x", "sl-formula")["cer"] == 0
    runaway = suite("x" * 5000, "x", "sl-formula")
    assert runaway["cer"] == 127
    assert suite("y" * 5000, "x", "ml-hard")["cer"] == 1024
    assert suite("解：\n\n  x=1 ", "解：\nx=1", "ml-easy")["token_f1"] == 1


def test_suite_when_subtasks_mix_then_groups_and_one_corpus_are_reported() -> None:
    samples = [
        ScoringSample(subtask, "text", Text("x"), Text("x" if i % 2 else "y"), "", subtask)
        for i, subtask in enumerate(SUBTASKS)
    ]
    report = score_samples(samples, bundle="omnihandwritingocr")
    assert {group for _, group in report.scores} == {ALL, *SUBTASKS}
    assert report.scores["ned", ALL].value == 0.5
    assert str(report.scores["ned", ALL].signature).startswith("ned|preset:omnihandwritingocr|")
    assert report.overalls["overall_up"].status is ScoreStatus.SCORED


def test_stratum_when_at_the_printed_means_then_easy_medium_hard() -> None:
    assert stratum(LabelStatistics(*EASY_MEANS)) == "ml-easy"
    assert stratum(LabelStatistics(*HARD_MEANS)) == "ml-hard"
    middle = LabelStatistics(*((easy + hard) / 2 for easy, hard in zip(EASY_MEANS, HARD_MEANS, strict=True)))
    assert stratum(middle) == "ml-medium"
    # A single extreme statistic cannot make a label hard.
    assert stratum(LabelStatistics(10_000, 0, 2)) == "ml-medium"
    assert measure_label("a\n\n  \nb \\\\ c").lines == 3


def test_subtask_of_when_none_is_given_then_follows_structure_language_and_label() -> None:
    assert subtask_of(ScoringSample("1", "text", Text(""), Text("a"), "en")) == "en-text"
    assert subtask_of(ScoringSample("1", "text", Text(""), Text("字"), "zh_hant")) == "zh-text"
    assert subtask_of(ScoringSample("1", "formula", Text(""), Text("x"))) == "sl-formula"
    assert subtask_of(ScoringSample("1", "formula", Text(""), Text("x\ny"))) == "ml-easy"
    assert subtask_of(ScoringSample("1", "table", Text(""), Text("x"))) is None
    with pytest.raises(ValueError, match="ml-impossible"):
        subtask_of(ScoringSample("1", "text", Text(""), Text("x"), "", "ml-impossible"))


def test_score_samples_when_workers_are_none_or_bundle_unknown_then_says_so() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        score_samples([], workers=0)
    with pytest.raises(ValueError, match="unknown bundle"):
        get_bundle("nonsense")


def test_docs_when_they_list_presets_and_bundles_then_name_all() -> None:
    page = (Path(__file__).parents[3] / "docs" / "metrics" / "presets.md").read_text("utf-8")
    for name in (*preset_names(), *bundle_names()):
        assert f"`{name}`" in page, name
