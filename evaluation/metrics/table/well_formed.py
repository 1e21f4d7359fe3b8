"""Rewriting of well-formed table markup without parsing it into a document.

Most tables are well-formed. For them the parse-and-print step of OmniDocBench only changes the tags it folds, and a
pass over the tags gives the same string about twenty times faster. Markup that might be printed differently (an
entity, a comment, an open tag, an unknown attribute) is left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_NAMES = "html|body|div|p|table|thead|tbody|tfoot|caption|tr|td|th|b|i|u|em|strong|small|sup|sub|span|center|font|a"
_ATTRIBUTES = "border|colspan|rowspan|style|width|height|align|valign|frame|rules|cellpadding|cellspacing"
_ATTRIBUTE = f'(?:{_ATTRIBUTES})="[^"&<>]*"|class="[^"&<>\\s]*"'
_TAG = re.compile(f"<(?:(/)({_NAMES})|({_NAMES})((?: (?:{_ATTRIBUTE}))*) ?)>|(<br ?/?>)")
_ATTRIBUTE_NAME = re.compile(r' ([a-z]+)="')
_ASCII_BLANKS = " \n\t\f\r"
_MARKUP = re.compile("<[^>]*>")


def rewrite_well_formed(
    markup: str, *, unwrapped: Collection[str], normalise: Callable[[str], str] | None
) -> str | None:
    """The markup with `th` as `td` and without the `unwrapped` tags, or None if it needs the parser.

    `normalise` is applied to every text inside cells, once per enclosing cell.

    >>> rewrite_well_formed("<table><th>a <span>b</span></th></table>", unwrapped=("span",), normalise=None)
    '<table><td>a b</td></table>'
    """
    if "&" in markup:
        return None
    parts: list[str] = []
    open_tags: list[str] = []
    position = 0
    for tag in _TAG.finditer(markup):
        text = markup[position : tag.start()]
        if "<" in text:
            return None
        parts.append(keep_one_blank(text))
        position = tag.end()
        closes, closed, opened, attributes, line_break = tag.groups()
        name = closed or opened
        if line_break:
            parts.append("<br/>")
            continue
        if closes:
            if not open_tags or open_tags.pop() != name:
                return None
        else:
            open_tags.append(name)
            if attributes and not _is_unique(attributes):
                return None
        if name not in unwrapped:
            parts.append(f"<{closes or ''}{'td' if name == 'th' else name}{attributes or ''}>")
    if open_tags or "<" in markup[position:]:
        return None
    parts.append(keep_one_blank(markup[position:]))
    rewritten = "".join(parts)
    if normalise is not None:
        rewritten = _normalise_cells(rewritten, normalise)
    return None if "&" in rewritten else rewritten  # a new ampersand must not begin an entity


def keep_one_blank(text: str) -> str:
    """Reduce a text of blanks to one character, a line end if there is one, as the parser does."""
    if text and not text.strip(_ASCII_BLANKS):
        return "\n" if "\n" in text else " "
    return text


def _is_unique(attributes: str) -> bool:
    names = _ATTRIBUTE_NAME.findall(attributes)
    return len(names) == len(set(names))


def _normalise_cells(markup: str, normalise: Callable[[str], str]) -> str:
    """Normalise the texts between tags inside `td`; texts split by an unwrapped tag are joined."""
    parts: list[str] = []
    cells = position = 0
    for tag in _MARKUP.finditer(markup):
        parts += [_often(keep_one_blank(markup[position : tag.start()]), normalise, cells), tag.group()]
        position = tag.end()
        cells += tag.group().startswith("<td") - tag.group().startswith("</td")
    return "".join([*parts, keep_one_blank(markup[position:])])


def _often(text: str, normalise: Callable[[str], str], times: int) -> str:
    return text if not times or not text else _often(normalise(text), normalise, times - 1)
