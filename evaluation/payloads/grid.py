"""A table as a grid of cells: what a cell holds, where it stands, and what makes no table."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload

MAX_ROWS = 500
MAX_COLUMNS = 200
MAX_CELLS = 10_000

CELL = gettext_noop("Row %(row)s, cell %(cell)s")


class BadTable(BadPayload):
    """A table that cannot be stored."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `text` has one line feed for each line break."""

    text: str = ""
    is_header: bool = False
    rowspan: int = 1
    colspan: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells as HTML writes them: a cell that reaches down is not written again in the rows below."""

    rows: tuple[tuple[Cell, ...], ...]

    def anchors(self) -> list[list[int]]:
        """The grid column of each cell of each row. Raises BadTable for ragged rows and overlapping spans."""
        return lay_out(self)[0]

    @property
    def width(self) -> int:
        """Columns of the grid."""
        return sum(cell.colspan for cell in self.rows[0]) if self.rows else 0


def canonical_cell(text: str) -> str:
    r"""NFC, one blank for each run of white space, no blanks at line ends, no empty line at either end.

    >>> canonical_cell("  a \t b\n c ")
    'a b\nc'
    """
    lines = (" ".join(line.split()) for line in unicodedata.normalize("NFC", text).split("\n"))
    return "\n".join(lines).strip("\n")


def even_rows(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """The rows as wide as the widest, filled up with empty cells; spans that reach below the last row end there.

    >>> [len(row) for row in even_rows([[Cell("a"), Cell("b")], [Cell("c")]])]
    [2, 2]
    """
    taken = [0] * len(rows)
    cut: list[list[Cell]] = []
    for at, row in enumerate(rows):
        cut.append([])
        for cell in row:
            rowspan = min(cell.rowspan, len(rows) - at)
            cut[-1].append(replace(cell, rowspan=rowspan))
            for below in range(at, at + rowspan):
                taken[below] += cell.colspan
    width = max(taken, default=0)
    return tuple((*row, *(Cell() for _ in range(width - wide))) for row, wide in zip(cut, taken, strict=True))


def lay_out(table: Table) -> tuple[list[list[int]], int]:
    """The grid column of each cell of each row, and how many columns there are.

    Raises BadTable: no cells, rows of unequal width, spans that overlap or reach below the last row.
    """
    if not any(table.rows):
        raise BadTable(gettext_noop("The table has no cells. Add a row and fill it in."))
    taken: list[set[int]] = [set() for _ in table.rows]
    columns: list[list[int]] = []
    for at, row in enumerate(table.rows):
        columns.append([])
        column = 0
        for place, cell in enumerate(row, start=1):
            while column in taken[at]:
                column += 1
            try:
                _take(taken, at, column, cell)
            except BadTable as problem:
                raise problem.within(CELL, row=at + 1, cell=place) from None
            columns[-1].append(column)
            column += cell.colspan
    _check_even(taken)
    return columns, len(taken[0])


def _take(taken: list[set[int]], at: int, column: int, cell: Cell) -> None:
    if at + cell.rowspan > len(taken):
        raise BadTable(
            gettext_noop(
                "rowspan %(span)s extends below the last row (rows: %(rows)s). Lower it or add rows."
            ),
            span=cell.rowspan,
            rows=len(taken),
        )
    place = set(range(column, column + cell.colspan))
    for row in range(at, at + cell.rowspan):
        if clash := taken[row] & place:
            raise BadTable(
                gettext_noop(
                    "it overlaps another cell that extends into row %(row)s, column "
                    "%(column)s. Lower one of the spans."
                ),
                row=row + 1,
                column=min(clash) + 1,
            )
        taken[row] |= place


def _check_even(taken: list[set[int]]) -> None:
    width = len(taken[0])
    for number, columns in enumerate(taken, start=1):
        if len(columns) != width or (columns and max(columns) != width - 1):
            raise BadTable(
                gettext_noop(
                    "Row %(row)s and row 1 have different numbers of columns (%(found)s and "
                    "%(wanted)s). Add or delete cells, or change a colspan."
                ),
                row=number,
                found=len(columns),
                wanted=width,
            )
    if width > MAX_COLUMNS:
        raise BadTable(
            gettext_noop("The table has too many columns (%(found)s); the limit is %(most)s."),
            found=width,
            most=MAX_COLUMNS,
        )
