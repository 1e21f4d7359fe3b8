"""What the discussion page says about a field: its name, its areas on the image, its neighbours in the table."""

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
    """What people call the field: “Line 3”, “Cell in row 2, column 1”, “LaTeX of formula 2”."""
    match field.kind:
        case "cell":
            row, column = any_place(field) or (0, 0)
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
    return iou(Area(one.points, one.width), Area(other.points, other.width))


@register.simple_tag
def table_around(sheet: ConsensusSheet, field: FieldSheet, side: str) -> list[list[ShownCell]]:
    """The rows around a cell as one version (`side`: primary, second) has them."""
    return rows_around(sheet.fields, field, side)


@register.simple_tag
def table_marked(sheet: ConsensusSheet, side: str) -> MarkedTable | None:
    """A version's table, marked where its structure differs from the other version's."""
    return marked_table(sheet.fields, side)


@register.filter
def difference_words(difference: Difference) -> str:
    """What differs, said from the version whose table it stands under."""
    place = {"row": difference.row, "column": difference.column}
    if difference.cell is not None and difference.other is not None:
        shapes = {"here": _shape_words(difference.cell), "there": _shape_words(difference.other)}
        words = _("Cell in row %(row)s, column %(column)s: %(here)s here, %(there)s in the other version.")
        return words % (place | shapes)
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
