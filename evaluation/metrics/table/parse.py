"""HTML to table trees as the public TEDS programs read it (PubTabNet `src/metric.py`, also OmniDocBench's).

One node for every element; `td` is a leaf with spans and content, everything else is a bare tag whose text and
spans do not count. Cell content is tokens: each character one, each inline tag one for its start and one for
its end. A tag token is kept as one lone surrogate, a code point that parsed HTML cannot contain, so that
content stays a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree, html

from evaluation.metrics.table.tree import Forest, Label

MAX_TAG_NAMES = 1_024
"""Different inline tag names that one pair of tables may use; each takes two of the 2,048 surrogates."""

MAX_CHARACTERS = 2_000_000
"""Longest markup of one side, in characters; a table of 50,000 cells has about half of it."""

MAX_DEPTH = 200
"""Deepest nesting of elements in one table; the parser itself gives up a little further down."""

_FIRST_SURROGATE = 0xD800
_PARSER = html.HTMLParser(remove_comments=True, encoding="utf-8")
_RUN_ON_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:_.\-]*)(?=[^A-Za-z0-9:_.\-\s/>])")


class OverLimit(ValueError):
    """The markup is over MAX_CHARACTERS, MAX_DEPTH or MAX_TAG_NAMES; the message names the limit."""


@dataclass(slots=True)
class TagTokens:
    """One code point for every distinct tag token; both sides of a pair share one instance."""

    _codes: dict[str, str] = field(default_factory=dict)

    def code(self, token: str) -> str:
        """The code point of `<b>`, `</b>`, ...; errors: OverLimit."""
        code = self._codes.get(token)
        if code is None:
            if len(self._codes) >= 2 * MAX_TAG_NAMES:
                raise OverLimit(f"more than {MAX_TAG_NAMES} different inline tags in the cells")
            code = self._codes[token] = chr(_FIRST_SURROGATE + len(self._codes))
        return code


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table's tree and `size`, the number of elements below `<table>` (inline tags in cells included)."""

    forest: Forest
    size: int


def find_first_table(markup: str) -> Any | None:
    """The first `table` directly in the body of a document, as lxml parses it; None where there is none.

    A bare `<table>` has no body and is not found: callers wrap it first. Errors: OverLimit;
    lxml.etree.ParserError for an empty document, ValueError for an encoding declaration.
    """
    check_length(markup)
    # The parser the published scores were made with ends a tag name at the first character that no HTML tag
    # name has (`<td姓名` is a `td`); newer ones read on to the next blank.
    markup = _RUN_ON_NAME.sub(r"<\1 ", markup)
    tables = html.fromstring(markup, parser=_PARSER).xpath("body/table")
    return tables[0] if tables else None


def check_length(markup: str) -> None:
    """Errors: OverLimit above MAX_CHARACTERS."""
    if len(markup) > MAX_CHARACTERS:
        raise OverLimit(f"the markup has {len(markup)} characters; at most {MAX_CHARACTERS} are read")


def read_table(table: Any, tokens: TagTokens, *, structure_only: bool) -> ParsedTable:
    """The tree of an lxml table element; errors: OverLimit; ValueError for a span `int()` does not take."""
    labels: list[Label] = []
    sizes: list[int] = []
    unfinished: list[tuple[Any, Iterator[Any], int]] = [(table, iter(table), 0)]
    while unfinished:
        element, children, begun = unfinished[-1]
        child = next(children, None)
        if child is None:
            unfinished.pop()
            labels.append(Label(str(element.tag)))
            sizes.append(len(sizes) - begun + 1)
        elif child.tag == "td":
            labels.append(_cell(child, tokens, structure_only))
            sizes.append(1)
        else:
            check_depth(len(unfinished))
            unfinished.append((child, iter(child), len(sizes)))
    size = sum(1 for _ in table.iterdescendants(etree.Element))
    return ParsedTable(Forest(tuple(labels), tuple(sizes)), size)


def check_depth(depth: int) -> None:
    """Errors: OverLimit above MAX_DEPTH."""
    if depth > MAX_DEPTH:
        raise OverLimit(f"elements are nested more than {MAX_DEPTH} deep")


def _cell(cell: Any, tokens: TagTokens, structure_only: bool) -> Label:
    colspan, rowspan = int(cell.get("colspan", "1")), int(cell.get("rowspan", "1"))
    if structure_only:
        return Label("td", colspan, rowspan, "")
    return Label("td", colspan, rowspan, cell_content(cell, tokens) if len(cell) else cell.text or "")


def cell_content(cell: Any, tokens: TagTokens) -> str:
    """The cell's inside as one string, each tag one code point; no end token for `unk`, no tail after `td`."""
    parts = [cell.text or ""]
    unfinished: list[tuple[Any, Iterator[Any]]] = [(cell, iter(cell))]
    while unfinished:
        element, children = unfinished[-1]
        child = next(children, None)
        if child is not None:
            parts += [tokens.code(f"<{child.tag}>"), child.text or ""]
            check_depth(len(unfinished))
            unfinished.append((child, iter(child)))
            continue
        unfinished.pop()
        if element is cell:
            break
        if element.tag != "unk":
            parts.append(tokens.code(f"</{element.tag}>"))
        if element.tag != "td":
            parts.append(element.tail or "")
    return "".join(parts)
