r"""Arrays: cells separated by &, rows by \\ (TeXbook, chapter 22; LaTeX's \array; amsmath's \aligned).

An array keeps two kinds of groups open: ALIGN between rows, and CELL inside a cell. What `&` and `\\` do when groups
inside the cell are still open matters for broken input, so it follows TeX (§§ 785-792, 1127).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .boxes import pack, rule
from .dimensions import dimension_of
from .lexer import Token
from .machine import Machine
from .nodes import ORD, VCENTER, Atom, Box, DeferredBox, MathList
from .state import ALIGN, CELL, SHIFT, BrokenArgument, Meaning
from .text import set_text
from .typeset import set_list

STRUT_HEIGHT, STRUT_DEPTH = 10.15, 4.35  # .7 and .3 of \baselineskip at 12 pt
COLUMN_SEP, RULE = 5.0, 0.4
_MOST_CLOSED = 2  # with more open braces than this, TeX calls an & misplaced


@dataclass(slots=True)
class ArrayColumn:
    """A column: its alignment and the space on its sides."""

    align: str = "c"
    left: float = COLUMN_SEP
    right: float = COLUMN_SEP
    rules: int = 0  # vertical rules before it


@dataclass(slots=True)
class ArrayRow:
    """A row: boxes by column (column, columns spanned, alignment, box), and what comes before and after."""

    cells: list[tuple[int, int, str, Box]] = field(default_factory=list)
    contents: list[MathList] = field(default_factory=list)  # the cells' lists, for layout_tree.py
    rules_before: int = 0
    gap_before: float = 0.0
    more_depth: float = 0.0


@dataclass(slots=True)
class Alignment:
    """An array under construction."""

    columns: list[ArrayColumn]
    style: int = 2
    is_text: bool = False
    stretch: float = 1.0
    line_step: float = 0.0  # distance of baselines where rows are short; 0 = rows touch
    line_gap: float = 0.0
    repeats: bool = False  # columns repeat beyond the last (matrices)
    shrink_sides: float = 0.0  # space the environment removes at both ends
    rows: list[ArrayRow] = field(default_factory=list)
    column: int = 0
    span: int = 1
    cell_align: str = ""

    def start(self, machine: Machine) -> None:
        """Open the alignment and look for rows."""
        frame = machine.push(ALIGN)
        frame.state = self
        frame.family = -1
        self.rows.append(ArrayRow())
        self.column = 0

    # -- rows and cells ----------------------------------------------------------------------------------------

    def between_rows(self, machine: Machine, token: Token) -> None:
        """Between rows: rules and spaces are consumed, anything else starts a cell (§ 785)."""
        row = self.rows[-1]
        if token == " " or token in (r"\crcr", r"\relax", r"\noindent"):
            return
        if token in _RULES:
            row.rules_before += 1
            if token in (r"\cline", r"\cmidrule"):
                machine.argument()
            return
        if token == r"\noalign":
            machine.argument()
            return
        if token == r"\end":
            machine.meanings[r"\end"](machine, r"\end")
            return
        if token == "}":
            machine.error()
            return
        machine.input.append(token)
        self.start_cell(machine)

    def start_cell(self, machine: Machine) -> None:
        """Open the next cell."""
        frame = machine.push(CELL)
        frame.state = self
        frame.is_text = self.is_text
        frame.family = 0 if self.is_text else -1
        if self.repeats and self.column % 2:
            frame.items.append(Atom(ORD))
        self.span, self.cell_align = 1, ""

    def end_cell(self, machine: Machine) -> None:
        """Typeset the open cell, whose groups have all been closed."""
        items = machine.finished(machine.frame)
        machine.frames.pop()
        machine.frame = machine.frames[-1]
        machine.frame.color = 0
        box = self._set(items, machine.frame.bold)
        self.rows[-1].cells.append((self.column, self.span, self.cell_align, box))
        self.rows[-1].contents.append(items)
        self.column += self.span

    def _set(self, items: MathList, _bold: int) -> Box:
        if self.is_text:
            return set_text([item for item in items if item is not None], 0)
        return pack(set_list(items, self.style))

    def next_cell(self, machine: Machine) -> None:
        """&: the next column, or a new row where there is none (§ 792)."""
        self.end_cell(machine)
        if self.column >= len(self.columns):
            if not self.repeats:
                machine.error()
                self.next_row(machine)
                return
            self.columns.append(ArrayColumn(self.columns[self.column % 2].align if self.style == 0 else "c"))
        machine.skip_spaces()
        self.start_cell(machine)

    def next_row(self, machine: Machine, *, more: float = 0.0) -> None:
        r"""\\: start looking for another row; a positive length deepens this one, a negative one lifts the next."""
        self.rows[-1].more_depth = max(more, 0.0)
        self.rows.append(ArrayRow(gap_before=min(more, 0.0)))
        self.column = 0

    # -- the finished array ------------------------------------------------------------------------------------

    def finish(self, machine: Machine) -> None:
        """Close the alignment and add it, centred on the axis, to the enclosing list (§§ 800-812)."""
        machine.frames.pop()
        machine.frame = machine.frames[-1]
        box = self.box()
        rows: list[MathList] = [[item for items in row.contents for item in items] for row in self.rows]
        parts = tuple((f"row {number}", items) for number, items in enumerate(rows))
        machine.frame.items.append(Atom(VCENTER, [DeferredBox(lambda style: box, parts=parts)]))

    def box(self) -> Box:
        """All rows in their columns; unused columns have no width."""
        lefts, width = self._column_positions()
        kids: list[tuple[float, float, Box]] = []
        y = 0.0
        previous_depth: float | None = None
        for row in self.rows:
            y -= row.gap_before
            for _ in range(row.rules_before):
                kids.append((0.0, -y - RULE, rule(width, RULE, 0.0, 0)))
                y += RULE
            if not row.cells:
                continue
            height = max(STRUT_HEIGHT * self.stretch, *(box.height for *_, box in row.cells))
            depth = max(STRUT_DEPTH * self.stretch, *(box.depth for *_, box in row.cells))
            if row.more_depth:
                depth = max(depth, STRUT_DEPTH * self.stretch + row.more_depth)
            if self.line_step and previous_depth is not None:
                gap = self.line_step - previous_depth - height
                y += gap if gap >= self.line_gap - 1 else self.line_gap
            y += height
            kids += self._place(row, lefts, -y)
            y += depth
            previous_depth = depth
        return Box(width, y, 0.0, [(x, y + dy, kid) for x, dy, kid in kids])

    def _place(
        self, row: ArrayRow, lefts: list[tuple[float, float]], y: float
    ) -> list[tuple[float, float, Box]]:
        placed = []
        for column, span, align, box in row.cells:
            start = lefts[column][0]
            last = lefts[min(column + span, len(lefts)) - 1]
            room = last[0] + last[1] - start - box.width
            align = align or self.columns[column].align
            placed.append((start + {"l": 0.0, "r": room}.get(align, room / 2), y, box))
        return placed

    def _column_positions(self) -> tuple[list[tuple[float, float]], float]:
        """(left edge, width) of every used column, and the total width."""
        used = max((column + span for row in self.rows for column, span, _, _ in row.cells), default=0)
        widths = [0.0] * used
        for row in self.rows:
            for column, span, _, box in row.cells:
                if span == 1:
                    widths[column] = max(widths[column], box.width)
        x = -self.shrink_sides
        positions = []
        for number, width in enumerate(widths):
            form = self.columns[min(number, len(self.columns) - 1)]
            x += form.left + form.rules * RULE
            positions.append((x, width))
            x += width + form.right
        return positions, max(x - self.shrink_sides, 0.0)


_RULES = {r"\hline", r"\toprule", r"\midrule", r"\bottomrule", r"\cline", r"\cmidrule"}


def _innermost(machine: Machine) -> tuple[Alignment, int, int] | None:
    """The alignment of the nearest open cell, that cell's depth, and the explicit braces open above it."""
    braces = 0
    for index in range(len(machine.frames) - 1, -1, -1):
        frame = machine.frames[index]
        if frame.kind == CELL:
            return frame.state, index, braces
        if frame.kind in (SHIFT, ALIGN):
            return None
        braces += frame.explicit
    return None


