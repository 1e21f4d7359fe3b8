"""Table reading of the public TEDS programs: PubTabNet, OmniDocBench 1.5 and 1.6."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.table.fast_parser import PlainRules, read_plain_table, split_tags, tag_token
from evaluation.metrics.table.normalise_omnidocbench import Generation, normalise_table, plain_rules
from evaluation.metrics.table.parse import (
    ParsedTable,
    TagTokens,
    check_length,
    find_first_table,
    read_table,
)

_DOCUMENT_START = re.compile(r"<(?:html|body)", re.IGNORECASE)


class ReferenceProgramError(ValueError):
    """The public program crashes on this input (bad span, empty document); the message says why."""


@dataclass(frozen=True, slots=True)
class ReferenceProgram:
    """How a public program prepares markup, and whether its own crash scores 0."""

    prepare: Callable[[str], str]
    plain: PlainRules
    stop_scores_zero: bool
    libraries: tuple[str, ...]


def wrap_bare_table(markup: str) -> str:
    """The markup wrapped in `html` and `body` if it has neither.

    >>> wrap_bare_table("<table></table>")
    '<html><body><table></table></body></html>'
    """
    if not markup or _DOCUMENT_START.search(markup):
        return markup
    return f"<html><body>{markup}</body></html>"


def _omnidocbench(generation: Generation) -> Callable[[str], str]:
    def prepare(markup: str) -> str:
        return normalise_table(markup, generation) or markup

    return prepare


def _content(inside: str, tokens: TagTokens) -> str:
    """A cell as PubTabNet reads it: every tag is a token, text is unchanged."""
    if "<" not in inside:
        return inside
    return "".join(
        tag_token(part, tokens) if index % 2 else part for index, part in enumerate(split_tags(inside))
    )


_PUBTABNET = PlainRules(_content, sections=frozenset({"thead", "tbody", "tfoot"}), are_headers_cells=False)
_BY_BOTH = ("lxml", "beautifulsoup4")

REFERENCE_PROGRAMS = {
    "pubtabnet": ReferenceProgram(wrap_bare_table, _PUBTABNET, False, ("lxml",)),
    "omnidocbench-1.5": ReferenceProgram(
        _omnidocbench(Generation.V1_5), plain_rules(Generation.V1_5), True, _BY_BOTH
    ),
    "omnidocbench-1.6": ReferenceProgram(
        _omnidocbench(Generation.V1_6), plain_rules(Generation.V1_6), True, _BY_BOTH
    ),
}


def read_first_table(
    markup: str, preset: ReferenceProgram, tokens: TagTokens, *, structure_only: bool
) -> ParsedTable | None:
    """The first table of one side; None if there is none. Raises ReferenceProgramError, TooLarge."""
    check_length(markup)
    plain = read_plain_table(markup, preset.plain, tokens, structure_only=structure_only)
    return plain or read_by_parser(markup, preset, tokens, structure_only=structure_only)


def read_by_parser(
    markup: str, preset: ReferenceProgram, tokens: TagTokens, *, structure_only: bool
) -> ParsedTable | None:
    """The same for any markup, by the parser of the programs. Raises ReferenceProgramError, TooLarge."""
    try:
        table = find_first_table(preset.prepare(markup))
        return None if table is None else read_table(table, tokens, structure_only=structure_only)
    except TooLarge:
        raise
    except (ValueError, etree.LxmlError) as fault:
        raise ReferenceProgramError(str(fault)) from fault
