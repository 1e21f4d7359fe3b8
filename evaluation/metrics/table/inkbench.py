"""Tables as `inkbench-1` compares them: rows of cells, independent of the markup.

Nodes are rows and cells only. Header cells are cells (text and spans count); sections, captions and column groups are
not nodes; inline tags are ignored except `sup` and `sub`, which change the content. White space in a cell is one
blank, text is NFC. Spans that are not positive integers are repaired, and every repair is reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from evaluation.metrics.table.fast_parser import PlainRules, read_plain_table, split_tags, tag_token
from evaluation.metrics.table.parse import TagTokens, check_depth, check_length, replace_invalid_characters
from evaluation.metrics.table.pipe_table import find_pipe_tables
from evaluation.metrics.table.tree import Forest, NodeLabel

_PARSER = etree.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
_OUTER_TABLES = etree.XPath("//table[not(ancestor::table)]")
_WHOLE_NUMBER = re.compile(r"\s*\+?(\d+)")
_ENCODING_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_CELLS = frozenset({"td", "th"})
_MEANT = frozenset({"sup", "sub"})
_BREAKS = frozenset({"br", "p", "div", "li", "tr", "td", "th", "table", "ul", "ol", "hr"})
_UNSEEN = frozenset({"caption", "colgroup", "col", "script", "style", "template"})
_MOST_COLUMNS = 1_000
_MOST_ROWS = 65_534


@dataclass(frozen=True, slots=True)
class InkbenchTable:
    """One table: a tree of rows and cells below a `table` root, and the repairs made."""

    forest: Forest
    repairs: tuple[str, ...]

    @property
    def cells(self) -> list[tuple[int, int]]:
        """(row, cell in the row) of each cell in reading order, from 0."""
        places, row, place = [], 0, 0
        for label in self.forest.labels:
            if label.tag == "td":
                places.append((row, place))
                place += 1
            else:
                row, place = row + 1, 0
        return places

    @property
    def size(self) -> int:
        """The number of rows and cells."""
        return len(self.forest) - 1


def read_tables(markup: str, tokens: TagTokens, *, structure_only: bool) -> list[InkbenchTable]:
    """All outermost tables of the markup; pipe tables if there is no `<table>`. Raises TooLarge."""
    check_length(markup)
    plain = read_plain_table(markup, PLAIN, tokens, structure_only=structure_only)
    if plain is not None:
        return [InkbenchTable(plain.forest, ())]
    return read_by_parser(markup, tokens, structure_only=structure_only)


def read_by_parser(markup: str, tokens: TagTokens, *, structure_only: bool) -> list[InkbenchTable]:
    """The same for any markup, by the HTML parser. Raises TooLarge."""
    markup = replace_invalid_characters(_ENCODING_DECLARATION.sub("", markup))
    if "<table" not in markup.lower():
        markup = "".join(table for _, _, table in find_pipe_tables(markup))
    if not markup.strip():
        return []
    document = etree.fromstring(f"<html><body>{markup}</body></html>", parser=_PARSER)
    tables = _OUTER_TABLES(document)
    return [_read_table(table, tokens, structure_only) for table in tables]


def _read_table(table: Any, tokens: TagTokens, structure_only: bool) -> InkbenchTable:
    labels: list[NodeLabel] = []
    sizes: list[int] = []
    repairs: list[str] = []
    for number, row in enumerate(_rows(table)):
        for place, cell in enumerate(row):
            colspan = rowspan = 1
            if cell.attrib:
                where = f"row {number + 1}, cell {place + 1}"
                colspan = _span(cell, "colspan", _MOST_COLUMNS, where, repairs)
                rowspan = _span(cell, "rowspan", _MOST_ROWS, where, repairs)
            text = "" if structure_only else _cell_text(cell, tokens)
            labels.append(NodeLabel("td", colspan, rowspan, text))
            sizes.append(1)
        labels.append(NodeLabel("tr"))
        sizes.append(len(row) + 1)
    labels.append(NodeLabel("table"))
    sizes.append(len(sizes) + 1)
    return InkbenchTable(Forest(tuple(labels), tuple(sizes)), tuple(repairs))


def _rows(table: Any) -> Iterator[list[Any]]:
    """The cells of each row; cells outside any `tr` form a row until the next `tr`."""
    stray: list[Any] = []
    for element in _down_to(table, _CELLS | {"tr"}):
        if element.tag in _CELLS:
            stray.append(element)
            continue
        if stray:
            yield stray
            stray = []
        yield list(_down_to(element, _CELLS))
    if stray:
        yield stray


def _down_to(element: Any, tags: frozenset[str], depth: int = 0) -> Iterator[Any]:
    """The topmost descendants with one of the tags, in order, through any wrappers."""
    check_depth(depth)
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag not in _UNSEEN:
            yield from _down_to(child, tags, depth + 1)


def _span(cell: Any, name: str, most: int, where: str, repairs: list[str]) -> int:
    """The span by HTML's rule (leading digits), at least 1; repairs are reported."""
    value = cell.get(name)
    if value is None:
        return 1
    match = _WHOLE_NUMBER.match(value)
    digits = match.group(1)[:6] if match else "1"
    span = min(max(int(digits), 1), most)
    if value.strip() != str(span):
        repairs.append(f"{where}: {name}={value[:40]!r} read as {span}")
    return span


def _cell_text(cell: Any, tokens: TagTokens) -> str:
    """The content of a cell: text, blanks for breaks, the LaTeX of `math`, tokens for `sup` and `sub`."""
    parts = [cell.text or ""]
    if len(cell):
        _collect_text(cell, parts, tokens, 0)
    return _tidy("".join(parts))


def _collect_text(element: Any, parts: list[str], tokens: TagTokens, depth: int) -> None:
    check_depth(depth)
    for child in element:
        tag = child.tag
        if tag == "math" and child.get("alttext"):
            parts.append(f"${child.get('alttext')}$")
        elif tag not in _UNSEEN:
            parts += [_edge(tag, tokens, is_end=False), child.text or ""]
            if len(child):
                _collect_text(child, parts, tokens, depth + 1)
            parts.append(_edge(tag, tokens, is_end=True))
        if child.tail:
            parts.append(child.tail)


def _edge(tag: str, tokens: TagTokens, *, is_end: bool) -> str:
    """What a tag adds to the text: its token, a blank if it breaks the line, or nothing."""
    if tag in _MEANT:
        return tokens.codes(tag)[is_end]
    return " " if tag in _BREAKS else ""


def _tidy(text: str) -> str:
    text = " ".join(text.split())
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _plain_cell_text(inside: str, tokens: TagTokens) -> str:
    if "<" not in inside:
        return _tidy(inside)
    parts = split_tags(inside)
    for index in range(1, len(parts), 2):
        parts[index] = tag_token(parts[index], tokens) if parts[index].strip("</>") in _MEANT else ""
    return _tidy("".join(parts))


PLAIN = PlainRules(_plain_cell_text, sections=frozenset())
