"""What the discussion page says about a field: its name, its areas on the picture, its neighbours in the table."""

from __future__ import annotations

import json
import re
from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.worksheets import ConsensusSheet, FieldSheet
from evaluation.payloads.geometry import Area, overlap

register = template.Library()

_PLACE = re.compile(r"r(\d+)c(\d+)")


@register.simple_tag
def field_name(sheet: ConsensusSheet, field: FieldSheet) -> str:
    """What people call the field: “Line 3”, “Cell in row 2, column 1”, “LaTeX of formula 2”."""
    match field.kind:
        case "cell":
            row, column = _place(field) or (0, 0)
            return _("Cell in row %(row)s, column %(column)s") % {"row": row, "column": column}
        case "structure":
            return _("Rows, spans and header cells")
        case "order":
            return _("Reading order")
        case "region" | "latex" | "mask":
            words = {
                "region": _("Outline of formula %(number)s"),
                "latex": _("LaTeX of formula %(number)s"),
                "mask": _("Mask %(number)s"),
            }
            return words[field.kind] % {"number": _number(sheet, field)}
    return _("Line %(number)s") % {"number": field.position + 1}


def _number(sheet: ConsensusSheet, field: FieldSheet) -> int:
    """The place of a formula or mask among those of the discussion, from 1; its outline and LaTeX share it."""
    kinds = ("mask",) if field.kind == "mask" else ("region",)
    return [one.key for one in sheet.fields if one.kind in kinds].index(field.key) + 1


@register.simple_tag
def formula_numbers(sheet: ConsensusSheet) -> str:
    """JSON: the key of each formula to the number people know it by."""
    keys = [one.key for one in sheet.fields if one.kind == "region"]
    return json.dumps({key: number for number, key in enumerate(keys, start=1)})


def _place(field: FieldSheet) -> tuple[int, int] | None:
    """Row and column, from 1, of a cell: the annotator's where both versions have one."""
    found = _PLACE.search(field.key)
    return (int(found[1]), int(found[2])) if found else None


@register.filter
def areas_json(field: FieldSheet) -> str:
    """JSON for the image: the two areas and how far they overlap; empty for a field without a place."""
    areas = {"first": field.primary_area, "second": field.second_area}
    shown: dict[str, Any] = {
        name: {"points": area.points, "width": area.width} for name, area in areas.items() if area is not None
    }
    return json.dumps(shown, separators=(",", ":")) if shown else ""


@register.filter
def overlap_share(field: FieldSheet) -> float | None:
    """Intersection over union of the two areas; None unless both versions have one."""
    one, other = field.primary_area, field.second_area
    if one is None or other is None:
        return None
    return overlap(Area(one.points, one.width), Area(other.points, other.width))


@register.simple_tag
def table_around(sheet: ConsensusSheet, field: FieldSheet, side: str) -> list[list[dict[str, Any]]]:
    """The rows around a cell as one version (`side`: primary, second) has them, the cell itself marked.

    A cell is as wide as the way to the next one, so that columns stand under each other; `gap` columns before the
    first cell of a row belong to a cell above.
    """
    cells = {}
    for other in sheet.fields:
        place = _side_place(other, side) if other.kind == "cell" else None
        text = other.primary_text if side == "primary" else other.second_text
        if place is not None and text is not None:
            cells[place] = {"text": text, "is_here": other.position == field.position}
    here = next((place for place, cell in cells.items() if cell["is_here"]), None)
    if here is None:
        return []
    end = max(place[1] for place in cells) + 1
    rows = []
    for row in sorted({place[0] for place in cells if abs(place[0] - here[0]) <= 1}):
        columns = sorted(column for at, column in cells if at == row)
        wide = [following - column for column, following in zip(columns, [*columns[1:], end], strict=True)]
        gap = columns[0] - 1
        rows.append(
            [
                cells[row, column] | {"wide": width, "gap": gap if column == columns[0] else 0}
                for column, width in zip(columns, wide, strict=True)
            ]
        )
    return rows


def _side_place(field: FieldSheet, side: str) -> tuple[int, int] | None:
    parts = field.key.split("/")
    found = _PLACE.fullmatch(parts[0] if side == "primary" else parts[-1])
    return (int(found[1]), int(found[2])) if found else None
