"""Tables and outlines as Hypothesis draws them: all that the payloads allow."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import strategies as st

from evaluation.payloads.table_grid import Cell, Table, canonical_cell

_words = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab &<>\"'$\\|中ſé\n⟦"), st.characters(codec="utf-8", exclude_categories=["Cc"])
    ),
    max_size=12,
)
_maths = st.sampled_from(["$x^2$", r"$\frac{a}{b}$ m", "H$_{2}$O", "a < $y_1$\nb & c", "⟦masked⟧ $|x|$"])
texts = st.one_of(_words, _maths).map(canonical_cell)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A sound table: a grid cut into cells, some of them spanning."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    taken: set[tuple[int, int]] = set()
    rows = []
    for row in range(height):
        cells = []
        for column in range(width):
            if (row, column) in taken:
                continue
            down, across = draw(st.integers(1, height - row)), draw(st.integers(1, width - column))
            while any((row, column + offset) in taken for offset in range(across)):
                across -= 1
            taken |= {(row + i, column + j) for i in range(down) for j in range(across)}
            cells.append(Cell(draw(texts), draw(st.booleans()), down, across))
        rows.append(tuple(cells))
    return Table(tuple(rows))


@st.composite
def rewritten(draw: st.DrawFn, table: Table) -> Table:
    """The same table with some of its cells written otherwise, some headers cells and the other way round."""

    def other(cell: Cell) -> Cell:
        what = draw(st.sampled_from(["same", "same", "text", "header"]))
        text = draw(texts) if what == "text" else cell.text
        return replace(cell, text=text, is_header=cell.is_header != (what == "header"))

    return Table(tuple(tuple(other(cell) for cell in row) for row in table.rows))


@st.composite
def stars(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """A simple polygon: corners around a centre, in the order of their angles."""
    angles = sorted(draw(st.sets(st.integers(0, 23), min_size=4, max_size=12)))
    if max(b - a for a, b in zip(angles, [*angles[1:], angles[0] + 24], strict=True)) >= 11:
        angles = list(range(0, 24, 3))
    reach = draw(st.lists(st.integers(40, 400), min_size=len(angles), max_size=len(angles)))
    x, y = draw(st.integers(400, 600)), draw(st.integers(400, 600))
    turns = [math.tau * angle / 24 for angle in angles]
    return tuple(
        (round(x + r * math.cos(t)), round(y + r * math.sin(t))) for t, r in zip(turns, reach, strict=True)
    )


@st.composite
def hexagrams(draw: st.DrawFn) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Two triangles whose IoU is 1/2: one and its reflection at its centroid. Sides cross at thirds of pixels."""
    ax, ay, bx, by = (draw(st.integers(least, 999)) for least in (1, -999, -999, -999))
    if ax * by == bx * ay:
        bx, by = ay + 1, -ax - 1
    offsets = ((ax, ay), (bx, by), (-ax - bx, -ay - by))
    return tuple((2_000 + x, 2_000 + y) for x, y in offsets), tuple(
        (2_000 - x, 2_000 - y) for x, y in offsets
    )
