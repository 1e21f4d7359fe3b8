"""The forms an answer takes while it is written: a text, a table as HTML, or LaTeX by region number as one JSON
object. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from evaluation.errors import gettext_noop
from evaluation.payloads.registry import payload_for
from evaluation.payloads.table import read_table
from evaluation.payloads.table_grid import BadTable
from evaluation.payloads.text import BadText, validate_characters, validate_text

UNREADABLE = gettext_noop("The responses by region cannot be read. Reload the page.")


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """What is asked for: the kind of label, and the regions where the answer is keyed by them."""

    structure: str
    regions: tuple[int, ...] | None = None


def regions_in(text: str, numbers: Collection[int]) -> dict[str, str]:
    """LaTeX by region number; what names no region is left out. Raises BadText for what is no such object.

    >>> regions_in('{"1": "x", "9": "y"}', [1, 2])
    {'1': 'x'}
    """
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadText(UNREADABLE) from None
    if not isinstance(found, dict) or not all(isinstance(latex, str) for latex in found.values()):
        raise BadText(UNREADABLE)
    return {str(number): found[str(number)] for number in numbers if found.get(str(number), "").strip()}


def check_draft(text: str) -> None:
    """Raise BadText for what cannot even be kept while it is written."""
    validate_characters(text)


def check_response(text: str, form: ResponseFormat) -> None:
    """Raise BadPayload, in words that say how to mend it, for what cannot be handed in. A blank is another matter."""
    if form.regions is not None:
        validate_characters(text)
        for latex in regions_in(text, form.regions).values():
            validate_text(latex)
    elif form.structure == "table" and text.strip():
        payload_for("table").validate(text, 0, 0)
    else:
        validate_text(text)


def is_blank(text: str, form: ResponseFormat) -> bool:
    """True when nothing was written: no text, no formula, no letter in any cell. Raises BadText for an answer by
    region that is none.

    >>> is_blank("<table><tr><td> </td></tr></table>", ResponseFormat("table"))
    True
    """
    if form.regions is not None:
        return not regions_in(text, form.regions)
    if form.structure == "table" and text.strip():
        try:
            return not any(cell.text.strip() for row in read_table(text).rows for cell in row)
        except BadTable:
            return False  # something is written, if not a table
    return not text.strip()


def comparable(text: str, form: ResponseFormat) -> str:
    """An answer in one spelling, so that equal ones are equal; what is no table stands as it was written."""
    if form.structure == "table" and form.regions is None:
        try:
            return payload_for("table").canonical(text)
        except BadTable:
            pass
    return text.strip()
