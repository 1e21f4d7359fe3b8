"""Two versions of a table as fields: the structure, then each cell's text; and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from evaluation.errors import gettext_noop
from evaluation.payloads.alignment import Step, align_likes
from evaluation.payloads.fields import AssembledLabel, FieldKind, FieldPair, SettledField
from evaluation.payloads.grid import BadTable, Cell, Table, canonical_cell, lay_out
from evaluation.payloads.table import read_table, write_table
from evaluation.payloads.text import validate_characters

_ALONE = 0.6
Place = tuple[int, int]
"""Grid row and column of a cell's upper left corner, from 0."""


@dataclass(frozen=True, slots=True)
class _Grid:
    cells: dict[Place, Cell]  # in reading order
    height: int
    width: int

    def row(self, at: int, columns: Sequence[int] | None = None) -> tuple[str, ...]:
        wanted = range(self.width) if columns is None else columns
        return tuple(self.text(at, column) for column in wanted)

    def column(self, at: int, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.text(row, at) for row in rows)

    def text(self, row: int, column: int) -> str:
        cell = self.cells.get((row, column))
        return "" if cell is None else cell.text


def _grid(table: Table) -> _Grid:
    columns, width = lay_out(table)
    cells = {
        (at, column): cell
        for at, row in enumerate(table.rows)
        for cell, column in zip(row, columns[at], strict=True)
    }
    return _Grid(cells, len(table.rows), width)


def skeleton(table: Table) -> str:
    """The structure alone: the table with empty cells."""
    return write_table(_fill(table, lambda at: ""))


def _fill(table: Table, text_at: Callable[[Place], str]) -> Table:
    columns, _ = lay_out(table)
    rows = (
        tuple(
            replace(cell, text=text_at((at, column))) for cell, column in zip(row, columns[at], strict=True)
        )
        for at, row in enumerate(table.rows)
    )
    return Table(tuple(rows))


def pair_tables(first: str, second: str) -> list[FieldPair]:
    """The structure, then the cells in reading order.

    Cells answer each other by their upper left corners, after rows and columns are aligned by what stands in them, so
    that an inserted row leaves all other cells as they are. A cell only one version has depends on the structure.
    """
    ours, theirs = read_table(first), read_table(second)
    mine, other = _grid(ours), _grid(theirs)
    bones, their_bones = skeleton(ours), skeleton(theirs)
    fields = [FieldPair(FieldKind.STRUCTURE, "structure", bones, their_bones, bones == their_bones)]
    for i, j in _pair_cells(mine, other, is_same=bones == their_bones):
        a = None if i is None else mine.cells[i].text
        b = None if j is None else other.cells[j].text
        fields.append(FieldPair(FieldKind.CELL, _key(i, j), a, b, a == b))
    return fields


def _key(first: Place | None, second: Place | None) -> str:
    """`r1c2` for one place in both versions, else `r1c2/r2c2`, `r1c2/-` or `-/r2c2`; counted from 1."""
    names = ["-" if place is None else f"r{place[0] + 1}c{place[1] + 1}" for place in (first, second)]
    return names[0] if names[0] == names[1] else "/".join(names)


def _places(key: str) -> tuple[Place | None, Place | None]:
    first, _, second = key.partition("/")
    return _place(first), _place(second or first)


def _place(name: str) -> Place | None:
    if name == "-":
        return None
    row, _, column = name[1:].partition("c")
    return int(row) - 1, int(column) - 1


def _pair_cells(mine: _Grid, other: _Grid, *, is_same: bool) -> list[tuple[Place | None, Place | None]]:
    """Pairs and lone cells in reading order of the merged grid."""
    if is_same:
        return [(place, place) for place in mine.cells]
    rows, columns = _align(mine, other)
    row_of = {i: j for i, j in rows if i is not None and j is not None}
    column_of = {i: j for i, j in columns if i is not None and j is not None}
    row_rank = _ranks(rows)
    pairs: list[tuple[Place | None, Place | None]] = []
    answered: set[Place] = set()
    for place in mine.cells:
        row, column = row_of.get(place[0]), column_of.get(place[1])
        found = (row, column) if row is not None and column is not None else None
        partner = found if found in other.cells else None
        if partner is not None:
            answered.add(partner)
        pairs.append((place, partner))
    pairs += [(None, place) for place in other.cells if place not in answered]
    return sorted(pairs, key=lambda pair: _rank(pair, row_rank))


def _ranks(steps: Sequence[Step]) -> tuple[dict[int, int], dict[int, int]]:
    first = {i: rank for rank, (i, _) in enumerate(steps) if i is not None}
    second = {j: rank for rank, (_, j) in enumerate(steps) if j is not None}
    return first, second


def _rank(pair: tuple[Place | None, Place | None], ranks: tuple[dict[int, int], dict[int, int]]) -> int:
    place, partner = pair
    if place is not None:
        return ranks[0][place[0]]
    return ranks[1][partner[0]] if partner is not None else 0


