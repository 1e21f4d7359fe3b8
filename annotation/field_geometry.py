"""Where a disputed field is on the image, to draw it and to zoom to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from annotation.models import Field
from annotation.worksheets import AreaSheet, Box, SuggestedLine
from evaluation.payloads.fields import FieldKind
from evaluation.payloads.formula_fields import read_region_value
from evaluation.payloads.geometry import Area, bounding_box
from evaluation.payloads.masks import read_mask_value

Areas = tuple[AreaSheet | None, AreaSheet | None]
"""The annotator's area and the second reviewer's."""


def areas_of(field: Field, regions: Mapping[str, Field]) -> Areas:
    """The areas of a region or mask, or of the region of a LaTeX field (from `regions`, by key)."""
    match field.kind:
        case FieldKind.LATEX:
            return areas_of(regions[field.key], {}) if field.key in regions else (None, None)
        case FieldKind.REGION:
            return _region_area(field.primary_text), _region_area(field.second_text)
        case FieldKind.MASK:
            return _mask_area(field.primary_text), _mask_area(field.second_text)
        case _:
            return None, None


def _region_area(value: str | None) -> AreaSheet | None:
    return None if value is None else AreaSheet(read_region_value(value)[0], 0)


def _mask_area(value: str | None) -> AreaSheet | None:
    if value is None:
        return None
    area = read_mask_value(value).area()
    return AreaSheet(area.points, area.width)


def box_around(areas: Areas) -> Box | None:
    """The smallest box around both areas."""
    boxes = [bounding_box(Area(area.points, area.width)) for area in areas if area is not None]
    if not boxes:
        return None
    left, top = max(0, min(box[0] for box in boxes)), max(0, min(box[1] for box in boxes))
    return (left, top, max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)


def best_box(field: Field, lines: Sequence[SuggestedLine]) -> Box | None:
    """Where a text probably is: the box of the most similar recognised line, if the similarity exceeds 0.5."""
    if field.kind not in (FieldKind.LINE, FieldKind.CELL):
        return None
    wanted = field.primary_text or field.second_text or ""
    best: Box | None = None
    best_score = 0.5
    for line in lines:
        score = Levenshtein.normalized_similarity(wanted, line.text)
        if line.box is not None and score > best_score:
            best, best_score = line.box, score
    return best
