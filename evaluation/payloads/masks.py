"""Masks: the areas of an image that nobody can read. What stands in gold in their place is in `mask_mark`.

A list of `{"id", "shape": "box" | "polygon" | "brush", "points": [[x, y], ...], "width": <px, brush only>, "reason"}`;
a box has two opposite corners.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import AgreementThresholds, FieldKind, FieldPair, SettledField
from evaluation.payloads.geometry import Area, Point, check_inside, check_polygon, read_points
from evaluation.payloads.iou import iou
from evaluation.payloads.pairing import pair_areas
from evaluation.payloads.text import validate_text

SHAPES: Final = ("box", "polygon", "brush")
MAX_MASKS = 200
MAX_BRUSH = 2_000
MAX_ALL_POINTS = 20_000
MAX_REASON = 500
PLACE = gettext_noop("Mask %(number)s")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


class BadMask(BadPayload):
    """A mask that cannot be stored."""


@dataclass(frozen=True, slots=True)
class Mask:
    """One area over what nobody can read, on the full-resolution image, and why."""

    id: str
    shape: str
    points: tuple[Point, ...]
    width: int = 0
    reason: str = ""

    def area(self) -> Area:
        """The area that is covered."""
        if self.shape == "box":
            (x0, y0), (x1, y1) = self.points
            left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
            return Area(((left, top), (right, top), (right, bottom), (left, bottom)))
        return Area(self.points, self.width)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, keys in a fixed order."""
        found: dict[str, Any] = {"id": self.id, "shape": self.shape, "points": [list(p) for p in self.points]}
        if self.shape == "brush":
            found["width"] = self.width
        return found | {"reason": self.reason}


def read_masks(listed: object) -> tuple[Mask, ...]:
    """The masks of a decoded JSON list. Raises a BadPayload naming the mask and the field; places are not judged."""
    if not isinstance(listed, list | tuple):
        raise BadMask(gettext_noop("masks: must be a list."))
    if len(listed) > MAX_MASKS:
        raise BadMask(
            gettext_noop("There are too many masks (%(found)s); the limit is %(most)s."),
            found=len(listed),
            most=MAX_MASKS,
        )
    masks = tuple(_at(number, _read_mask, entry) for number, entry in enumerate(listed, start=1))
    if (found := sum(len(mask.points) for mask in masks)) > MAX_ALL_POINTS:
        raise BadMask(
            gettext_noop(
                "The masks have too many points in total (%(found)s); the limit is %(most)s. "
                "Draw some of them as boxes."
            ),
            found=f"{found:,}",
            most=f"{MAX_ALL_POINTS:,}",
        )
    ids = [mask.id for mask in masks]
    for number, name in enumerate(ids, start=1):
        if ids.index(name) != number - 1:
            problem = BadMask(
                gettext_noop('id: two masks are named "%(name)s". Give each its own id.'), name=name
            )
            raise problem.within(PLACE, number=number)
    return masks


def parse_masks(text: str) -> list[dict[str, Any]]:
    """The JSON list that a form sends, as `masks_as_json` gives it; an empty text is no masks. Raises a BadPayload."""
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


def _at(number: int, read: Any, *args: Any) -> Any:
    try:
        return read(*args)
    except BadPayload as problem:
        raise problem.within(PLACE, number=number) from None


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
    """Raise a BadPayload for masks that cannot be handed in: outside the image, without area, without a reason."""
    for number, mask in enumerate(read_masks(listed), start=1):
        _at(number, _check_mask, mask, width, height)


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
    """A field for each mask, as JSON, the first version's order first.

    Masks pair by overlap from `limits.pair_iou` and agree from `limits.agree_iou`. Reasons are no part of agreement.
    """
    ours, theirs = read_masks(first), read_masks(second)
    partner = pair_areas([mask.area() for mask in ours], [mask.area() for mask in theirs], limits)
    fields = []
    for i, mask in enumerate(ours):
        other = theirs[partner[i]] if i in partner else None
        is_same = other is not None and iou(mask.area(), other.area()) >= limits.agree_iou
        fields.append(
            FieldPair(
                FieldKind.MASK, mask.id, _value(mask), None if other is None else _value(other), is_same
            )
        )
    taken = {mask.id for mask in ours}
    for j, mask in enumerate(theirs):
        if j in partner.values():
            continue
        key, number = mask.id, 2
        while key in taken:
            key, number = f"{mask.id[:36]}-{number}", number + 1
        taken.add(key)
        fields.append(FieldPair(FieldKind.MASK, key, None, _value(mask), False))
    return fields


def _value(mask: Mask) -> str:
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
    """The canonical form of a mask written for a field; None: no mask there. Raises a BadPayload."""
    if value is None:
        return None
    mask = read_mask_value(value)
    _check_mask(mask, width, height)
    return _value(mask)


def assemble_masks(settled: Sequence[SettledField]) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    """The masks from their settled fields, and the position of the field each comes from."""
    kept = [(at, one) for at, one in enumerate(settled) if one.value is not None]
    masks = [read_mask_value(one.value or "", one.pair.key).as_dict() for _, one in kept]
    return masks, tuple(at for at, _ in kept)
