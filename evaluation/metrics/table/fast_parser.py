"""Fast reading of plain table markup in one pass, without an HTML parser.

Most markup is one table of rows of cells with every tag closed, a few inline tags and no entity. Its parse tree is
known without parsing, at a fraction of the cost. Markup that might be parsed differently gives None and is left to
the parser. `tests/evaluation/metrics/table/test_fast_parser.py` compares both on the reference vectors and on
generated markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evaluation.metrics.table.parse import ParsedTable, TagTokens
from evaluation.metrics.table.tree import Forest, NodeLabel

_SPAN = '(?:colspan|rowspan)="[1-9][0-9]{0,2}"'
_UNHEEDED = '(?:border|style|width|height|align|valign|class)="[^"&<>=\\s]*+(?: [^"&<>=\\s]++)*+"'
_ATTRIBUTES = f"(?: (?:{_SPAN}|{_UNHEEDED}))*+ ?"
_INLINE = "b|i|sup|sub|strong|em|u"
_INNER = f"[^<]*+(?:<(?P<inner>{_INLINE})>[^<]*+</(?P=inner)>[^<]*+)*+"
_INSIDE = f"[^<]*+(?:<(?P<outer>{_INLINE})>{_INNER}</(?P=outer)>[^<]*+)*+"
_CELL = f"<(?P<cell>td|th)(?P<attributes>{_ATTRIBUTES})>(?P<inside>{_INSIDE})</(?P=cell)>"
_OPENED = f"(?:table|tr|thead|tbody|tfoot){_ATTRIBUTES}|html|body"
_CLOSED = "/(?:table|tr|thead|tbody|tfoot|html|body)"
_PIECE = re.compile(f"{_CELL}|<(?P<frame>{_OPENED}|{_CLOSED})>")
_WIDTH = 1 + _PIECE.groups  # columns of its split: the text between two pieces, then the groups of the second
_GROUPS = tuple(_PIECE.groupindex[name] for name in ("cell", "attributes", "inside", "frame"))
_SPAN_GIVEN = re.compile('(colspan|rowspan)="([0-9]+)"')
_TAG = re.compile("(</?[a-z]+>)")
_TOKEN = re.compile("[\ud800-\udfff]")
_DOUBTFUL = re.compile("[&\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
_SECTIONS = ("thead", "tbody", "tfoot")
_PARENTS = {
    "html": frozenset({""}),
    "body": frozenset({"html"}),
    "table": frozenset({"", "body"}),
    **dict.fromkeys(_SECTIONS, frozenset({"table"})),
    "tr": frozenset({"table", *_SECTIONS}),
}
_BARE = {name: NodeLabel(name) for name in ("table", "tr", "th", *_SECTIONS)}


class NeedsFullParser(Exception):
    """The markup needs the HTML parser."""


@dataclass(frozen=True, slots=True)
class PlainRules:
    """How a preset reads plain markup."""

    cell_text: Callable[[str, TagTokens], str]
    """The compared text of the markup inside a cell (tags as tokens). Raises NeedsFullParser, TooLarge."""
    sections: frozenset[str]
    """Which of thead, tbody and tfoot are nodes."""
    are_headers_cells: bool = True
    """Whether `th` is read as `td`; otherwise it is a bare node without text and spans."""


def read_plain_table(
    markup: str, rules: PlainRules, tokens: TagTokens, *, structure_only: bool
) -> ParsedTable | None:
    """The single table of the markup; None if it needs the HTML parser. Raises TooLarge.

    >>> rules = PlainRules(lambda inside, tokens: inside.strip(), sections=frozenset())
    >>> table = read_plain_table("<table><tr><th>a </th></tr></table>", rules, TagTokens(), structure_only=False)
    >>> [label.tag for label in table.forest.labels], table.forest.labels[0].text
    (['td', 'tr', 'table'], 'a')
    """
    if _DOUBTFUL.search(markup):
        return None
    parts = _PIECE.split(markup)
    if len(parts) == 1 or "".join(parts[::_WIDTH]).strip(" \n\t"):
        return None
    cells, attributes, insides, frames = (parts[group::_WIDTH] for group in _GROUPS)
    try:
        return _grow(zip(cells, attributes, insides, frames, strict=True), rules, tokens, structure_only)
    except NeedsFullParser:
        return None


def split_tags(inside: str) -> list[str]:
    """Texts and tags of a cell alternately, starting and ending with a text.

    >>> split_tags("a<b>c</b>")
    ['a', '<b>', 'c', '</b>', '']
    """
    return _TAG.split(inside)


def tag_token(tag: str, tokens: TagTokens) -> str:
    """The token for a tag as written. Raises TooLarge."""
    is_end = tag[1] == "/"
    return tokens.codes(tag[1 + is_end : -1])[is_end]


def _grow(
    pieces: Iterable[tuple[str | None, str, str, str | None]],
    rules: PlainRules,
    tokens: TagTokens,
    structure_only: bool,
) -> ParsedTable:
    cell_text, are_headers_cells = rules.cell_text, rules.are_headers_cells
    labels: list[NodeLabel] = []
    sizes: list[int] = []
    frames = [("", 0)]  # open ones, outermost first: name, position of the first node below it
    inline = 0
    for cell, attributes, inside, frame in pieces:
        if frame:
            _open_or_close(frame, frames, labels, sizes, rules.sections)
            continue
        if frames[-1][0] != "tr":
            raise NeedsFullParser
        sizes.append(1)
        if cell == "th" and not are_headers_cells:
            labels.append(_bare_header(inside))
            continue
        text = cell_text(inside, tokens)
        if "<" in inside:
            inline += len(_TOKEN.findall(text)) // 2
        colspan, rowspan = _spans(attributes) if attributes else (1, 1)
        labels.append(NodeLabel("td", colspan, rowspan, "" if structure_only else text))
    if len(frames) > 1 or not labels or labels[-1] is not _BARE["table"]:
        raise NeedsFullParser
    return ParsedTable(Forest(tuple(labels), tuple(sizes)), len(labels) - 1 + inline)


def _open_or_close(
    frame: str,
    frames: list[tuple[str, int]],
    labels: list[NodeLabel],
    sizes: list[int],
    sections: frozenset[str],
) -> None:
    if frame[0] != "/":
        name = frame.split(" ", 1)[0]
        is_second = name == "table" and bool(labels)
        if is_second or frames[-1][0] not in _PARENTS[name]:
            raise NeedsFullParser
        frames.append((name, len(labels)))
        return
    name, start = frames.pop()
    if name != frame[1:]:
        raise NeedsFullParser
    if name == "tr" or name == "table" or name in sections:
        sizes.append(len(sizes) - start + 1)
        labels.append(_BARE[name])


def _bare_header(inside: str) -> NodeLabel:
    if "<" in inside:
        raise NeedsFullParser
    return _BARE["th"]


def _spans(attributes: str) -> tuple[int, int]:
    matches = _SPAN_GIVEN.findall(attributes)
    spans = dict(matches)
    if len(spans) != len(matches):
        raise NeedsFullParser
    return int(spans.get("colspan", 1)), int(spans.get("rowspan", 1))
