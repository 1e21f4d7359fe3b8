"""The fields of a table (structure, text of each cell) and the table from its settled fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from evaluation.errors import gettext_noop
from evaluation.payloads.alignment import Step, align_similar
from evaluation.payloads.fields import AssembledLabel, FieldKind, FieldPair, SettledField
from evaluation.payloads.table import read_table, write_table
from evaluation.payloads.table_grid import BadTable, Cell, Table, canonical_cell, place_cells
from evaluation.payloads.text import validate_characters

_GAP_COST = 0.6
Position = tuple[int, int]
"""Grid row and column, from 0, of a cell's upper left corner."""


@dataclass(frozen=True, slots=True)
class _Grid:
    cells: dict[Position, Cell]  # in reading order
    height: int
    width: int

    def row(self, index: int, columns: Sequence[int] | None = None) -> tuple[str, ...]:
        wanted = range(self.width) if columns is None else columns
        return tuple(self.text(index, column) for column in wanted)

    def column(self, index: int, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.text(row, index) for row in rows)

    def text(self, row: int, column: int) -> str:
        cell = self.cells.get((row, column))
        return "" if cell is None else cell.text


def _grid(table: Table) -> _Grid:
    columns, width = place_cells(table)
    cells = {
        (index, column): cell
        for index, row in enumerate(table.rows)
        for cell, column in zip(row, columns[index], strict=True)
    }
    return _Grid(cells, len(table.rows), width)


def write_structure(table: Table) -> str:
    """The structure as HTML: the table with empty cells."""
    return write_table(_fill(table, lambda position: ""))


def _fill(table: Table, text_at: Callable[[Position], str]) -> Table:
    columns, _ = place_cells(table)
    rows = (
        tuple(
            replace(cell, text=text_at((index, column)))
            for cell, column in zip(row, columns[index], strict=True)
        )
        for index, row in enumerate(table.rows)
    )
    return Table(tuple(rows))


def pair_tables(first: str, second: str) -> list[FieldPair]:
    """The structure, then the cells in reading order.

    Cells are paired by their upper left corners after rows and columns are aligned by their texts, so that an inserted
    row does not change the pairs of other cells. A cell in only one version depends on the structure.
    """
    first_table, second_table = read_table(first), read_table(second)
    first_grid, second_grid = _grid(first_table), _grid(second_table)
    structures = write_structure(first_table), write_structure(second_table)
    is_same = structures[0] == structures[1]
    fields = [FieldPair(FieldKind.STRUCTURE, "structure", *structures, is_same)]
    for i, j in _pair_cells(first_grid, second_grid, is_same=is_same):
        a = None if i is None else first_grid.cells[i].text
        b = None if j is None else second_grid.cells[j].text
        fields.append(FieldPair(FieldKind.CELL, _key(i, j), a, b, a == b))
    return fields


def _key(first: Position | None, second: Position | None) -> str:
    """`r1c2` for one position in both versions, else `r1c2/r2c2`, `r1c2/-` or `-/r2c2`; counted from 1."""
    names = [
        "-" if position is None else f"r{position[0] + 1}c{position[1] + 1}" for position in (first, second)
    ]
    return names[0] if names[0] == names[1] else "/".join(names)


def _parse_key(key: str) -> tuple[Position | None, Position | None]:
    first, _, second = key.partition("/")
    return _parse_position(first), _parse_position(second or first)


def _parse_position(name: str) -> Position | None:
    if name == "-":
        return None
    row, _, column = name[1:].partition("c")
    return int(row) - 1, int(column) - 1


def _pair_cells(
    first: _Grid, second: _Grid, *, is_same: bool
) -> list[tuple[Position | None, Position | None]]:
    """Paired and unpaired cells in reading order of the merged grid."""
    if is_same:
        return [(position, position) for position in first.cells]
    rows, columns = _align(first, second)
    row_of = {i: j for i, j in rows if i is not None and j is not None}
    column_of = {i: j for i, j in columns if i is not None and j is not None}
    row_rank = _ranks(rows)
    pairs: list[tuple[Position | None, Position | None]] = []
    paired: set[Position] = set()
    for position in first.cells:
        row, column = row_of.get(position[0]), column_of.get(position[1])
        candidate = (row, column) if row is not None and column is not None else None
        partner = candidate if candidate in second.cells else None
        if partner is not None:
            paired.add(partner)
        pairs.append((position, partner))
    pairs += [(None, position) for position in second.cells if position not in paired]
    return sorted(pairs, key=lambda pair: _rank(pair, row_rank))


def _ranks(steps: Sequence[Step]) -> tuple[dict[int, int], dict[int, int]]:
    first = {i: rank for rank, (i, _) in enumerate(steps) if i is not None}
    second = {j: rank for rank, (_, j) in enumerate(steps) if j is not None}
    return first, second


def _rank(pair: tuple[Position | None, Position | None], ranks: tuple[dict[int, int], dict[int, int]]) -> int:
    position, partner = pair
    if position is not None:
        return ranks[0][position[0]]
    return ranks[1][partner[0]] if partner is not None else 0