def _align(mine: _Grid, other: _Grid) -> tuple[list[Step], list[Step]]:
    """Rows, then columns by the rows that answer each other, then rows again by these columns."""
    rows = align_likes(
        [mine.row(i) for i in range(mine.height)],
        [other.row(j) for j in range(other.height)],
        _distance,
        alone=_ALONE,
    )
    shared = [(i, j) for i, j in rows if i is not None and j is not None]
    columns = align_likes(
        [mine.column(i, [a for a, _ in shared]) for i in range(mine.width)],
        [other.column(j, [b for _, b in shared]) for j in range(other.width)],
        _cell_distance,
        alone=_ALONE,
    )
    return rows, columns


def _distance(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    return Levenshtein.normalized_distance("\x1f".join(a), "\x1f".join(b))


def _cell_distance(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Mean over the rows of how far the two cells lie apart; empty cells say nothing."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x or y]
    if not pairs:
        return 0.0
    return sum(Levenshtein.normalized_distance(x, y) for x, y in pairs) / len(pairs)


def check_table_value(pair: FieldPair, value: str | None) -> str | None:
    """The canonical form of a value written for a field. Raises a BadPayload.

    A structure is a whole table; its cells' texts count only where no cell of the two versions answers. A cell that is
    left out is empty where the structure has it.
    """
    if pair.kind is FieldKind.CELL:
        if value is None:
            return None
        validate_characters(value)
        return canonical_cell(value)
    if value is None:
        raise BadTable(gettext_noop("Choose one of the versions, or write a new one."))
    table = read_table(value)
    bones = skeleton(table)
    return bones if bones in (pair.first, pair.second) else write_table(table)


def table_keys(text: str) -> list[tuple[FieldKind, str]]:
    """The fields of one version, in order: the structure, then each cell by its corner."""
    cells = [(FieldKind.CELL, _key(place, place)) for place in _grid(read_table(text)).cells]
    return [(FieldKind.STRUCTURE, "structure"), *cells]


def moot_table_fields(settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
    """Open cells that the settled structure has no place for."""
    structure = next((one for one in settled if one.pair.kind is FieldKind.STRUCTURE), None)
    if structure is None or structure.value is None:
        return []
    every = [one.pair for one in settled if one.pair.kind is FieldKind.CELL] + list(still_open)
    placed = {id(pair) for pair in _cells_at(structure, every).values()}
    return [pair for pair in still_open if pair.kind is FieldKind.CELL and id(pair) not in placed]


def assemble_table(settled: Sequence[SettledField]) -> AssembledLabel:
    """The table from its settled fields: the agreed structure, filled with the agreed cells."""
    at_structure = next(at for at, one in enumerate(settled) if one.pair.kind is FieldKind.STRUCTURE)
    structure = settled[at_structure]
    answers = {id(one.pair): at for at, one in enumerate(settled)}
    placed = {
        place: answers[id(pair)] for place, pair in _cells_at(structure, [s.pair for s in settled]).items()
    }
    table = read_table(structure.value or "")
    grid = _grid(table)

    def text_at(place: Place) -> str:
        at = placed.get(place)
        return grid.cells[place].text if at is None else settled[at].value or ""

    sources = [at_structure, *(placed.get(place, at_structure) for place in grid.cells)]
    return AssembledLabel(write_table(_fill(table, text_at)), tuple(sources))


def _cells_at(structure: SettledField, pairs: Sequence[FieldPair]) -> dict[Place, FieldPair]:
    """Which field fills each cell of the settled structure; a new structure is aligned with both versions."""
    cells = [(pair, *_places(pair.key)) for pair in pairs if pair.kind is FieldKind.CELL]
    by_first = {first: pair for pair, first, _ in cells if first is not None}
    by_second = {second: pair for pair, _, second in cells if second is not None}
    value = structure.value or ""
    if value == structure.pair.first:
        return by_first
    if value == structure.pair.second:
        return by_second
    new = _grid(read_table(value))
    found: dict[Place, FieldPair] = {}
    used: set[str] = set()
    for bones, fields, is_first in (
        (structure.pair.first, by_first, True),
        (structure.pair.second, by_second, False),
    ):
        version = _version(bones or "", fields, is_first=is_first)
        for place, answer in _pair_cells(version, new, is_same=False):
            pair = None if place is None else fields.get(place)
            if pair is not None and answer is not None and answer not in found and pair.key not in used:
                found[answer] = pair
                used.add(pair.key)
    return found


def _version(bones: str, fields: dict[Place, FieldPair], *, is_first: bool) -> _Grid:
    """One of the two versions as it was, from its structure and its cells."""
    texts = {place: (pair.first if is_first else pair.second) or "" for place, pair in fields.items()}
    return _grid(_fill(read_table(bones), lambda place: texts.get(place, "")))
