"""Masks: the areas of an image that no one can read. Their mark in the ground truth is in `mask_mark`.

Stored as a list of `{"id", "shape": "box" | "polygon" | "brush", "points": [[x, y], ...], "width": <px, brush only>,
"reason"}`; a box has two opposite corners.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluation.errors import gettext_noop
from evaluation.payloads.area_pairing import pair_areas
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import AgreementThresholds, FieldKind, FieldPair, SettledField
from evaluation.payloads.geometry import Area, Point, check_inside, check_polygon, read_points
from evaluation.payloads.iou import iou
from evaluation.payloads.text import validate_text

SHAPES: Final = ("box", "polygon", "brush")
MAX_MASKS = 200
MAX_BRUSH = 2_000
MAX_ALL_POINTS = 20_000
MAX_REASON = 500
MASK = gettext_noop("Mask %(number)s")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


class BadMask(BadPayload):
    """A mask that cannot be stored."""


@dataclass(frozen=True, slots=True)
class Mask:
    """One area that no one can read, on the full-resolution image, and the reason."""

    id: str
    shape: str
    points: tuple[Point, ...]
    width: int = 0
    reason: str = ""

    def area(self) -> Area:
        """The covered area."""
        if self.shape == "box":
            (x0, y0), (x1, y1) = self.points
            left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
            return Area(((left, top), (right, top), (right, bottom), (left, bottom)))
        return Area(self.points, self.width)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, with a fixed order of keys."""
        data: dict[str, Any] = {"id": self.id, "shape": self.shape, "points": [list(p) for p in self.points]}
        if self.shape == "brush":
            data["width"] = self.width
        return data | {"reason": self.reason}


def read_masks(listed: object) -> tuple[Mask, ...]:
    """The masks of a decoded JSON list, positions not checked. Raises a BadPayload naming the mask and the field."""
    if not isinstance(listed, list | tuple):
        raise BadMask(gettext_noop("masks: must be a list."))
    if len(listed) > MAX_MASKS:
        raise BadMask(
            gettext_noop("There are too many masks (%(found)s); the limit is %(most)s."),
            found=len(listed),
            most=MAX_MASKS,
        )
    masks = tuple(_call_for_mask(number, _read_mask, entry) for number, entry in enumerate(listed, start=1))
    if (total := sum(len(mask.points) for mask in masks)) > MAX_ALL_POINTS:
        raise BadMask(
            gettext_noop(
                "The masks have too many points in total (%(found)s); the limit is %(most)s. "
                "Draw some of them as boxes."
            ),
            found=f"{total:,}",
            most=f"{MAX_ALL_POINTS:,}",
        )
    ids = [mask.id for mask in masks]
    for number, name in enumerate(ids, start=1):
        if ids.index(name) != number - 1:
            problem = BadMask(
                gettext_noop('id: two masks are named "%(name)s". Give each its own id.'), name=name
            )
            raise problem.within(MASK, number=number)
    return masks


def parse_masks(text: str) -> list[dict[str, Any]]:
    """The masks of the JSON text that a form sends, as `masks_as_json` gives them; none for an empty text.

    Raises a BadPayload.
    """
    if not text.strip():
        return []
    try:
        return masks_as_json(json.loads(text))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, BadPayload):
            raise
        raise BadMask(
            gettext_noop("The masks are not valid JSON. Reload the page and draw them again.")
        ) from None


def masks_as_json(listed: object) -> list[dict[str, Any]]:
    """The canonical JSON list of masks. Raises a BadPayload."""
    return [mask.as_dict() for mask in read_masks(listed)]


def _call_for_mask(number: int, function: Any, *args: Any) -> Any:
    """Call the function; a BadPayload it raises is located at this mask."""
    try:
        return function(*args)
    except BadPayload as problem:
        raise problem.within(MASK, number=number) from None


