"""The cell by cell difference: every cell of both sides once, with its position and state."""

from __future__ import annotations

from hypothesis import given, settings

from evaluation.metrics.table import CellState, diff_cells, teds
from tests.evaluation.metrics.table.strategies import ROWS, TABLES, table


def states(prediction: str, reference: str) -> list[tuple[str, str, str]]:
    return [
        (cell.state.value, cell.reference_text, cell.prediction_text)
        for cell in diff_cells(prediction, reference)
    ]


def test_cells_when_one_row_is_missing_then_its_cells_are() -> None:
    assert states(table(("a", "b"), ("e", "f")), table(("a", "b"), ("c", "d"), ("e", "f"))) == [
        ("equal", "a", "a"),
        ("equal", "b", "b"),
        ("missing", "c", ""),
        ("missing", "d", ""),
        ("equal", "e", "e"),
        ("equal", "f", "f"),
    ]


def test_cells_when_one_is_new_in_a_row_then_extra_at_its_place() -> None:
    [first, new, last] = diff_cells(table(("a", "x", "b")), table(("a", "b")))
    assert (first.state, new.state, last.state) == (CellState.EQUAL, CellState.EXTRA, CellState.EQUAL)
    assert (new.reference, new.prediction, last.reference, last.prediction) == (None, (0, 1), (0, 1), (0, 2))


def test_cells_when_text_or_span_differs_then_changed_at_its_cost() -> None:
    [cell] = diff_cells(table(("abcx",)), table(("abcd",)))
    assert (cell.state, cell.cost) == (CellState.CHANGED, 0.25)
    [cell] = diff_cells('<table><tr><td colspan="2">a</td></tr></table>', table(("a",)))
    assert (cell.state, cell.cost) == (CellState.CHANGED, 1.0)


def test_cells_when_raised_then_the_tag_is_written_out() -> None:
    [cell] = diff_cells(table(("x<sup>2</sup>",)), table(("x2",)))
    assert cell.prediction_text == "x<sup>2</sup>"


def test_cells_when_the_prediction_has_no_table_then_all_missing() -> None:
    assert states("none", table(("a",))) == [("missing", "a", "")]


def test_cells_when_a_table_is_too_many_then_all_extra() -> None:
    assert states(table(("a",)) + table(("z",)), table(("a",))) == [("equal", "a", "a"), ("extra", "", "z")]


@settings(deadline=None)
@given(ROWS, ROWS)
def test_cells_when_any_tables_then_each_once_and_in_order(pred: list, ref: list) -> None:
    cells = diff_cells(table(*pred), table(*ref))
    for rows, side in ((pred, "prediction"), (ref, "reference")):
        places = [place for cell in cells if (place := getattr(cell, side)) is not None]
        assert places == [(index, place) for index, row in enumerate(rows) for place in range(len(row))]


@settings(deadline=None)
@given(TABLES)
def test_cells_when_identical_then_all_equal(markup: str) -> None:
    assert {cell.state for cell in diff_cells(markup, markup)} <= {CellState.EQUAL}
    assert teds(markup, markup).value == 1.0
