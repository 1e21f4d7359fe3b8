"""What the discussion page says about a field: its name, its areas on the picture, its neighbours in the table."""

from __future__ import annotations

import json
import re
from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.worksheets import AreaSheet, ConsensusSheet, FieldSheet
from evaluation.payloads.covering import share_of
from evaluation.payloads.geometry import Area
from evaluation.payloads.table import read_table

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


@register.simple_tag
def areas_json(sheet: ConsensusSheet, field: FieldSheet) -> str:
    """JSON for the image: the two areas by side, of a reading order all formulas by number; empty without a place."""
    areas: dict[str, AreaSheet | None] = {"first": field.primary_area, "second": field.second_area}
    if field.kind == "order":
        formulas = (one for one in sheet.fields if one.kind == "region")
        areas = {
            str(number): one.primary_area or one.second_area for number, one in enumerate(formulas, start=1)
        }
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
    return share_of(Area(one.points, one.width), Area(other.points, other.width))


@register.simple_tag
def table_around(sheet: ConsensusSheet, field: FieldSheet, side: str) -> list[list[dict[str, Any]]]:
    """The rows around a cell as one version (`side`: primary, second) has them, the cell itself marked.

    Spans are that version's own, cut where they leave the rows shown; a cell that begins above is in the first of them.
    """
    here = _side_place(field, side)
    bones = next((one for one in sheet.fields if one.kind == "structure"), None)
    skeleton = bones and (bones.primary_text if side == "primary" else bones.second_text)
    if here is None or not skeleton:
        return []
    texts = {}
    for other in sheet.fields:
        place = _side_place(other, side) if other.kind == "cell" else None
        if place is not None:
            texts[place] = (other.primary_text if side == "primary" else other.second_text) or ""
    table = read_table(skeleton)
    columns = table.anchors()
    height = next(
        (
            cell.rowspan
            for cell, column in zip(table.rows[here[0] - 1], columns[here[0] - 1], strict=True)
            if column + 1 == here[1]
        ),
        1,
    )
    first, last = max(1, here[0] - 1), min(len(table.rows), here[0] + height)
    rows: list[list[tuple[int, dict[str, Any]]]] = [[] for _ in range(first, last + 1)]
    for at, row in enumerate(table.rows, start=1):
        for cell, column in zip(row, columns[at - 1], strict=True):
            start, end = max(at, first), min(at + cell.rowspan - 1, last)
            if start <= end:
                place = (at, column + 1)
                shown = {
                    "text": texts.get(place, ""),
                    "is_here": place == here,
                    "is_header": cell.is_header,
                    "rowspan": end - start + 1,
                    "colspan": cell.colspan,
                }
                rows[start - first].append((column, shown))
    return [[shown for _, shown in sorted(row, key=lambda item: item[0])] for row in rows]


def _side_place(field: FieldSheet, side: str) -> tuple[int, int] | None:
    parts = field.key.split("/")
    found = _PLACE.fullmatch(parts[0] if side == "primary" else parts[-1])
    return (int(found[1]), int(found[2])) if found else None
