"""OmniDocBench's table markup clean-up, generations 1.5 and 1.6, defects included.

It is applied to both sides of a pair before TEDS; the edit distance on tables uses the same strings. Its defects are
kept (a released preset never changes) and listed in docs/metrics/teds.md: entities become live markup, of two tables
only the first survives, attributes are cut out of cell text too.
"""

from __future__ import annotations

import html
import re
import unicodedata
from enum import StrEnum
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import NavigableString

from evaluation.metrics.table.cell_text_1_6 import normalise_cell_text
from evaluation.metrics.table.fast_parser import NeedsFullParser, PlainRules, split_tags, tag_token
from evaluation.metrics.table.parse import TagTokens
from evaluation.metrics.table.well_formed import keep_one_blank, rewrite_well_formed


class Generation(StrEnum):
    """The generation of OmniDocBench."""

    V1_5 = "1.5"
    V1_6 = "1.6"


_TABLE_INSIDE = re.compile(r"<table\b[^>]*>(.*)</table>", re.DOTALL | re.IGNORECASE)
_DROPPED_ATTRIBUTES = tuple(
    re.compile(f' {name}=".*?"') for name in ("style", "height", "width", "align", "class")
)
_TBODY = re.compile(r"</?tbody>")
_WHITE = re.compile(r"\s+")
_CELLS = frozenset({"td", "th"})
_COLGROUP = re.compile(r"<colgroup>.*?</colgroup>")


def normalise_table(markup: str, generation: Generation) -> str:
    """The cleaned document, or "" if there is no `<table` (the caller then scores the raw string).

    >>> normalise_table("<table><thead><tr><th>a</th></tr></thead></table>", Generation.V1_5)
    '<html><body><table border="1" ><tr><td>a</td></tr></table></body></html>'
    """
    if "<table" not in markup.replace(" ", ""):
        return ""
    text = html.unescape(_rebuild(markup, generation)).replace("\n", "")
    text = unicodedata.normalize("NFKC", text).strip()
    text = "".join(_TABLE_INSIDE.findall(text))
    for attribute in _DROPPED_ATTRIBUTES:
        text = attribute.sub("", text)
    text = _WHITE.sub(" ", _TBODY.sub("", text))
    text = f'<html><body><table border="1" >{text}</table></body></html>'
    return _COLGROUP.sub("", _drop_tags(text))


def _drop_tags(text: str) -> str:
    """Remove literal tags, one name after the other: a later name may match what an earlier removal joined."""
    for name in ("sup", "sub", "span", "div", "p"):
        text = text.replace(f"<{name}>", "").replace(f"</{name}>", "")
    return text.replace('<spandata-span-identity="">', "")


def _rebuild(markup: str, generation: Generation) -> str:
    """Parse, fold header cells and sections, write `math` as its LaTeX, unwrap `span`, print again."""
    unwrapped = ("thead", "span") if generation is Generation.V1_5 else ("thead", "tbody", "span")
    normalise = None if generation is Generation.V1_5 else normalise_cell_text
    rewritten = rewrite_well_formed(markup, unwrapped=unwrapped, normalise=normalise)
    return rebuild_by_parser(markup, generation) if rewritten is None else rewritten


def rebuild_by_parser(markup: str, generation: Generation) -> str:
    """The same for any markup, by the parser that the public program uses."""
    soup = BeautifulSoup(markup, "html.parser")
    for cell in soup.find_all("th"):
        cell.name = "td"
    for name in ("thead",) if generation is Generation.V1_5 else ("thead", "tbody"):
        for section in soup.find_all(name):
            section.unwrap()
    for formula in soup.find_all("math"):
        formula.replace_with(f"${formula.get('alttext', '')}$")
    for span in soup.find_all("span"):
        span.unwrap()
    if generation is Generation.V1_5:
        return str(soup)
    # Printing and parsing again joins adjacent strings.
    soup = BeautifulSoup(str(soup), "html.parser")
    _normalise_cells(soup)
    return str(soup)


def _normalise_cells(soup: BeautifulSoup) -> None:
    """Normalise the text nodes (including comments) of cells, once for every cell around them."""
    unfinished: list[tuple[Any, int]] = [(soup, 0)]  # (element, cells around its children)
    while unfinished:
        element, cells = unfinished.pop()
        for child in list(element.children):
            if isinstance(child, NavigableString):
                text = _normalise_often(str(child), cells)
                if text != str(child):
                    child.replace_with(text)
            else:
                unfinished.append((child, cells + (child.name in _CELLS)))


def _normalise_often(text: str, times: int) -> str:
    for _ in range(times):
        normalised = normalise_cell_text(text)
        if normalised == text:
            break
        text = normalised
    return text


_SETTLED = re.compile(r"(?!-$)(?:[!-#%'-;>-\[\]-~]++(?: (?! |$))?+)*+")
"""Cell text that neither generation changes: printable ASCII without `$ & < = \\`, single blanks, no lone dash."""
_DELETED = frozenset({"<sup>", "</sup>", "<sub>", "</sub>"})


def plain_rules(generation: Generation) -> PlainRules:
    """The clean-up and the reading after it in one, for plain markup."""
    is_1_6 = generation is Generation.V1_6

    def clean(text: str) -> str:
        if _SETTLED.fullmatch(text):
            return text
        text = keep_one_blank(text)
        if is_1_6 and text:
            text = normalise_cell_text(text)
        text = text.replace("\n", "")
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
            if text and unicodedata.combining(text[0]):
                raise NeedsFullParser  # it may join with the bracket before it
        if "<" in text or "&" in text or '="' in text:
            raise NeedsFullParser  # now live markup, or cut out as an attribute
        return _WHITE.sub(" ", text)

    def cell_text(inside: str, tokens: TagTokens) -> str:
        if "<" not in inside:
            return clean(inside)
        parts = []
        for index, part in enumerate(split_tags(inside)):
            if not index % 2:
                parts.append(clean(part))
            elif part not in _DELETED:
                parts.append(tag_token(part, tokens))
        return "".join(parts)

    return PlainRules(cell_text, sections=frozenset({"tfoot"}))