def _align(first: _Grid, second: _Grid) -> tuple[list[Step], list[Step]]:
    """Alignment of the rows, and of the columns by the texts in the paired rows."""
    rows = align_similar(
        [first.row(i) for i in range(first.height)],
        [second.row(j) for j in range(second.height)],
        _distance,
        gap=_GAP_COST,
    )
    shared = [(i, j) for i, j in rows if i is not None and j is not None]
    columns = align_similar(
        [first.column(i, [a for a, _ in shared]) for i in range(first.width)],
        [second.column(j, [b for _, b in shared]) for j in range(second.width)],
        _cell_distance,
        gap=_GAP_COST,
    )
    return rows, columns


def _distance(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    return Levenshtein.normalized_distance("\x1f".join(a), "\x1f".join(b))


def _cell_distance(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Mean distance of the two cells over the rows, without rows in which both are empty."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x or y]
    if not pairs:
        return 0.0
    return sum(Levenshtein.normalized_distance(x, y) for x, y in pairs) / len(pairs)


def check_table_value(pair: FieldPair, value: str | None) -> str | None:
    """The canonical form of a value written for a field. Raises a BadPayload.

    A structure is a whole table; the texts of its cells are used only where neither version has a cell. A cell that is
    left out becomes empty if the structure contains it.
    """
    if pair.kind is FieldKind.CELL:
        if value is None:
            return None
        validate_characters(value)
        return canonical_cell(value)
    if value is None:
        raise BadTable(gettext_noop("Choose one of the versions, or write a new one."))
    table = read_table(value)
    structure = write_structure(table)
    return structure if structure in (pair.first, pair.second) else write_table(table)


def table_keys(text: str) -> list[tuple[FieldKind, str]]:
    """The fields of one version, in order: the structure, then each cell by its upper left corner."""
    cells = [(FieldKind.CELL, _key(position, position)) for position in _grid(read_table(text)).cells]
    return [(FieldKind.STRUCTURE, "structure"), *cells]


def obsolete_table_fields(
    settled: Sequence[SettledField], still_open: Sequence[FieldPair]
) -> list[FieldPair]:
    """Open cells that the settled structure does not contain."""
    structure = next((field for field in settled if field.pair.kind is FieldKind.STRUCTURE), None)
    if structure is None or structure.value is None:
        return []
    cell_pairs = [field.pair for field in settled if field.pair.kind is FieldKind.CELL] + list(still_open)
    placed = {id(pair) for pair in _fill_structure(structure, cell_pairs).values()}
    return [pair for pair in still_open if pair.kind is FieldKind.CELL and id(pair) not in placed]


def assemble_table(settled: Sequence[SettledField]) -> AssembledLabel:
    """The table from its settled fields: the settled structure, filled with the settled cells."""
    structure_index = next(
        index for index, field in enumerate(settled) if field.pair.kind is FieldKind.STRUCTURE
    )
    structure = settled[structure_index]
    index_of = {id(field.pair): index for index, field in enumerate(settled)}
    fill = _fill_structure(structure, [field.pair for field in settled])
    source_of = {position: index_of[id(pair)] for position, pair in fill.items()}
    table = read_table(structure.value or "")
    grid = _grid(table)

    def text_at(position: Position) -> str:
        index = source_of.get(position)
        return grid.cells[position].text if index is None else settled[index].value or ""

    sources = [structure_index, *(source_of.get(position, structure_index) for position in grid.cells)]
    return AssembledLabel(write_table(_fill(table, text_at)), tuple(sources))


def _fill_structure(structure: SettledField, pairs: Sequence[FieldPair]) -> dict[Position, FieldPair]:
    """The field for each cell of the settled structure; a new structure is aligned with both versions."""
    cells = [(pair, *_parse_key(pair.key)) for pair in pairs if pair.kind is FieldKind.CELL]
    by_first = {first: pair for pair, first, _ in cells if first is not None}
    by_second = {second: pair for pair, _, second in cells if second is not None}
    value = structure.value or ""
    if value == structure.pair.first:
        return by_first
    if value == structure.pair.second:
        return by_second
    new = _grid(read_table(value))
    fields_by_position: dict[Position, FieldPair] = {}
    used: set[str] = set()
    for version_structure, fields, is_first in (
        (structure.pair.first, by_first, True),
        (structure.pair.second, by_second, False),
    ):
        version = _version_grid(version_structure or "", fields, is_first=is_first)
        for position, target in _pair_cells(version, new, is_same=False):
            pair = None if position is None else fields.get(position)
            if pair is None or target is None or target in fields_by_position or pair.key in used:
                continue
            fields_by_position[target] = pair
            used.add(pair.key)
    return fields_by_position


def _version_grid(structure: str, fields: dict[Position, FieldPair], *, is_first: bool) -> _Grid:
    """One of the two versions, restored from its structure and its cells."""
    texts = {position: (pair.first if is_first else pair.second) or "" for position, pair in fields.items()}
    return _grid(_fill(read_table(structure), lambda position: texts.get(position, "")))
