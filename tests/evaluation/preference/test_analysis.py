"""The figures of a study: the published case, what cannot be computed, and what must not matter."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from evaluation.preference.analysis import PARTS, analyse
from evaluation.preference.design import CardSide, PreferredMetric, TrialKind
from evaluation.preference.study_record import BadStudyRecord, StudyItemRow, StudyRecord, TrialRow
from evaluation.preference.vote_statistics import PLURALITY, majority
from tests.evaluation.preference.builders import (
    choice_for,
    published,
    relabelled,
    synthetic,
    with_attention,
    with_trials,
)

F, S, N = PreferredMetric.FIRST, PreferredMetric.SECOND, PreferredMetric.NONE


def rounded(value: object) -> object:
    """JSON text, in which NaN would stand out."""
    return json.loads(json.dumps(value, allow_nan=False))


def test_analyse_when_majorities_are_110_79_11_then_shares_and_p_are_those_of_the_exact_test() -> None:
    preference = analyse(published())["preference"]
    assert [round(100 * preference["shares"][key]["share"], 1) for key in ("first", "second", "tie")] == [
        55.0,
        39.5,
        5.5,
    ]
    assert preference["majority_test"]["successes"] == 110 and preference["majority_test"]["n"] == 189
    assert round(preference["majority_test"]["p_value"], 5) == 0.02883
    by_hand = 2 * sum(math.comb(189, k) for k in range(110, 190)) / 2**189
    assert preference["majority_test"]["p_value"] == pytest.approx(by_hand, rel=1e-9)
    assert (
        preference["pooled_votes_test"]["n"]
        == preference["pooled_votes"]["first"] + preference["pooled_votes"]["second"]
    )
    assert preference["pooled_votes_test"]["p_value"] != preference["majority_test"]["p_value"]


def test_analyse_when_it_takes_long_then_it_gives_a_sign_after_every_interval() -> None:
    record = with_attention(synthetic([[F, S]] * 6), {"R1": 4, "R2": 0}, 4)
    signs: list[str] = []
    analyse(record, on_part=signs.append, tick=lambda: signs.append("tick"))
    assert [sign for sign in signs if sign != "tick"] == list(PARTS)
    # r and rho of each metric, and the same again without the rater who failed
    assert signs.count("tick") == 2 * 2 * len(record.measures)


def test_analyse_when_the_record_goes_through_json_then_the_results_are_the_same() -> None:
    record = published()
    again = StudyRecord.from_json(json.loads(json.dumps(record.as_json())))
    assert rounded(analyse(again)) == rounded(analyse(record))


def test_analyse_when_sides_are_relabelled_then_only_figures_about_sides_change() -> None:
    record = published()
    before, after = analyse(record), analyse(with_trials(record, relabelled))
    about_sides = {"side", "side_by_metric", "first_when_on_a", "first_when_on_b"}
    for results in (before, after):
        results["sides_and_order"] = {
            key: value for key, value in results["sides_and_order"].items() if key not in about_sides
        }
        for rater in results["raters"]:
            del rater["repeats"]["same_side"]
    assert before == after


def test_analyse_when_rows_come_in_another_order_then_the_results_are_the_same() -> None:
    record = published()
    turned = replace(record, trials=record.trials[::-1], items=record.items[::-1], units=record.units[::-1])
    assert analyse(turned)["preference"] == analyse(record)["preference"]
    assert analyse(turned)["agreement"]["grades"] == analyse(record)["agreement"]["grades"]


def test_analyse_when_everybody_takes_side_a_then_the_side_test_finds_it_and_the_metric_test_does_not() -> (
    None
):
    dice = [[F, S, F, S][index % 4] for index in range(200)]
    record = synthetic([[preferred] * 2 for preferred in dice])

    def always_a(trial: TrialRow) -> TrialRow:
        return replace(trial, choice=choice_for(F if trial.first_is is CardSide.A else S, trial.first_is))

    tests = analyse(with_trials(record, always_a))["sides_and_order"]
    assert tests["side"]["p_value"] < 1e-9 and tests["side"]["successes"] == 400
    assert tests["side_by_metric"]["p_value"] < 1e-9


def test_analyse_when_preference_turns_halfway_then_the_order_test_finds_it() -> None:
    record = synthetic([[F, F]] * 30 + [[S, S]] * 30)
    tests = analyse(record)["sides_and_order"]
    assert tests["first_half"] == [60, 0] and tests["second_half"] == [0, 60]
    assert tests["order"]["p_value"] < 1e-9


@pytest.mark.parametrize(
    ("votes", "rule", "expected"),
    [
        ([F, F, S], "more_than_half", "first"),
        ([S, S, N], "more_than_half", "second"),
        ([F, N, N], "more_than_half", "tie"),
        ([F, S, N], "more_than_half", "tie"),
        ([N, N, N], "more_than_half", "tie"),
        ([F], "more_than_half", "first"),
        ([F, S], "more_than_half", "tie"),
        ([F, F, S, N, N], "more_than_half", "tie"),
        ([F, F, S, N, N], PLURALITY, "tie"),
        ([F, F, F, S, N, N], PLURALITY, "first"),
        ([F, F, S, N], PLURALITY, "first"),
    ],
)
def test_majority_when_votes_are_split_then_the_rule_decides(
    votes: list[PreferredMetric], rule: str, expected: str
) -> None:
    assert majority(votes, rule) == expected


def test_analyse_when_all_grades_are_equal_then_kappa_alpha_and_r_say_why_and_of_how_many() -> None:
    results = analyse(synthetic([[F, F, F]] * 12, grades=[[7, 7, 7]] * 12))
    for name, figure in results["agreement"]["grades"].items():
        value = figure["mean"] if name.startswith("kappa") else figure["value"]
        assert value is None and "7" in figure["reason"], name
    assert all(
        row["pearson"]["value"] is None and row["pearson"]["n"] == 12 for row in results["correlations"]
    )
    assert "constant" in results["correlations"][0]["pearson"]["reason"]
    assert results["agreement"]["preferences"]["alpha_nominal"]["value"] is None


def test_analyse_when_one_rater_is_missing_then_the_others_are_counted() -> None:
    results = analyse(
        synthetic(
            [[F, S, None], [F, F, None], [S, S, None]], grades=[[1, 2, None], [5, 5, None], [9, 8, None]]
        )
    )
    kappa = results["agreement"]["grades"]["kappa_quadratic"]
    assert kappa["n_pairs"] == 1 and kappa["mean"] is not None
    assert results["preference"]["n_votes_by_item"] == {"2": 3}
    assert results["raters"][2]["n"] == 0 and results["raters"][2]["shares"]["first"]["estimate"] is None
    assert results["raters"][2]["shares"]["first"]["reason"] == "no trials"


def test_analyse_when_all_are_ties_then_no_test_and_the_reason() -> None:
    preference = analyse(synthetic([[N, N, N]] * 5))["preference"]
    assert preference["shares"]["tie"]["share"] == 1.0
    assert (
        preference["majority_test"]["p_value"] is None
        and preference["majority_test"]["reason"] == "no trials"
    )


@pytest.mark.parametrize("votes", [[], [[F, S, F]]])
def test_analyse_when_there_is_one_item_or_none_then_every_figure_is_a_number_or_a_reason(
    votes: list[list[PreferredMetric]],
) -> None:
    results = rounded(analyse(synthetic(votes)))

    def look(value: object) -> None:
        if isinstance(value, dict):
            if value.get("value", 0) is None or value.get("p_value", 0) is None:
                assert value["reason"], value
            for entry in value.values():
                look(entry)
        elif isinstance(value, list):
            for entry in value:
                look(entry)

    look(results)


def test_analyse_when_items_are_practice_attention_or_repeats_then_only_main_ones_count() -> None:
    record = synthetic([[F], [F], [S], [F]])
    item = record.items[0]
    items = (
        StudyItemRow(91, TrialKind.PRACTICE, "p", "x", item.values, item.shown),
        StudyItemRow(92, TrialKind.ATTENTION, "a", "", {}, {"first": "9.8", "second": "0.4"}, expected=F),
    )
    more = (
        TrialRow("R1", 0, TrialKind.PRACTICE, 91, CardSide.A, 3, choice=choice_for(S, CardSide.A)),
        TrialRow("R1", 5, TrialKind.ATTENTION, 92, CardSide.B, 9, choice=choice_for(F, CardSide.B)),
        TrialRow("R1", 6, TrialKind.ATTENTION, 92, CardSide.B, 9, choice=choice_for(S, CardSide.B)),
        TrialRow(
            "R1",
            7,
            TrialKind.REPEAT,
            1,
            CardSide.A,
            (record.trials[0].grade or 0) + 2,
            choice=choice_for(F, CardSide.A),
        ),
    )
    results = analyse(replace(record, items=record.items + items, trials=record.trials + more))
    assert results["preference"] == analyse(record)["preference"]
    assert results["raters"][0]["attention"] == {"n": 2, "passed": 1}
    assert results["raters"][0]["repeats"]["same_metric"] == 1
    assert results["raters"][0]["repeats"]["mean_grade_difference"] == 2


def test_without_failing_raters_when_one_failed_then_the_figures_are_those_of_a_study_without_them() -> None:
    rows = [[[F, F, S], [S, F, F], [F, S, S], [N, S, F]][index % 4] for index in range(40)]
    record = with_attention(synthetic(rows), {"R1": 4, "R2": 3, "R3": 2}, 4)
    results = analyse(record)
    again = results["without_failing_raters"]
    assert again["left_out"] == ["R3"] and again["n_raters"] == 2 and again["reason"] == ""
    two = replace(
        record,
        raters=("R1", "R2"),
        trials=tuple(trial for trial in record.trials if trial.rater != "R3"),
    )
    for part in ("preference", "agreement", "correlations"):
        assert again[part] == analyse(two)[part]
        assert again[part] != results[part]
    assert again["preference"]["n_votes_by_item"] == {"2": 40}
    # the result of all raters stays the result of all raters
    assert results["preference"] == analyse(synthetic(rows))["preference"]


@pytest.mark.parametrize(
    ("passed", "share", "left_out", "reason"),
    [
        ({"R1": 3, "R2": 3}, 0.75, [], "no rater failed"),
        ({"R1": 3, "R2": 4}, 1.0, ["R1"], ""),
        ({"R1": 1, "R2": 0}, 0.5, ["R1", "R2"], "every rater failed"),
        ({}, 1.0, [], "no rater failed"),  # who saw no such item cannot fail it
    ],
)
def test_without_failing_raters_when_the_share_is_a_setting_then_it_decides_and_the_reason_is_reported(
    passed: dict[str, int], share: float, left_out: list[str], reason: str
) -> None:
    record = with_attention(synthetic([[F, S]] * 6, attention_share=share), passed, 4)
    results = analyse(record)["without_failing_raters"]
    assert (results["left_out"], results["reason"]) == (left_out, reason)
    assert (results["preference"] is None) is bool(reason)


def test_brackets_when_items_lie_on_an_edge_then_each_is_counted_once() -> None:
    record = published()
    results = analyse(record)
    for table in ("brackets_by_shown_mean", "brackets_by_expert_grade"):
        assert sum(row["n"] for row in results[table]) == 200
        assert all(row["n"] == row["first"] + row["second"] + row["tie"] for row in results[table])


def test_from_json_when_it_is_something_else_then_it_says_so() -> None:
    with pytest.raises(BadStudyRecord, match="format"):
        StudyRecord.from_json({"format": "other"})
    with pytest.raises(BadStudyRecord, match="settings"):
        StudyRecord.from_json({"format": "inkbench-preference-1"})
