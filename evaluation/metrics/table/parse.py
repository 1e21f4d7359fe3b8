"""HTML to table trees as the public TEDS programs read it (PubTabNet `src/metric.py`, also OmniDocBench's).

One node for every element; `td` is a leaf with spans and content, everything else is a bare tag whose text and spans
do not count. Cell content is a sequence of tokens: one per character, one per start and end of an inline tag. A tag
token is a lone surrogate, a code point that parsed HTML cannot contain, so that content is a string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree, html

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.tree import Forest, NodeLabel

MAX_TAG_NAMES = 1_024
"""Largest number of inline tag names in a pair of tables; each takes two of the 2,048 surrogates."""

MAX_CHARACTERS = 2_000_000
"""Longest markup of one side, in characters; a table of 50,000 cells has about half of it."""

MAX_DEPTH = 200
"""Deepest nesting of elements in one table; the parser itself gives up a little deeper."""

_FIRST_SURROGATE = 0xD800
_PARSER = etree.HTMLParser(remove_comments=True, encoding="utf-8")
_BODY_TABLES = etree.XPath("body/table")
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")
_RUN_ON_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:_.\-]*)(?=[^A-Za-z0-9:_.\-\s/>])")


@dataclass(slots=True)
class TagTokens:
    """Two code points per inline tag name; both sides of a pair share one instance."""

    _codes: dict[str, tuple[str, str]] = field(default_factory=dict)

    def codes(self, tag: str) -> tuple[str, str]:
        """The code points of the tag's start and end. Raises TooLarge."""
        codes = self._codes.get(tag)
        if codes is None:
            if len(self._codes) >= MAX_TAG_NAMES:
                raise TooLarge(
                    f"more than {MAX_TAG_NAMES} different inline tags in the cells (MAX_TAG_NAMES)"
                )
            first = _FIRST_SURROGATE + 2 * len(self._codes)
            codes = self._codes[tag] = chr(first), chr(first + 1)
        return codes

    def spell(self, content: str) -> str:
        """The content with its tags spelled out, for display."""
        for tag, (start, end) in self._codes.items():
            content = content.replace(start, f"<{tag}>").replace(end, f"</{tag}>")
        return content


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table's tree and `size`, the number of elements below `<table>` (inline tags in cells included)."""

    forest: Forest
    size: int


def find_first_table(markup: str) -> Any | None:
    """The first `table` directly in the body of a document, as lxml parses it; None if there is none.

    A bare `<table>` has no body and is not found: callers wrap it first. Raises TooLarge, lxml.etree.ParserError for an
    empty document, and ValueError for an encoding declaration.
    """
    check_length(markup)
    # The parser behind the published scores ends a tag name at the first character that no HTML tag name has
    # (`<td姓名` is a `td`); newer ones read to the next blank.
    markup = _RUN_ON_NAME.sub(r"<\1 ", markup)
    tables = _BODY_TABLES(html.fromstring(markup, parser=_PARSER))
    return tables[0] if tables else None


def replace_invalid_characters(markup: str) -> str:
    """The markup with characters that no parser accepts (NUL, lone surrogates) replaced by U+FFFD."""
    return _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", markup)


def check_length(markup: str) -> None:
    """Raises TooLarge over MAX_CHARACTERS."""
    if len(markup) > MAX_CHARACTERS:
        raise TooLarge(
            f"the markup has {len(markup)} characters; at most {MAX_CHARACTERS} are read (MAX_CHARACTERS)"
        )


def read_table(table: Any, tokens: TagTokens, *, structure_only: bool) -> ParsedTable:
    """The tree of an lxml table element. Raises TooLarge, and ValueError for a span that `int()` rejects."""
    labels: list[NodeLabel] = []
    sizes: list[int] = []
    inline = 0  # elements inside cells: not nodes, but counted in the size

    def read(element: Any, depth: int) -> None:
        nonlocal inline
        check_depth(depth)
        first = len(sizes)
        for child in element:
            tag = child.tag
            if tag != "td":
                read(child, depth + 1)
                continue
            text = child.text or ""
            if len(child):
                text, count = cell_content(child, tokens)
                inline += count
            colspan, rowspan = child.get("colspan"), child.get("rowspan")
            labels.append(
                NodeLabel(
                    "td",
                    1 if colspan is None else int(colspan),
                    1 if rowspan is None else int(rowspan),
                    "" if structure_only else text,
                )
            )
            sizes.append(1)
        labels.append(NodeLabel(str(element.tag)))
        sizes.append(len(sizes) - first + 1)

    read(table, 0)
    instructions = sum(1 for _ in table.iterdescendants(etree.PI))  # nodes, but not counted in the size
    size = len(labels) - 1 + inline - instructions
    return ParsedTable(Forest(tuple(labels), tuple(sizes)), size)


def check_depth(depth: int) -> None:
    """Raises TooLarge over MAX_DEPTH."""
    if depth > MAX_DEPTH:
        raise TooLarge(f"elements are nested more than {MAX_DEPTH} deep (MAX_DEPTH)")


def cell_content(cell: Any, tokens: TagTokens) -> tuple[str, int]:
    """The cell's content as one string, each tag one code point, and the number of its elements.

    `unk` has no end token, and text after a nested `td` does not count, both as in the original.
    """
    parts = [cell.text or ""]
    count = 0

    def read(element: Any, depth: int) -> None:
        nonlocal count
        check_depth(depth)
        for child in element:
            count += 1
            tag = child.tag
            start, end = tokens.codes(tag)
            parts.append(start)
            if child.text:
                parts.append(child.text)
            if len(child):
                read(child, depth + 1)
            if tag != "unk":
                parts.append(end)
            if tag != "td" and child.tail:
                parts.append(child.tail)

    read(cell, 0)
    return "".join(parts), count
