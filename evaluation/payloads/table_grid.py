"""A table as a grid of cells: the cells, their positions, and the rules of a valid grid."""

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
    """Rows of cells as in HTML: a cell that spans several rows is listed only in its first row."""

    rows: tuple[tuple[Cell, ...], ...]

    def cell_columns(self) -> list[list[int]]:
        """The grid column of each cell, row by row. Raises BadTable for an invalid grid."""
        return place_cells(self)[0]


def canonical_cell(text: str) -> str:
    r"""NFC, one blank for each run of white space, none at line ends, no empty lines at the start or end.

    >>> canonical_cell("  a \t b\n c ")
    'a b\nc'
    """
    lines = (" ".join(line.split()) for line in unicodedata.normalize("NFC", text).split("\n"))
    return "\n".join(lines).strip("\n")


def pad_rows(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """The rows padded with empty cells to the widest; spans below the last row are shortened.

    >>> [len(row) for row in pad_rows([[Cell("a"), Cell("b")], [Cell("c")]])]
    [2, 2]
    """
    widths = [0] * len(rows)
    shortened: list[list[Cell]] = []
    for index, row in enumerate(rows):
        shortened.append([])
        for cell in row:
            rowspan = min(cell.rowspan, len(rows) - index)
            shortened[-1].append(replace(cell, rowspan=rowspan))
            for below in range(index, index + rowspan):
                widths[below] += cell.colspan
    widest = max(widths, default=0)
    return tuple(
        (*row, *(Cell() for _ in range(widest - width))) for row, width in zip(shortened, widths, strict=True)
    )


def place_cells(table: Table) -> tuple[list[list[int]], int]:
    """The grid column of each cell, row by row, and the number of columns.

    Raises BadTable for no cells, rows of unequal width, and spans that overlap or extend below the last row.
    """
    if not any(table.rows):
        raise BadTable(gettext_noop("The table has no cells. Add a row and fill it in."))
    occupied: list[set[int]] = [set() for _ in table.rows]
    columns: list[list[int]] = []
    for index, row in enumerate(table.rows):
        columns.append([])
        column = 0
        for number, cell in enumerate(row, start=1):
            while column in occupied[index]:
                column += 1
            try:
                _occupy(occupied, index, column, cell)
            except BadTable as problem:
                raise problem.within(CELL, row=index + 1, cell=number) from None
            columns[-1].append(column)
            column += cell.colspan
    _check_widths(occupied)
    return columns, len(occupied[0])


def _occupy(occupied: list[set[int]], first_row: int, column: int, cell: Cell) -> None:
    if first_row + cell.rowspan > len(occupied):
        raise BadTable(
            gettext_noop(
                "rowspan %(span)s extends below the last row (rows: %(rows)s). Lower it or add rows."
            ),
            span=cell.rowspan,
            rows=len(occupied),
        )
    span = set(range(column, column + cell.colspan))
    for row in range(first_row, first_row + cell.rowspan):
        if overlap := occupied[row] & span:
            raise BadTable(
                gettext_noop(
                    "it overlaps another cell that extends into row %(row)s, column "
                    "%(column)s. Lower one of the spans."
                ),
                row=row + 1,
                column=min(overlap) + 1,
            )
        occupied[row] |= span


def _check_widths(occupied: list[set[int]]) -> None:
    width = len(occupied[0])
    for number, columns in enumerate(occupied, start=1):
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
