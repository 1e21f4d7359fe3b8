from __future__ import annotations

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.aggregation import Accumulator, Average, ExactSum
from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import EdgeRules, edge_score, too_large
from evaluation.predictions import Failed

SIGNATURE = Signature("edit", "inkbench-1")
RULES = EdgeRules.of_error()


def scored(numerator: float, denominator: float) -> Score:
    return Score(
        numerator / denominator, numerator, denominator, 1, 0, Direction.LOWER, ScoreStatus.SCORED, SIGNATURE
    )


def accumulator(**options: bool) -> Accumulator:
    return Accumulator(SIGNATURE, Direction.LOWER, worst=1.0, **options)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30), st.randoms())
def test_exact_sum_when_terms_are_shuffled_then_equals_fsum(terms: list[float], order: random.Random) -> None:
    order.shuffle(terms)
    total = ExactSum()
    for term in terms:
        total.add(term)
    try:
        expected = math.fsum(terms)
    except OverflowError:
        return
    assert float(total) == expected


def test_accumulator_when_samples_differ_in_length_then_the_three_averages_differ() -> None:
    corpus = accumulator()
    for score, page in ((scored(1, 2), "a"), (scored(0, 8), "a"), (scored(3, 4), "b")):
        corpus.add(score, page)
    assert corpus.score(Average.POOLED).value == 4 / 14
    assert corpus.score(Average.SAMPLE).value == (0.5 + 0 + 0.75) / 3
    page = corpus.score(Average.PAGE)
    assert page.value == (0.1 + 0.75) / 2
    assert (page.numerator, page.denominator, page.n) == (0.85, 2, 3)
    assert page.details["averages"]["pooled"] == 4 / 14


def test_accumulator_when_pages_average_their_samples_then_uses_values_not_weights() -> None:
    corpus = accumulator(ratio_in_page=False)
    corpus.add(scored(1, 2), "a")
    corpus.add(scored(0, 8), "a")
    assert corpus.score(Average.PAGE).value == 0.25


def test_accumulator_when_predictions_are_missing_failed_or_too_large_then_each_costs_the_worst() -> None:
    corpus = accumulator()
    corpus.add(scored(0, 4), "a")
    for prediction in (None, Failed("timeout")):
        edge = edge_score(prediction, "inks", rules=RULES, signature=SIGNATURE, size=4)
        assert edge is not None
        corpus.add(edge, "b")
    corpus.add(too_large("over", rules=RULES, signature=SIGNATURE, size=4), "b")
    pooled = corpus.score()
    assert (pooled.value, pooled.n, pooled.n_failed) == (12 / 16, 4, 3)
    assert corpus.score(Average.SAMPLE).value == 0.75
    assert corpus.score(Average.PAGE).value == 0.5
    assert pooled.details["states"] == {"scored": 1, "missing": 1, "failed": 1, "too_large": 1}


def test_accumulator_when_nothing_is_scored_then_says_why() -> None:
    assert accumulator().score().status is ScoreStatus.UNDEFINED
    corpus = accumulator()
    edge = edge_score("x", None, rules=RULES, signature=SIGNATURE)
    assert edge is not None
    corpus.add(edge)
    score = corpus.score()
    assert (score.value, score.status, score.n) == (None, ScoreStatus.NOT_APPLICABLE, 0)
    assert "1 not_applicable" in score.reason
    corpus.add(scored(1, 2))
    assert corpus.score(Average.PAGE).status is ScoreStatus.UNDEFINED
    assert "no page was named" in corpus.score(Average.PAGE).reason


def test_accumulator_when_a_page_weighs_nothing_then_it_counts_with_its_values() -> None:
    corpus = accumulator()
    edge = edge_score("", "", rules=RULES, signature=SIGNATURE)
    assert edge is not None
    corpus.add(edge, "blank")
    corpus.add(scored(1, 2), "full")
    assert corpus.score(Average.PAGE).value == 0.25


def test_accumulator_when_samples_are_exact_then_their_share_is_reported() -> None:
    corpus = accumulator()
    for score in (scored(0, 3), scored(1, 3), scored(0, 1)):
        corpus.add(score)
    assert corpus.score().details["exact_rate"] == 2 / 3
    assert accumulator().score().details["exact_rate"] is None


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.sampled_from(["a", "b"])), max_size=12),
    st.data(),
)
def test_accumulator_when_split_and_merged_then_equals_the_whole(
    rows: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(rows)))
    whole, first, second = accumulator(), accumulator(), accumulator()
    for position, (numerator, denominator, page) in enumerate(rows):
        score = scored(numerator, denominator)
        whole.add(score, page)
        (first if position < cut else second).add(score, page)
    first.merge(second)
    for average in Average:
        assert first.score(average) == whole.score(average)
