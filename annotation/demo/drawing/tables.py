"""Tables of the demo's pages: cells read from a small notation, their places, their ruled lines.

One row a line, cells between `|`. A cell that starts with `# ` is a header cell; `<` belongs to the cell on its left,
`^` to the cell above it; ` // ` breaks the line inside a cell. The ground truth is built from the same cells, so it
says what the pen writes.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.demo.drawing.line_markup import ScriptLine, read_line

PADDING = 0.42  # of the writing size, at each side of a cell
MIN_WIDTH = 0.8  # of the page's width


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell at its first row and column, both from 0."""

    row: int
    column: int
    lines: tuple[ScriptLine, ...]
    is_header: bool
    rowspan: int = 1
    colspan: int = 1


@dataclass(frozen=True, slots=True)
class TableScript:
    """The cells of a table in reading order, and its numbers of rows and columns."""

    cells: tuple[TableCell, ...]
    rows: int
    columns: int

    @property
    def truth(self) -> str:
        """The ground truth as HTML."""
        rows = ["".join(_element(cell) for cell in self.cells if cell.row == row) for row in range(self.rows)]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The lines of a table: x of each column's left edge and the right end, y of each row's top and the bottom."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]


def read_table(source: str) -> TableScript:
    """Parse a table from its notation. Raises ValueError for a merged cell without a cell to merge with.

    >>> read_table("# a | <\\nb | c").truth
    '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table>'
    """
    grid = [[cell.strip() for cell in line.split("|")] for line in source.strip("\n").split("\n")]
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for row, cells in enumerate(grid):
        for column, text in enumerate(cells):
            before = (row, column - 1) if text == "<" else (row - 1, column) if text == "^" else (row, column)
            if before != (row, column) and before not in owner:
                raise ValueError(f"row {row + 1}, column {column + 1}: there is no cell to join")
            owner[row, column] = owner.get(before, (row, column))
    merged = tuple(_cell(grid, anchor, owner) for anchor in sorted(set(owner.values())))
    return TableScript(merged, len(grid), len(grid[0]))


def _cell(
    grid: list[list[str]], corner: tuple[int, int], owner: dict[tuple[int, int], tuple[int, int]]
) -> TableCell:
    row, column = corner
    slots = [slot for slot, whose in owner.items() if whose == corner]
    text = grid[row][column]
    lines = tuple(read_line(line) for line in text.removeprefix("# ").split(" // "))
    return TableCell(
        row,
        column,
        lines,
        is_header=text.startswith("# "),
        rowspan=max(r for r, _ in slots) - row + 1,
        colspan=max(c for _, c in slots) - column + 1,
    )


def _element(cell: TableCell) -> str:
    tag = "th" if cell.is_header else "td"
    spans = "".join(
        f' {name}="{value}"'
        for name, value in (("rowspan", cell.rowspan), ("colspan", cell.colspan))
        if value > 1
    )
    words = "<br>".join(html.escape(line.truth, quote=False) for line in cell.lines)
    return f"<{tag}{spans}>{words}</{tag}>"


def plan_table(
    table: TableScript, length: Callable[[ScriptLine], float], size: float, pitch: float, width: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Widths of the columns and heights of the rows, in pixels, for writing of this size.

    `length` measures a line. Columns are widened in proportion where the table would take less than MIN_WIDTH of
    `width`.
    """
    widths = [2.4 * size] * table.columns
    heights = [pitch + PADDING * size] * table.rows
    for cell in sorted(table.cells, key=lambda cell: (cell.colspan, cell.rowspan)):
        across = slice(cell.column, cell.column + cell.colspan)
        wanted = max(length(line) for line in cell.lines) + 2 * PADDING * size
        short = max(0.0, wanted - sum(widths[across])) / cell.colspan
        widths[across] = [column_width + short for column_width in widths[across]]
        down = slice(cell.row, cell.row + cell.rowspan)
        low = max(0.0, len(cell.lines) * pitch + PADDING * size - sum(heights[down])) / cell.rowspan
        heights[down] = [row_height + low for row_height in heights[down]]
    grown = max(1.0, MIN_WIDTH * width / sum(widths))
    return tuple(column_width * grown for column_width in widths), tuple(heights)


def ruled_lines(table: TableScript, plan: TablePlan) -> Iterator[tuple[float, float, float, float]]:
    """The lines to draw as x0, y0, x1, y1: whole strokes, interrupted only by merged cells."""
    owner = {
        (row, column): number
        for number, cell in enumerate(table.cells)
        for row in range(cell.row, cell.row + cell.rowspan)
        for column in range(cell.column, cell.column + cell.colspan)
    }
    for row in range(table.rows + 1):
        drawn = [owner.get((row - 1, column)) != owner.get((row, column)) for column in range(table.columns)]
        for first, last in _runs(drawn):
            yield plan.xs[first], plan.ys[row], plan.xs[last], plan.ys[row]
    for column in range(table.columns + 1):
        drawn = [owner.get((row, column - 1)) != owner.get((row, column)) for row in range(table.rows)]
        for first, last in _runs(drawn):
            yield plan.xs[column], plan.ys[first], plan.xs[column], plan.ys[last]


def _runs(is_drawn: list[bool]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for index, drawn in enumerate([*is_drawn, False]):
        if drawn:
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None
