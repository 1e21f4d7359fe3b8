"""A model's free answer made into what a label of that structure holds; what cannot be is refused with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.grid import MAX_COLUMNS, MAX_ROWS, Cell, Table, canonical_cell, even_rows, lay_out
from evaluation.payloads.table import canonical_table, validate_table, write_table

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


class NoTable(LocalizedError, ValueError):
    """The answer holds no table of ours; the message says why."""


def table_of_answer(answer: str) -> str:
    """The canonical HTML of the table in an answer, without its fence or the words around it.

    Markup a table of ours cannot hold gives up its text; short rows are filled with empty cells. Raises NoTable.
    """
    found = _TABLE.search(answer)
    if found is None:
        raise NoTable(_("the reply contains no <table>"))
    markup = found[0]
    try:
        validate_table(markup)
        return canonical_table(markup)
    except BadPayload:
        pass
    rows = _cleaned_rows(markup)
    if not any(rows):
        raise NoTable(_("the table in the reply has no cells"))
    table = Table(even_rows(rows))
    try:
        lay_out(table)
    except BadPayload as problem:
        raise NoTable.from_error(problem).within(_("the table in the reply is not well formed")) from problem
    return write_table(table)


def _cleaned_rows(markup: str) -> list[list[Cell]]:
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True)
    document = etree.fromstring(f"<html><body>{markup}</body></html>", parser=parser)
    table = document.find(".//table")
    if table is None:
        raise NoTable(_("the reply contains no <table>"))
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    return [[_cell(cell) for cell in row if cell.tag in ("td", "th")] for row in rows]


def _cell(cell: Any) -> Cell:
    is_header = cell.tag == "th" or cell.getparent().getparent().tag == "thead"
    text = canonical_cell("".join(_texts(cell)))
    return Cell(text, is_header, _span(cell, "rowspan", MAX_ROWS), _span(cell, "colspan", MAX_COLUMNS))


def _span(cell: Any, name: str, most: int) -> int:
    given = re.match(r"\s*(\d{1,4})", cell.get(name) or "")
    return min(max(int(given[1]), 1), most) if given else 1


def _texts(element: Any) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if child.tag == "br":
            yield "\n"
        elif child.tag not in _SILENT:
            yield "\n" if child.tag in _BLOCKS else " " if child.tag in ("td", "tr") else ""
            yield from _texts(child)
        yield (child.tail or "").replace("\n", " ")


def formulas_of_answer(answer: str) -> tuple[str, ...]:
    """The LaTeX of each formula of an answer, in order; an answer without delimiters is one formula a line.

    >>> formulas_of_answer("So:\\n$$a^2$$\\nand \\\\[b\\\\]")
    ('a^2', 'b')
    """
    found = [
        _WRAPPER.sub("", next(filter(None, (one[name] for name in _GROUPS)))).strip()
        for one in _FORMULA.finditer(answer)
    ]
    if not found and "\\" in answer:
        found = [line.strip() for line in answer.split("\n") if line.strip()]
    return tuple(latex for latex in found if latex)


_GROUPS = ("dollars", "bracket", "environment", "round", "one")


def page_of_formulas(formulas: tuple[str, ...]) -> str:
    """A formula page as Markdown: each formula a display of its own."""
    return "\n\n".join(f"$$\n{latex}\n$$" for latex in formulas)
