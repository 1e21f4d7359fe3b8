"""The strict score: bounds, what it sees that CDM cannot, and where the two must be equal."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.cdm import cdm, cdm_strict, compare, find_preset
from evaluation.metrics.cdm.strict import longest_increasing

from .conftest import ROOT


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("x_2", "x^2"),
        ("x2", "x^2"),
        ("21", "12"),
        (r"\frac{b}{a}", r"\frac{a}{b}"),
        (r"\sqrt{ab}", r"\sqrt{a}b"),
        (r"a^{b}c", r"a^{bc}"),
        (r"\begin{matrix}c\\a\end{matrix}", r"\begin{matrix}a\\c\end{matrix}"),
        (r"\underset{a}{b}", r"\overset{a}{b}"),
        (r"\hat{a}b", r"a\hat{b}"),
        (r"\sqrt{x}3", r"\sqrt[3]{x}"),
    ],
)
def test_strict_when_only_relations_differ_then_below_one(prediction: str, reference: str) -> None:
    assert cdm_strict(prediction, reference).value < 1.0


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("{x}^{2}", "x^2"),
        (r"x^{2}_{1}", "x_1^2"),
        (r"\sum\limits_{i=1}^n i", r"\sum_{i=1}^{n}{i}"),
        (r"\dfrac{a}{b}", r"\frac ab"),
        (r"\mathbf{x}+\mathrm{y}", "x+y"),
        (r"\left(a\right)", "(a)"),
        (r"a \leq b", r"a\le b"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", r"\left(\begin{array}{cc}a&b\\c&d\end{array}\right)"),
        (r"\begin{aligned}a&=b\\c&=d\end{aligned}", r"\begin{gathered}a=b\\c=d\end{gathered}"),
    ],
)
def test_strict_when_trees_are_equal_then_one(prediction: str, reference: str) -> None:
    assert cdm_strict(prediction, reference).value == 1.0


def test_strict_when_relations_were_judged_equal_then_equals_cdm() -> None:
    """Pairs written by hand, with relations judged equal before any score was computed."""
    path = ROOT / "tests/data/cdm_equal_relations.jsonl"
    judged = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(judged) >= 60
    for row in judged:
        loose, strict = (metric(row["pred"], row["gt"]) for metric in (cdm, cdm_strict))
        assert strict.value == loose.value, row["id"]


@pytest.mark.parametrize("preset", ["inkbench-1", "unimernet", "omnidocbench-1.6"])
def test_strict_when_any_row_then_never_above_cdm(own_rows: list[dict[str, Any]], preset: str) -> None:
    for row in own_rows:
        loose, strict = (metric(row["pred"], row["gt"], preset=preset) for metric in (cdm, cdm_strict))
        assert strict.status is loose.status
        assert (strict.value is None) == (loose.value is None)
        assert strict.value is None or 0 <= strict.value <= loose.value


def test_strict_when_one_then_trees_are_equal_and_back(formulas: list[str]) -> None:
    """All adjacent formulas of the corpus, which include many near misses."""
    preset = find_preset("inkbench-1")
    equal = 0
    for first, second in pairwise(formulas):
        score = cdm_strict(second, first)
        if score.status is ScoreStatus.SCORED and score.value is not None:
            comparison = compare(second, first, preset)
            shapes = [layout.shape() for layout in (comparison.reference, comparison.prediction)]
            in_place = comparison.matched is not None and comparison.matched.f1 == 1.0
            assert (score.value == 1.0) == (in_place and shapes[0] == shapes[1]), (first, second)
            equal += score.value == 1.0
    assert equal > 20


_MARK = st.sampled_from(["a", "b", "x", "1", "+", r"\alpha "])
_FORMULA = st.recursive(
    _MARK,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(_MARK, inner).map(lambda two: f"{two[0]}^{{{two[1]}}}"),
        st.tuples(_MARK, inner).map(lambda two: f"{two[0]}_{{{two[1]}}}"),
        st.tuples(inner, inner).map(lambda two: rf"\frac{{{two[0]}}}{{{two[1]}}}"),
        inner.map(lambda formula: rf"\sqrt{{{formula}}}"),
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(_FORMULA, _FORMULA)
def test_strict_when_random_formulas_then_bounded_and_exact_on_itself(first: str, second: str) -> None:
    loose, strict = cdm(first, second), cdm_strict(first, second)
    assert 0 <= strict.value <= loose.value <= 1
    assert cdm_strict(first, first).value == cdm(first, first).value


@given(st.lists(st.integers(0, 6), max_size=9))
def test_longest_increasing_when_compared_with_all_subsets_then_longest(values: list[int]) -> None:
    indices = [values[index] for index in longest_increasing(values)]
    assert all(left < right for left, right in pairwise(indices))
    best = 0
    for mask in range(1 << len(values)):
        subset = [value for index, value in enumerate(values) if mask >> index & 1]
        if all(left < right for left, right in pairwise(subset)):
            best = max(best, len(subset))
    assert len(indices) == best
