"""The formula payload: the regions of a page in reading order, each with a polygon and its LaTeX.

Stored as JSON: `{"regions":[{"id":"r1","polygon":[[x,y],...],"latex":"..."}]}`. Ids name regions within one version;
they are not part of the transcription.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.geometry import Point, check_polygon, read_points
from evaluation.payloads.latex import BadLatex, canonical_latex, check_latex, check_latex_draft
from evaluation.payloads.text import is_storable

MAX_REGIONS = 300
MAX_CHARACTERS = 2_000_000
REGION = gettext_noop("Region %(number)s")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


class BadFormula(BadPayload):
    """A formula page that cannot be stored."""


@dataclass(frozen=True, slots=True)
class Region:
    """One formula: its outline on the full-resolution image and its LaTeX."""

    id: str
    polygon: tuple[Point, ...]
    latex: str


def read_regions(text: str) -> tuple[Region, ...]:
    """The regions of a formula payload, unchanged; none for an empty text.

    Raises BadFormula, BadLatex or BadGeometry, with region and field, for JSON of another shape. Whether an outline and
    its LaTeX are valid is checked by `validate_formula`.
    """
    if not text.strip():
        return ()
    if len(text) > MAX_CHARACTERS:
        raise BadFormula(gettext_noop("The formulas exceed the size limit of a page. Split the page."))
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except BadPayload:
        raise
    except (ValueError, RecursionError):
        raise BadFormula(
            gettext_noop("The formulas are not valid JSON. Reload the page and draw them again.")
        ) from None
    listed = data.get("regions") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        raise BadFormula(gettext_noop("regions: must be a list of regions with id, polygon and latex."))
    if len(listed) > MAX_REGIONS:
        raise BadFormula(
            gettext_noop("The page has too many regions (%(found)s); the limit is %(most)s. Split the page."),
            found=len(listed),
            most=MAX_REGIONS,
        )
    regions = tuple(_read_region(entry, number) for number, entry in enumerate(listed, start=1))
    ids = [region.id for region in regions]
    for number, name in enumerate(ids, start=1):
        if ids.index(name) != number - 1:
            problem = BadFormula(
                gettext_noop('id: two regions are named "%(name)s". Give each its own id.'), name=name
            )
            raise problem.within(REGION, number=number)
    return regions


def _refuse_constant(name: str) -> NoReturn:
    raise BadFormula(gettext_noop("%(name)s is not a number of pixels. Set the point again."), name=name)


def _read_region(entry: Any, number: int) -> Region:
    try:
        if not isinstance(entry, dict):
            raise BadFormula(gettext_noop("must be an object with id, polygon and latex."))
        name, latex = entry.get("id"), entry.get("latex", "")
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise BadFormula(gettext_noop("id: must be 1 to 40 letters, digits, - or _."))
        if not isinstance(latex, str) or not is_storable(latex):
            raise BadLatex(gettext_noop("latex: must be text without unprintable characters."))
        return Region(name, read_points(entry.get("polygon", [])), latex)
    except BadPayload as problem:
        raise problem.within(REGION, number=number) from None


def write_regions(regions: tuple[Region, ...] | list[Region]) -> str:
    """The JSON of regions, with a fixed order of keys and no spaces; the inverse of `read_regions`.

    >>> write_regions([Region("a", ((0, 0), (2, 0), (2, 2)), "x")])
    '{"regions":[{"id":"a","polygon":[[0,0],[2,0],[2,2]],"latex":"x"}]}'
    """
    listed = [{"id": region.id, "polygon": region.polygon, "latex": region.latex} for region in regions]
    return json.dumps({"regions": listed}, ensure_ascii=False, separators=(",", ":"))


def canonical_formula(text: str) -> str:
    """The regions with canonical LaTeX, as `write_regions` writes them. Raises a BadPayload."""
    return write_regions(
        [Region(region.id, region.polygon, canonical_latex(region.latex)) for region in read_regions(text)]
    )


def validate_formula_draft(text: str) -> None:
    """Raise a BadPayload for what cannot be saved: JSON of another shape, points that are not numbers."""
    for number, region in enumerate(read_regions(text), start=1):
        try:
            check_latex_draft(region.latex)
        except BadPayload as problem:
            raise problem.within(REGION, number=number) from None


def validate_formula(text: str, width: int, height: int) -> None:
    """Raise a BadPayload for what cannot be submitted: no region, an invalid outline, missing or broken LaTeX."""
    regions = read_regions(text)
    if not regions:
        raise BadFormula(
            gettext_noop(
                "No formula is outlined. Draw one region per formula, or use the whole image as one."
            )
        )
    for number, region in enumerate(regions, start=1):
        try:
            check_polygon(region.polygon, width, height)
            check_latex(canonical_latex(region.latex))
        except BadPayload as problem:
            raise problem.within(REGION, number=number) from None


def page_markdown(text: str) -> str:
    """The page as Markdown: each formula as a display paragraph, in reading order.

    >>> page_markdown('{"regions":[{"id":"a","polygon":[[0,0],[2,0],[2,2]],"latex":"x"}]}')
    '$$x$$'
    """
    return "\n\n".join(f"$${canonical_latex(region.latex)}$$" for region in read_regions(text))
