"""The forms an answer takes while it is written: a text, or LaTeX by region number as one JSON object. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection

from evaluation.payloads.text import BadText, validate_text


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
        raise BadText("The answers by region cannot be read. Reload the page.") from None
    if not isinstance(found, dict) or not all(isinstance(latex, str) for latex in found.values()):
        raise BadText("The answers by region cannot be read. Reload the page.")
    return {str(number): found[str(number)] for number in numbers if found.get(str(number), "").strip()}


def check_answer(text: str, numbers: Collection[int] | None) -> None:
    """Raise BadText for what cannot be stored. `numbers` are the regions where the answer is keyed by them."""
    validate_text(text)
    if numbers is not None:
        for latex in regions_in(text, numbers).values():
            validate_text(latex)


def is_blank(text: str, numbers: Collection[int] | None) -> bool:
    """True when nothing was written; raises BadText as `check_answer`."""
    return not (text.strip() if numbers is None else regions_in(text, numbers))
