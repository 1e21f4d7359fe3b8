"""Fields on the discussion page: their names, their areas on the image, their neighbours in a table."""

from __future__ import annotations

import json
from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.table_comparison import (
    Difference,
    MarkedTable,
    ShownCell,
    any_place,
    marked_table,
    rows_around,
)
from annotation.worksheets import AreaSheet, ConsensusSheet, FieldSheet
from evaluation.payloads.geometry import Area
from evaluation.payloads.iou import iou
from evaluation.payloads.table_grid import Cell

register = template.Library()


@register.simple_tag
def field_name(sheet: ConsensusSheet, field: FieldSheet) -> str:
    """The name of a field: “Line 3”, “Cell in row 2, column 1”, “LaTeX of formula 2”."""
    match field.kind:
        case "cell":
            row, column = any_place(field) or (0, 0)
            return _("Cell in row %(row)s, column %(column)s") % {"row": row, "column": column}
        case "structure":
            return _("Rows, spans and header cells")
        case "order":
            return _("Reading order")
        case "region" | "latex" | "mask":
            names = {
                "region": _("Outline of formula %(number)s"),
                "latex": _("LaTeX of formula %(number)s"),
                "mask": _("Mask %(number)s"),
            }
            return names[field.kind] % {"number": _number(sheet, field)}
    return _("Line %(number)s") % {"number": field.position + 1}


def _number(sheet: ConsensusSheet, field: FieldSheet) -> int:
    """The number of a formula or mask in the discussion, from 1; an outline and its LaTeX share it."""
    kinds = ("mask",) if field.kind == "mask" else ("region",)
    return [sibling.key for sibling in sheet.fields if sibling.kind in kinds].index(field.key) + 1


@register.simple_tag
def formula_numbers(sheet: ConsensusSheet) -> str:
    """JSON: the key of each formula -> its number."""
    keys = [region.key for region in sheet.fields if region.kind == "region"]
    return json.dumps({key: number for number, key in enumerate(keys, start=1)})


@register.simple_tag
def areas_json(sheet: ConsensusSheet, field: FieldSheet) -> str:
    """JSON for the image: both areas by side, or all formulas by number for a reading order; empty without areas."""
    areas: dict[str, AreaSheet | None] = {"first": field.primary_area, "second": field.second_area}
    if field.kind == "order":
        formulas = (region for region in sheet.fields if region.kind == "region")
        areas = {
            str(number): region.primary_area or region.second_area
            for number, region in enumerate(formulas, start=1)
        }
    shown: dict[str, Any] = {
        name: {"points": area.points, "width": area.width} for name, area in areas.items() if area is not None
    }
    return json.dumps(shown, separators=(",", ":")) if shown else ""


@register.filter
def overlap_share(field: FieldSheet) -> float | None:
    """Intersection over union of the two areas; None unless both versions have one."""
    primary, second = field.primary_area, field.second_area
    if primary is None or second is None:
        return None
    return iou(Area(primary.points, primary.width), Area(second.points, second.width))


@register.simple_tag
def table_around(sheet: ConsensusSheet, field: FieldSheet, side: str) -> list[list[ShownCell]]:
    """The rows around a cell in one version (`side`: primary, second)."""
    return rows_around(sheet.fields, field, side)


@register.simple_tag
def table_marked(sheet: ConsensusSheet, side: str) -> MarkedTable | None:
    """A version's table with its structural differences from the other version."""
    return marked_table(sheet.fields, side)


@register.filter
def difference_words(difference: Difference) -> str:
    """A difference, described from the version whose table it is listed under."""
    place = {"row": difference.row, "column": difference.column}
    if difference.cell is not None and difference.other is not None:
        shapes = {"here": _shape_words(difference.cell), "there": _shape_words(difference.other)}
        template = _("Cell in row %(row)s, column %(column)s: %(here)s here, %(there)s in the other version.")
        return template % (place | shapes)
    here = {
        "row": _("Row %(row)s: only in this version."),
        "column": _("Column %(column)s: only in this version."),
        "cell": _("Cell in row %(row)s, column %(column)s: only in this version."),
    }
    there = {
        "row": _("Missing here: row %(row)s of the other version."),
        "column": _("Missing here: column %(column)s of the other version."),
        "cell": _("Missing here: the cell in row %(row)s, column %(column)s of the other version."),
    }
    return (here if difference.is_here else there)[difference.kind] % place


def _shape_words(cell: Cell) -> str:
    spans = {"down": cell.rowspan, "across": cell.colspan}
    if cell.is_header:
        return _("header cell, %(down)s × %(across)s (rows × columns)") % spans
    return _("plain cell, %(down)s × %(across)s (rows × columns)") % spans
