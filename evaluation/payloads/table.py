"""The table payload: one HTML `<table>` of rows, spans, header cells and cell texts.

A cell's text contains words, inline `$..$` maths and line breaks. Other HTML is removed if it only concerns the
appearance (`FORMATTING_TAGS`, attributes, sections), converted to text of the same meaning (`<sup>2</sup>` to
`$^{2}$`), or refused with the reason. `write_table(read_table(text))` loses nothing that the payload allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from lxml import etree

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.table_grid import (
    CELL,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    BadTable,
    Cell,
    Table,
    canonical_cell,
    place_cells,
)
from evaluation.payloads.text import validate_characters

MAX_DEPTH = 100

FORMATTING_TAGS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "center",
        "cite",
        "code",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "pre",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
_BLOCK_TAGS = frozenset(
    ["p", "div", "li", "ul", "ol", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"]
)
_SECTION_TAGS = frozenset({"thead", "tbody", "tfoot"})
_IGNORED_TAGS = frozenset({"colgroup", "col"})
_WRAPPER_TAGS = frozenset({"html", "head", "body", "br"})
_BLOCK = "\x1e"  # the edge of a block: several together are one line break
_EDGE = re.compile(rf"\s*{_BLOCK}[\s{_BLOCK}]*")
_CELL_TAGS = frozenset({"td", "th"})
_MATH_TAGS = {"sup": "$^{%s}$", "sub": "$_{%s}$"}
_WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
_TABLE_WORD = re.compile(r"<\s*table\b", re.IGNORECASE)


def read_table(markup: str) -> Table:
    """The one table of the markup. Raises BadTable naming row and cell; the grid is checked by `place_cells`."""
    validate_characters(markup)
    if not _TABLE_WORD.search(markup):
        raise BadTable(gettext_noop("There is no <table>. Write one, or create a new grid."))
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    document = etree.fromstring(f"<html><body>{markup}</body></html>".encode(), parser=parser)
    tables: list[Any] = []
    outside = " ".join("".join(_outside_texts(document, tables)).split())
    if outside:
        raise BadTable(
            gettext_noop('There is text outside the table: "%(text)s". Move it into a cell or delete it.'),
            text=outside[:60],
        )
    if len(tables) != 1:
        raise BadTable(gettext_noop("Only one table per sample; found %(count)s."), count=len(tables))
    rows = tuple(_read_row(row, number) for number, row in enumerate(_rows(tables[0]), start=1))
    _check_size(rows)
    return Table(rows)


def _outside_texts(element: Any, tables: list[Any], depth: int = 0) -> Iterator[str]:
    """The texts outside the tables; appends each table to `tables`. Raises BadTable for other tags."""
    if element.tag == "table":
        tables.append(element)
        return
    if depth > MAX_DEPTH or element.tag not in FORMATTING_TAGS | _BLOCK_TAGS | _WRAPPER_TAGS:
        _refuse(element.tag)
    yield element.text or ""
    for child in element:
        yield from _outside_texts(child, tables, depth + 1)
        yield child.tail or ""


def _rows(table: Any) -> Iterator[Any]:
    for text in (table.text, *(child.tail for child in table)):
        _refuse_text(text)
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in _SECTION_TAGS:
            yield from _rows(child)
        elif child.tag == "caption":
            raise BadTable(
                gettext_noop("The table has a caption, which cannot be kept. Move its text into a cell.")
            )
        elif child.tag in _CELL_TAGS:
            raise BadTable(gettext_noop("A cell is outside any row. Put it in a <tr>."))
        elif child.tag not in _IGNORED_TAGS:
            _refuse(child.tag)


def _refuse_text(text: str | None) -> None:
    if text and text.strip():
        raise BadTable(
            gettext_noop('The text "%(text)s" is not in a cell. Put it in a <td>.'), text=text.strip()[:60]
        )


def _read_row(row: Any, number: int) -> tuple[Cell, ...]:
    in_head = row.getparent().tag == "thead"
    cells = []
    _refuse_text(row.text)
    for position, element in enumerate(row, start=1):
        try:
            _refuse_text(element.tail)
            if element.tag not in _CELL_TAGS:
                _refuse(element.tag)
            cells.append(
                Cell(
                    text=_cell_text(element),
                    is_header=in_head or element.tag == "th",
                    rowspan=_span(element, "rowspan", MAX_ROWS),
                    colspan=_span(element, "colspan", MAX_COLUMNS),
                )
            )
        except BadPayload as problem:
            raise problem.within(CELL, row=number, cell=position) from None
    return tuple(cells)


def _cell_text(element: Any) -> str:
    text = canonical_cell(_EDGE.sub("\n", "".join(_texts(element, 0))))
    validate_characters(text)  # an entity may stand for a character that is not allowed
    return text


def _texts(element: Any, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise BadTable(gettext_noop("Its tags are nested too deeply. Write plain text."))
    yield " ".join((element.text or "").split("\n"))
    for child in element:
        tag = child.tag
        if tag == "br":
            yield "\n"
        elif tag in _MATH_TAGS:
            yield _MATH_TAGS[tag] % canonical_cell("".join(_texts(child, depth + 1))).replace("$", "")
        elif tag == "math" and child.get("alttext"):
            yield f"${child.get('alttext')}$"
        elif tag in FORMATTING_TAGS:
            yield from _texts(child, depth + 1)
        elif tag in _BLOCK_TAGS:
            yield _BLOCK
            yield from _texts(child, depth + 1)
            yield _BLOCK
        else:
            _refuse(tag)
        yield " ".join((child.tail or "").split("\n"))


def _refuse(tag: object) -> None:
    if tag == "table":
        raise BadTable(
            gettext_noop("A cell contains another table. Turn its cells into rows of the main table.")
        )
    if tag == "math":
        raise BadTable(gettext_noop("A formula is written as <math>. Write it as $…$."))
    raise BadTable(gettext_noop("<%(tag)s> is not allowed in a table. Delete it."), tag=str(tag)[:40])


def _span(cell: Any, name: str, most: int) -> int:
    value = cell.get(name)
    if value is None:
        return 1
    if not _WHOLE_NUMBER.fullmatch(value.strip()) or int(value) > most:
        raise BadTable(
            gettext_noop(
                '%(name)s: "%(given)s" is not a whole number from 1 to %(most)s. Enter how '
                "many rows or columns the cell spans."
            ),
            name=name,
            given=value[:20],
            most=most,
        )
    return int(value)


def _check_size(rows: tuple[tuple[Cell, ...], ...]) -> None:
    if len(rows) > MAX_ROWS or sum(map(len, rows)) > MAX_CELLS:
        raise BadTable(
            gettext_noop(
                "The table is too large (rows: %(rows)s, cells: %(cells)s); the limit is "
                "%(most_rows)s rows and %(most_cells)s cells."
            ),
            rows=len(rows),
            cells=sum(map(len, rows)),
            most_rows=MAX_ROWS,
            most_cells=MAX_CELLS,
        )


def write_table(table: Table) -> str:
    """The canonical HTML: no blanks between tags, `thead` around the leading rows that have only header cells.

    >>> write_table(Table(((Cell("a & b", is_header=True),), (Cell("1\\n2"),))))
    '<table><thead><tr><th>a &amp; b</th></tr></thead><tbody><tr><td>1<br>2</td></tr></tbody></table>'
    """
    head = _head_rows(table)
    rows = ["<tr>" + "".join(map(_write_cell, row)) + "</tr>" for row in table.rows]
    if not head:
        return f"<table>{''.join(rows)}</table>"
    body = f"<tbody>{''.join(rows[head:])}</tbody>" if rows[head:] else ""
    return f"<table><thead>{''.join(rows[:head])}</thead>{body}</table>"


def _head_rows(table: Table) -> int:
    """The number of leading rows with header cells only, none of which spans into a later row."""
    count = 0
    while count < len(table.rows) and table.rows[count] and all(cell.is_header for cell in table.rows[count]):
        count += 1
    while count and any(
        index + cell.rowspan > count for index, row in enumerate(table.rows[:count]) for cell in row
    ):
        count -= 1
    return count


def _write_cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    rowspan = f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else ""
    colspan = f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    text = escape(cell.text, quote=False).replace("\n", "<br>")
    return f"<{tag}{rowspan}{colspan}>{text}</{tag}>"


def canonical_table(markup: str) -> str:
    """The canonical HTML of the one table in the markup. Raises BadTable."""
    return write_table(read_table(markup))


def validate_table(markup: str) -> None:
    """Raise BadTable for what cannot be submitted."""
    place_cells(read_table(markup))