def _read_mask(entry: object) -> Mask:
    if not isinstance(entry, dict):
        raise BadMask(gettext_noop("must be an object with id, shape, points and reason."))
    name, shape, reason, width = (entry.get(key) for key in ("id", "shape", "reason", "width"))
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise BadMask(gettext_noop("id: must be 1 to 40 letters, digits, - or _."))
    if shape not in SHAPES:
        raise BadMask(gettext_noop("shape: must be box, polygon or brush."))
    if not isinstance(reason or "", str) or len(reason or "") > MAX_REASON:
        raise BadMask(gettext_noop("reason: must be text of at most %(most)s characters."), most=MAX_REASON)
    validate_text(reason or "")
    points = read_points(entry.get("points"))
    if shape != "brush":
        return Mask(name, shape, points, 0, " ".join((reason or "").split()))
    if isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= MAX_BRUSH:
        raise BadMask(gettext_noop("width: must be from 1 to %(most)s pixels."), most=MAX_BRUSH)
    return Mask(name, shape, points, width, " ".join((reason or "").split()))


def validate_masks(listed: object, width: int, height: int) -> None:
    """Raise a BadPayload for masks that cannot be submitted: outside the image, without area, without a reason."""
    for number, mask in enumerate(read_masks(listed), start=1):
        _call_for_mask(number, _check_mask, mask, width, height)


def _check_mask(mask: Mask, width: int, height: int) -> None:
    if mask.shape == "box" and len(mask.points) != 2:
        raise BadMask(gettext_noop("A box needs two opposite corners. Draw it again."))
    if mask.shape == "brush":
        if not mask.points:
            raise BadMask(gettext_noop("The brush stroke has no points. Draw it again."))
        check_inside(mask.points, width, height)
    elif mask.shape == "box" and (
        mask.points[0][0] == mask.points[1][0] or mask.points[0][1] == mask.points[1][1]
    ):
        raise BadMask(gettext_noop("The box has no area. Draw it larger or delete it."))
    else:
        check_polygon(mask.area().points, width, height)
    if not mask.reason:
        raise BadMask(gettext_noop("The reason is missing. Explain why no one can read it."))


def pair_masks(first: object, second: object, limits: AgreementThresholds) -> list[FieldPair]:
    """A field for each mask (its JSON), those of the first version first.

    Masks are paired from an IoU of `limits.pair_iou` and equal from `limits.agree_iou`; reasons are not compared.
    """
    firsts, seconds = read_masks(first), read_masks(second)
    partners = pair_areas([mask.area() for mask in firsts], [mask.area() for mask in seconds], limits)
    fields = []
    for i, mask in enumerate(firsts):
        other = seconds[partners[i]] if i in partners else None
        is_same = other is not None and iou(mask.area(), other.area()) >= limits.agree_iou
        fields.append(
            FieldPair(
                FieldKind.MASK,
                mask.id,
                _mask_json(mask),
                None if other is None else _mask_json(other),
                is_same,
            )
        )
    taken = {mask.id for mask in firsts}
    for j, mask in enumerate(seconds):
        if j in partners.values():
            continue
        key, number = mask.id, 2
        while key in taken:
            key, number = f"{mask.id[:36]}-{number}", number + 1
        taken.add(key)
        fields.append(FieldPair(FieldKind.MASK, key, None, _mask_json(mask), False))
    return fields


def _mask_json(mask: Mask) -> str:
    data = mask.as_dict()
    del data["id"]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_mask_value(value: str, key: str = "mask") -> Mask:
    """The mask of a mask field's value. Raises a BadPayload."""
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadMask(gettext_noop("The mask is not valid JSON. Draw it again."))
    return _read_mask(data | {"id": key})


def check_mask_value(value: str | None, width: int, height: int) -> str | None:
    """The canonical form of a mask written for a field; None: no mask. Raises a BadPayload."""
    if value is None:
        return None
    mask = read_mask_value(value)
    _check_mask(mask, width, height)
    return _mask_json(mask)


def assemble_masks(settled: Sequence[SettledField]) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    """The masks from their settled fields, and the index of the field from which each comes."""
    kept = [(index, field) for index, field in enumerate(settled) if field.value is not None]
    masks = [read_mask_value(field.value or "", field.pair.key).as_dict() for _, field in kept]
    return masks, tuple(index for index, _ in kept)