def _ampersand(machine: Machine, token: str) -> None:
    cell = _innermost(machine)
    if cell is None:
        machine.error()
        return
    alignment, depth, braces = cell
    if braces > _MOST_CLOSED:
        machine.error()
    elif braces:
        machine.error()
        machine.push_back(token)
        machine.right_brace()
    else:
        machine.close_all(depth + 1)
        alignment.next_cell(machine)


def _row_end(machine: Machine, token: str) -> None:
    cell = _innermost(machine)
    length = _row_skip(machine) if token != r"\crcr" else 0.0
    if cell is None:
        if token in (r"\cr", r"\crcr"):
            machine.error()
        return
    alignment, depth, braces = cell
    if token in (r"\cr", r"\crcr") and braces:
        machine.error()
        if braces <= _MOST_CLOSED:
            machine.push_back(token)
            machine.right_brace()
        return
    machine.close_all(depth + 1)
    alignment.end_cell(machine)
    alignment.next_row(machine, more=length)


def _row_skip(machine: Machine) -> float:
    """The optional [length] after a row end."""
    machine.skip_spaces()
    stack = machine.input
    if stack and stack[-1] == "*":
        stack.pop()
    try:
        tokens = machine.optional_argument()
    except BrokenArgument:
        return 0.0
    if tokens is None:
        return 0.0
    return dimension_of(machine, tokens)


def _multicolumn(machine: Machine, _token: str) -> None:
    cell = _innermost(machine)
    count = "".join(str(token) for token in reversed(machine.argument()))
    spec = [token for token in reversed(machine.argument()) if token in ("l", "c", "r")]
    body = machine.argument()
    machine.input.extend(body)
    if cell is not None and count.strip().isdecimal() and len(count) < 4:
        cell[0].span, cell[0].cell_align = max(int(count), 1), str(spec[0]) if spec else "c"


HANDLERS: dict[str, Meaning] = {
    "&": _ampersand,
    r"\\": _row_end,
    r"\cr": _row_end,
    r"\crcr": _row_end,
    r"\tabularnewline": _row_end,
    r"\newline": _row_end,
    r"\multicolumn": _multicolumn,
}
