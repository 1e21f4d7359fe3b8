"""Tables and formulas from the free text of an endpoint's reply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.table import canonical_table, validate_table, write_table
from evaluation.payloads.table_grid import (
    MAX_COLUMNS,
    MAX_ROWS,
    Cell,
    Table,
    canonical_cell,
    pad_rows,
    place_cells,
)

_TABLE = re.compile(r"<table\b.*</table\s*>", re.IGNORECASE | re.DOTALL)
_FORMULA = re.compile(
    r"\$\$(?P<dollars>.+?)\$\$"
    r"|\\\[(?P<bracket>.+?)\\\]"
    r"|(?P<environment>\\begin\{(?P<name>equation|align|gather)\*?\}.+?\\end\{(?P=name)\*?\})"
    r"|\\\((?P<round>.+?)\\\)"
    r"|(?<![\\$])\$(?P<one>[^$\n]+)\$",
    re.DOTALL,
)
_WRAPPER = re.compile(r"\\(?:begin|end)\{(?:equation|align|gather)\*?\}")
_BLOCKS = frozenset({"p", "div", "li", "ul", "ol"})
_SILENT = frozenset({"script", "style", "caption", "colgroup", "col"})


class NoTableInReply(LocalizedError, ValueError):
    """The reply contains no table that can be stored; the message says why."""


def parse_table(reply: str) -> str:
    """The canonical HTML of the table in a reply, without the text around it.

    Markup that a table cannot contain is reduced to its text; short rows are padded. Raises NoTableInReply.
    """
    match = _TABLE.search(reply)
    if match is None:
        raise NoTableInReply(_("the reply contains no <table>"))
    markup = match[0]
    try:
        validate_table(markup)
        return canonical_table(markup)
    except BadPayload:
        pass
    rows = _cleaned_rows(markup)
    if not any(rows):
        raise NoTableInReply(_("the table in the reply has no cells"))
    table = Table(pad_rows(rows))
    try:
        place_cells(table)
    except BadPayload as problem:
        raise NoTableInReply.from_error(problem).within(
            _("the table in the reply is not well formed")
        ) from problem
    return write_table(table)


def _cleaned_rows(markup: str) -> list[list[Cell]]:
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True)
    document = etree.fromstring(f"<html><body>{markup}</body></html>", parser=parser)
    table = document.find(".//table")
    if table is None:
        raise NoTableInReply(_("the reply contains no <table>"))
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    return [[_cell(cell) for cell in row if cell.tag in ("td", "th")] for row in rows]


def _cell(cell: Any) -> Cell:
    is_header = cell.tag == "th" or cell.getparent().getparent().tag == "thead"
    text = canonical_cell("".join(_texts(cell)))
    return Cell(text, is_header, _span(cell, "rowspan", MAX_ROWS), _span(cell, "colspan", MAX_COLUMNS))


def _span(cell: Any, name: str, most: int) -> int:
    match = re.match(r"\s*(\d{1,4})", cell.get(name) or "")
    return min(max(int(match[1]), 1), most) if match else 1


def _texts(element: Any) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if child.tag == "br":
            yield "\n"
        elif child.tag not in _SILENT:
            yield "\n" if child.tag in _BLOCKS else " " if child.tag in ("td", "tr") else ""
            yield from _texts(child)
        yield (child.tail or "").replace("\n", " ")


def parse_formulas(reply: str) -> tuple[str, ...]:
    """The LaTeX of each formula of a reply, in order; without delimiters each line is a formula.

    >>> parse_formulas("So:\\n$$a^2$$\\nand \\\\[b\\\\]")
    ('a^2', 'b')
    """
    formulas = [
        _WRAPPER.sub("", next(filter(None, (match[name] for name in _GROUPS)))).strip()
        for match in _FORMULA.finditer(reply)
    ]
    if not formulas and "\\" in reply:
        formulas = [line.strip() for line in reply.split("\n") if line.strip()]
    return tuple(latex for latex in formulas if latex)


_GROUPS = ("dollars", "bracket", "environment", "round", "one")


def formulas_to_markdown(formulas: tuple[str, ...]) -> str:
    """A formula page as Markdown: each formula as a display of its own."""
    return "\n\n".join(f"$$\n{latex}\n$$" for latex in formulas)
