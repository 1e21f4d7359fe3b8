"""What a participant writes for one page, as a type: a text, the HTML of a table, or LaTeX by region. Pure.

The format is that of the page; the form names it in its field `format`. `parse_response` is the only reader of the
form's text and of the stored text, `as_prediction` the only way to a prediction.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.errors import gettext_noop
from evaluation.metrics.normalise import normalise
from evaluation.payloads.registry import payload_for
from evaluation.payloads.table import read_table
from evaluation.payloads.table_grid import BadTable
from evaluation.payloads.text import BadText, validate_characters, validate_text
from evaluation.predictions import Regions, Text

UNREADABLE = gettext_noop("The responses by region cannot be read. Reload the page.")


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """What a page asks for: the structure, and the region numbers where each region has its own field."""

    structure: str
    regions: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """`text`, `table` or `regions`."""
        if self.regions is not None:
            return "regions"
        return "table" if self.structure == "table" else "text"


@dataclass(frozen=True, slots=True)
class TextResponse:
    """Markdown of a page of text, or of formulas that are transcribed as a page."""

    text: str
    is_prose: bool = True  # False for a page of formulas


@dataclass(frozen=True, slots=True)
class TableResponse:
    """The HTML of a table; before it is validated, any text."""

    html: str


@dataclass(frozen=True, slots=True)
class RegionsResponse:
    """LaTeX by region number, without the regions that were left blank."""

    latex: Mapping[str, str]


ResponseContent = TextResponse | TableResponse | RegionsResponse


def parse_response(text: str, form: ResponseFormat) -> ResponseContent:
    """The content of the form's text field. Raises BadText where LaTeX by region is no JSON object of strings.

    Keys that are no region of the page, and blank LaTeX, are left out.

    >>> parse_response('{"1": "x", "9": "y"}', ResponseFormat("formula", (1, 2)))
    RegionsResponse(latex={'1': 'x'})
    """
    if form.regions is None:
        return (
            TableResponse(text) if form.structure == "table" else TextResponse(text, form.structure == "text")
        )
    if not text.strip():
        return RegionsResponse({})
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise BadText(UNREADABLE) from None
    if not isinstance(values, dict) or not all(isinstance(latex, str) for latex in values.values()):
        raise BadText(UNREADABLE)
    numbers = map(str, form.regions)
    return RegionsResponse({number: values[number] for number in numbers if values.get(number, "").strip()})


def check_draft(text: str) -> None:
    """Raise BadText for a text that cannot be stored."""
    validate_characters(text)


def check_response(content: ResponseContent) -> None:
    """Raise BadPayload, with a message that says how to fix it, for what cannot be submitted. Blank is allowed."""
    match content:
        case TextResponse(text):
            validate_text(text)
        case TableResponse(html) if html.strip():
            payload_for("table").validate(html, 0, 0)
        case RegionsResponse(latex):
            for formula in latex.values():
                validate_text(formula)


def is_blank(content: ResponseContent) -> bool:
    """True when nothing was written: no text, no formula, no letter in any cell.

    >>> is_blank(TableResponse("<table><tr><td> </td></tr></table>"))
    True
    """
    match content:
        case TextResponse(text):
            return not text.strip()
        case RegionsResponse(latex):
            return not latex
        case TableResponse(html) if html.strip():
            try:
                return not any(cell.text.strip() for row in read_table(html).rows for cell in row)
            except BadTable:
                return False  # something is written, even if it is no table
    return True


def as_prediction(content: ResponseContent) -> Text | Regions:
    """The content as the scorer takes it from any system."""
    match content:
        case TextResponse(text):
            return Text(text)
        case TableResponse(html):
            return Text(html)
        case RegionsResponse(latex):
            return Regions(latex)


def comparison_text(content: ResponseContent) -> str:
    """One spelling of equal responses, in which participants are compared with each other."""
    match content:
        case TextResponse(text, is_prose):
            return normalise(text) if is_prose else text.strip()
        case TableResponse(html):
            try:
                return payload_for("table").canonical(html)
            except BadTable:
                return html.strip()
        case RegionsResponse(latex):
            return json.dumps(dict(sorted(latex.items())), ensure_ascii=False)
