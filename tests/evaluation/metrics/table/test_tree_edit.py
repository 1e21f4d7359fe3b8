"""The tree edit distance is exact: it agrees with apted on similar and different trees, tables or not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.common_subtrees import remove_common_subtrees, same_shape_distance
from evaluation.metrics.table.tree import Forest, NodeLabel
from evaluation.metrics.table.tree_edit import (
    MAX_NODE_PAIRS,
    best_mapping_saving,
    tree_edit_distance,
)
from tests.evaluation.metrics.table.oracle import TABLES, TREES, apted_distance, defined_distance, near_pairs

TREE_PAIRS = st.tuples(TREES, TREES) | near_pairs(TREES)
TABLE_PAIRS = st.tuples(TABLES, TABLES) | near_pairs(TABLES)
PAIRS = TREE_PAIRS | TABLE_PAIRS | st.tuples(TREES, TABLES)
SLOW = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=100, **SLOW)
@given(TABLE_PAIRS)
def test_distance_when_apted_judges_tables_then_equal(pair: tuple[Forest, Forest]) -> None:
    assert tree_edit_distance(*pair) == pytest.approx(apted_distance(*pair), abs=1e-9)


@settings(max_examples=100, **SLOW)
@given(TREE_PAIRS)
def test_distance_when_the_definition_judges_any_trees_then_equal(pair: tuple[Forest, Forest]) -> None:
    assert tree_edit_distance(*pair) == pytest.approx(defined_distance(*pair), abs=1e-9)


@pytest.mark.long
@settings(max_examples=10_000, **SLOW)
@given(TABLE_PAIRS)
def test_distance_when_apted_judges_thousands_of_tables_then_equal(pair: tuple[Forest, Forest]) -> None:
    assert tree_edit_distance(*pair) == pytest.approx(apted_distance(*pair), abs=1e-9)


@pytest.mark.long
@settings(max_examples=10_000, **SLOW)
@given(TREE_PAIRS)
def test_distance_when_the_definition_judges_thousands_then_equal(pair: tuple[Forest, Forest]) -> None:
    assert tree_edit_distance(*pair) == pytest.approx(defined_distance(*pair), abs=1e-9)


def test_distance_when_apted_is_wrong_then_the_definition_holds() -> None:
    empty, kind = NodeLabel("td", text=""), NodeLabel("table")
    left = Forest((empty, NodeLabel("td", text="aa"), empty), (1, 1, 3))
    right = Forest((empty, empty, empty, kind, empty, NodeLabel("td", text="a"), kind), (1, 1, 1, 3, 1, 2, 7))
    assert apted_distance(left, right) != apted_distance(right, left)  # a distance cannot depend on the order
    assert tree_edit_distance(left, right) == tree_edit_distance(right, left) == 5.5
    assert defined_distance(left, right) == 5.5


@settings(max_examples=60, **SLOW)
@given(PAIRS)
def test_full_comparison_when_nothing_is_trimmed_then_equal(pair: tuple[Forest, Forest]) -> None:
    left, right = pair
    untrimmed = len(left) + len(right) - best_mapping_saving(left, right)
    assert tree_edit_distance(left, right) == pytest.approx(untrimmed, abs=1e-9)


@settings(max_examples=60, **SLOW)
@given(PAIRS)
def test_distance_when_sides_are_swapped_then_equal(pair: tuple[Forest, Forest]) -> None:
    left, right = pair
    assert tree_edit_distance(left, right) == pytest.approx(tree_edit_distance(right, left), abs=1e-9)


@given(TREES | TABLES)
def test_distance_when_trees_are_equal_then_exactly_zero(tree: Forest) -> None:
    assert tree_edit_distance(tree, tree) == 0.0


def _row(*texts: str) -> tuple[list[NodeLabel], list[int]]:
    return [*(NodeLabel("td", text=text) for text in texts), NodeLabel("tr")], [
        *[1] * len(texts),
        len(texts) + 1,
    ]


def _table(*rows: tuple[str, ...]) -> Forest:
    labels: list[NodeLabel] = []
    sizes: list[int] = []
    for row in rows:
        row_labels, row_sizes = _row(*row)
        labels += row_labels
        sizes += row_sizes
    return Forest((*labels, NodeLabel("table")), (*sizes, len(sizes) + 1))


def test_trim_when_rows_around_a_change_are_equal_then_one_cell_is_left() -> None:
    left, right = _table(("a", "b"), ("c", "d"), ("e",)), _table(("a", "b"), ("c", "x"), ("e",))
    assert [part.labels for part in remove_common_subtrees(left, right)] == [
        (NodeLabel("td", text="d"),),
        (NodeLabel("td", text="x"),),
    ]


def test_diagonal_when_it_costs_more_than_two_then_left_to_the_full_comparison() -> None:
    left = _table(("aa", "bb", "cc", "dd"))
    right = _table(("bb", "cc", "dd", "ee"))
    assert same_shape_distance(left, right) is None
    assert tree_edit_distance(left, right) == 2.0


def test_row_split_in_two_when_compared_then_no_row_can_be_cut() -> None:
    # An inserted row would lie inside the old one, never beside it: the cell moves and a row comes new.
    assert tree_edit_distance(_table(("a", "b", "c")), _table(("a", "b"), ("c",))) == 3.0


def test_distance_when_over_the_limit_then_refused_not_guessed() -> None:
    side = int(MAX_NODE_PAIRS**0.5) + 10
    left = _table(tuple(f"l{index}" for index in range(side)))
    right = _table(tuple(f"r{index}" for index in range(side)))
    with pytest.raises(TooLarge, match=str(MAX_NODE_PAIRS)):
        tree_edit_distance(left, right)


def test_distance_when_huge_tables_are_equal_then_zero_without_a_limit() -> None:
    huge = _table(*((f"{row}",) * 10 for row in range(5_000)))
    assert tree_edit_distance(huge, huge) == 0.0
