"""The scale of difficulty: what is taken, and figures that are numbers or reasons."""

from __future__ import annotations

import pytest

from annotation.difficulty import BadScores, Dimension, agreement_on, check_scores, summarise
from annotation.rating_scale import ANCHORS


def even(level: int) -> dict[str, int]:
    return dict.fromkeys(map(str, Dimension), level)


def test_anchors_when_read_then_every_dimension_has_both_ends_and_the_middle():
    assert list(ANCHORS) == list(Dimension)
    for anchor in ANCHORS.values():
        assert [level for level, words in anchor.levels if words] == [1, 3, 5]


@pytest.mark.parametrize("value", [0, 6, 2.5, "3", None, True])
def test_check_scores_when_a_level_is_off_the_scale_then_it_is_named(value):
    with pytest.raises(BadScores) as refused:
        check_scores(even(3) | {"cursiveness": value}, is_complete=True)
    assert refused.value.dimensions == ("cursiveness",)


def test_check_scores_when_a_dimension_is_missing_then_only_a_complete_rating_is_refused():
    some = {"cursiveness": 2}
    assert check_scores(some, is_complete=False) == some
    with pytest.raises(BadScores) as refused:
        check_scores(some, is_complete=True)
    assert len(refused.value.dimensions) == 5


def test_check_scores_when_a_name_is_unknown_then_refused():
    with pytest.raises(BadScores):
        check_scores({"beauty": 3}, is_complete=False)


def test_summarise_when_one_rated_then_no_spread_and_when_nobody_then_nothing():
    assert summarise([]) == {}
    figures = summarise([even(4)])["cursiveness"]
    assert (figures.mean, figures.spread, figures.n) == (4.0, None, 1)


def test_summarise_when_five_rated_then_mean_and_standard_deviation():
    figures = summarise([even(level) for level in (1, 2, 3, 4, 5)])["domain_knowledge"]
    assert (figures.mean, figures.n) == (3.0, 5)
    assert figures.spread == pytest.approx(2.5**0.5)


def test_agreement_on_when_raters_shift_by_one_then_alpha_as_computed_by_hand():
    """Two raters, two samples: (1, 2) and (4, 5). Observed 1, expected mean of squared differences 20/3 of 6 pairs."""
    table = {(1, 1): even(1), (2, 1): even(2), (1, 2): even(4), (2, 2): even(5)}
    score = agreement_on(Dimension.CURSIVENESS, table)
    pairs = [(a - b) ** 2 for a in (1, 2, 4, 5) for b in (1, 2, 4, 5)]
    expected = sum(pairs) / 12
    assert score.value == pytest.approx(1 - 1 / expected)
    assert score.n == 2


@pytest.mark.parametrize(
    "table",
    [{}, {(1, 1): even(3)}, {(1, 1): even(3), (2, 1): even(3)}, {(1, 1): even(2), (2, 2): even(4)}],
    ids=["nobody", "one", "all the same", "no sample twice"],
)
def test_agreement_on_when_there_is_nothing_to_measure_then_a_reason_and_n(table):
    score = agreement_on(Dimension.CURSIVENESS, table)
    assert score.value is None
    assert score.reason
    assert score.n == len(
        {sample for _, sample in table if len(table) == 2 and len({s for _, s in table}) == 1}
    )
