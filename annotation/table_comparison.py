"""The two versions of a disputed table: the rows around a cell, and where their structures differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotation.worksheets import FieldSheet
from evaluation.payloads.table import read_table
from evaluation.payloads.table_grid import Cell

_PLACE = re.compile(r"r(\d+)c(\d+)")
Place = tuple[int, int]
"""Row and column of a cell's upper left corner, from 1."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of one version; `number` is that of the difference it belongs to, 0 if there is none."""

    text: str
    is_header: bool
    rowspan: int
    colspan: int
    is_here: bool = False  # the cell the field is about
    number: int = 0
    is_first: bool = False  # of the cells with this number


@dataclass(frozen=True, slots=True)
class Difference:
    """One structural difference, seen from one version. It has the same number in both versions."""

    number: int
    kind: str  # "row", "column", "cell": in one version only; "shape": other spans or kind of cell
    is_here: bool  # for "row", "column", "cell": whether this version has it
    row: int
    column: int
    cell: Cell | None = None  # for "shape": in this version
    other: Cell | None = None  # and in the other one


@dataclass(frozen=True, slots=True)
class MarkedTable:
    rows: tuple[tuple[ShownCell, ...], ...]
    differences: tuple[Difference, ...]


def any_place(field: FieldSheet) -> Place | None:
    """The place of a cell: the annotator's where both versions have it."""
    match = _PLACE.search(field.key)
    return (int(match[1]), int(match[2])) if match else None


def side_place(field: FieldSheet, side: str) -> Place | None:
    """The place of a cell in the version of one side (primary, second), if that version has it."""
    parts = field.key.split("/")
    match = _PLACE.fullmatch(parts[0] if side == "primary" else parts[-1])
    return (int(match[1]), int(match[2])) if match else None


def rows_around(fields: Sequence[FieldSheet], field: FieldSheet, side: str) -> list[list[ShownCell]]:
    """The rows around a cell in one version, with the cell marked.

    Spans are cut at the rows shown; a cell that starts above is in the first of them.
    """
    here, cells = side_place(field, side), _cells_of(fields, side)
    if here not in cells:
        return []
    height = max(row for row, _ in cells)
    first, last = max(1, here[0] - 1), min(height, here[0] + cells[here].rowspan)
    texts = _texts(fields, side)
    rows: list[list[tuple[int, ShownCell]]] = [[] for _ in range(first, last + 1)]
    for (row, column), cell in cells.items():
        start, end = max(row, first), min(row + cell.rowspan - 1, last)
        if start <= end:
            shown = ShownCell(
                text=texts.get((row, column), ""),
                is_header=cell.is_header,
                rowspan=end - start + 1,
                colspan=cell.colspan,
                is_here=(row, column) == here,
            )
            rows[start - first].append((column, shown))
    return [[shown for _, shown in sorted(row, key=lambda item: item[0])] for row in rows]


def marked_table(fields: Sequence[FieldSheet], side: str) -> MarkedTable | None:
    """A version's table with its texts, and the numbered differences of its structure from the other version's.

    Cells are paired like the fields of the discussion, so an inserted row is one difference. None where the versions
    have no structures to compare.
    """
    other = "second" if side == "primary" else "primary"
    own_cells, other_cells = _cells_of(fields, side), _cells_of(fields, other)
    if not own_cells or not other_cells:
        return None
    numbers: dict[tuple[str, str, int, int], int] = {}
    number_of_place: dict[Place, int] = {}
    differences: dict[int, Difference] = {}
    # Numbers depend on the annotator's version only, so that they mean the same in both tables.
    unpaired = {name: _unpaired_lines(fields, name) for name in ("primary", "second")}
    for field in fields:
        if field.kind != "cell":
            continue
        places = {name: side_place(field, name) for name in ("primary", "second")}
        here, there = places[side], places[other]
        if here is not None and there is not None:
            if _shape(own_cells[here]) == _shape(other_cells[there]):
                continue
            key = ("shape", "", *(places["primary"] or here))
            number = numbers.setdefault(key, len(numbers) + 1)
            differences[number] = Difference(
                number, "shape", True, *here, own_cells[here], other_cells[there]
            )
        else:
            owner = "primary" if places["primary"] is not None else "second"
            row, column = here or there or (0, 0)
            kind = unpaired[owner].get((row, column), "cell")
            key = (kind, owner, 0 if kind == "column" else row, 0 if kind == "row" else column)
            number = numbers.setdefault(key, len(numbers) + 1)
            differences.setdefault(number, Difference(number, kind, owner == side, row, column))
        if here is not None:
            number_of_place[here] = number
    return MarkedTable(
        tuple(_marked_rows(own_cells, _texts(fields, side), number_of_place)), tuple(differences.values())
    )


def _marked_rows(
    cells: dict[Place, Cell], texts: dict[Place, str], number_of_place: dict[Place, int]
) -> Iterator[tuple[ShownCell, ...]]:
    seen: set[int] = set()
    for row in range(1, max(row for row, _ in cells) + 1):
        shown: list[ShownCell] = []
        for place in sorted(place for place in cells if place[0] == row):
            cell, number = cells[place], number_of_place.get(place, 0)
            is_first = number > 0 and number not in seen
            seen.add(number)
            shown.append(
                ShownCell(
                    texts.get(place, ""),
                    cell.is_header,
                    cell.rowspan,
                    cell.colspan,
                    number=number,
                    is_first=is_first,
                )
            )
        yield tuple(shown)


def _shape(cell: Cell) -> tuple[bool, int, int]:
    return cell.is_header, cell.rowspan, cell.colspan


def _unpaired_lines(fields: Iterable[FieldSheet], side: str) -> dict[Place, str]:
    """Cells in rows, or else columns, that are in this version only: place -> "row" or "column"."""
    other = "second" if side == "primary" else "primary"
    is_alone = {
        place: side_place(field, other) is None
        for field in fields
        if field.kind == "cell" and (place := side_place(field, side)) is not None
    }
    rows = {row for row, _ in is_alone}
    rows -= {row for (row, _), alone in is_alone.items() if not alone}
    columns = {column for row, column in is_alone if row not in rows}
    columns -= {column for (_, column), alone in is_alone.items() if not alone}
    return {
        place: "row" if place[0] in rows else "column"
        for place, alone in is_alone.items()
        if alone and (place[0] in rows or place[1] in columns)
    }


def _cells_of(fields: Iterable[FieldSheet], side: str) -> dict[Place, Cell]:
    """The cells of one version by place, without their texts; empty without a structure."""
    structure = next((field for field in fields if field.kind == "structure"), None)
    skeleton = structure and (structure.primary_text if side == "primary" else structure.second_text)
    if not skeleton:
        return {}
    table = read_table(skeleton)
    columns = table.cell_columns()
    return {
        (row_number, column + 1): cell
        for row_number, row in enumerate(table.rows, start=1)
        for cell, column in zip(row, columns[row_number - 1], strict=True)
    }


def _texts(fields: Iterable[FieldSheet], side: str) -> dict[Place, str]:
    return {
        place: (field.primary_text if side == "primary" else field.second_text) or ""
        for field in fields
        if field.kind == "cell" and (place := side_place(field, side)) is not None
    }
