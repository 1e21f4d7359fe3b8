"""Two versions of a formula page as fields: outlines, LaTeX, reading order; and back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluation.errors import gettext_noop
from evaluation.payloads.fields import AgreementThresholds, AssembledLabel, FieldKind, FieldPair, SettledField
from evaluation.payloads.formula import BadFormula, Region, canonical_formula, read_regions, write_regions
from evaluation.payloads.geometry import Area, Point, check_polygon, read_points
from evaluation.payloads.iou import iou
from evaluation.payloads.latex import canonical_latex, check_latex
from evaluation.payloads.pairing import pair_areas

ORDER = "order"


def pair_formulas(first: str, second: str, limits: AgreementThresholds) -> list[FieldPair]:
    """The fields of two versions, in reading order, the order itself last.

    Regions pair one-to-one where they overlap by `limits.pair_iou`, the best total overlap first. A pair is two
    fields under one key: its outline (JSON points; equal from `limits.agree_iou`) and its LaTeX. A region that only
    one version has is one field, the whole region as JSON. With two or more regions their order is a field: JSON
    keys; it agrees when the pairs stand in the same order.
    """
    ours, theirs = read_regions(canonical_formula(first)), read_regions(canonical_formula(second))
    partner = pair_areas([Area(one.polygon) for one in ours], [Area(one.polygon) for one in theirs], limits)
    keys = _second_keys(ours, theirs, partner)
    fields: list[FieldPair] = []
    merged = merge_orders([one.id for one in ours], [keys[j] for j in range(len(theirs))])
    place = {region.id: i for i, region in enumerate(ours)}
    other = {key: j for j, key in keys.items()}
    for key in merged:
        i, j = place.get(key), other.get(key)
        if i is not None and j is not None:
            fields += _paired(key, ours[i], theirs[j], limits)
        elif i is not None:
            fields.append(FieldPair(FieldKind.REGION, key, _whole(ours[i]), None, False))
        elif j is not None:
            fields.append(FieldPair(FieldKind.REGION, key, None, _whole(theirs[j]), False))
    if len(merged) > 1:
        fields.append(_order_field([one.id for one in ours], [keys[j] for j in range(len(theirs))]))
    return fields


def _second_keys(ours: Sequence[Region], theirs: Sequence[Region], partner: dict[int, int]) -> dict[int, str]:
    """The key of each region of the second version: its partner's id, or its own, told apart from all others."""
    keys = {j: ours[i].id for i, j in partner.items()}
    taken = {region.id for region in ours}
    for j, region in enumerate(theirs):
        if j not in keys:
            name, number = region.id, 2
            while name in taken:
                name, number = f"{region.id[:36]}-{number}", number + 1
            keys[j] = name
            taken.add(name)
    return keys


def _paired(key: str, ours: Region, theirs: Region, limits: AgreementThresholds) -> list[FieldPair]:
    is_same = iou(Area(ours.polygon), Area(theirs.polygon)) >= limits.agree_iou
    return [
        FieldPair(FieldKind.REGION, key, _points(ours.polygon), _points(theirs.polygon), is_same),
        FieldPair(FieldKind.LATEX, key, ours.latex, theirs.latex, ours.latex == theirs.latex),
    ]


def _order_field(ours: list[str], theirs: list[str]) -> FieldPair:
    shared = set(ours) & set(theirs)
    is_same = [key for key in ours if key in shared] == [key for key in theirs if key in shared]
    first, second = json.dumps(merge_orders(ours, theirs)), json.dumps(merge_orders(theirs, ours))
    return FieldPair(FieldKind.ORDER, ORDER, first, first if is_same else second, is_same)


def merge_orders(main: Sequence[str], other: Sequence[str]) -> list[str]:
    """All keys: `main` in its order, and what only `other` has behind what it follows there.

    >>> merge_orders(["a", "c"], ["a", "b", "c", "d"])
    ['a', 'b', 'c', 'd']
    """
    merged = list(main)
    known = set(main)
    before: str | None = None
    for key in other:
        if key not in known:
            merged.insert(0 if before is None else merged.index(before) + 1, key)
        before = key
    return merged


def _points(polygon: tuple[Point, ...]) -> str:
    return json.dumps(polygon, separators=(",", ":"))


def _whole(region: Region) -> str:
    data = {"polygon": region.polygon, "latex": region.latex}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_region_value(value: str) -> tuple[tuple[Point, ...], str | None]:
    """The outline of a region field's value, and the LaTeX where the value is a whole region. Raises a BadPayload."""
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        raise BadFormula(gettext_noop("The outline is not valid JSON. Draw it again.")) from None
    if isinstance(data, dict):
        latex = data.get("latex", "")
        if not isinstance(latex, str):
            raise BadFormula(gettext_noop("latex: must be text without unprintable characters."))
        return read_points(data.get("polygon", [])), latex
    return read_points(data), None


def check_formula_value(pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
    """The canonical form of a value written for a field. Raises a BadPayload.

    None leaves the region out; a LaTeX or an order cannot be left out by itself.
    """
    if pair.kind is FieldKind.REGION:
        return None if value is None else _check_region(pair, value, width, height)
    if value is None:
        raise BadFormula(gettext_noop("Choose one of the versions, or write a new one."))
    if pair.kind is FieldKind.LATEX:
        latex = canonical_latex(value)
        check_latex(latex)
        return latex
    return _check_order(pair, value)


def _check_region(pair: FieldPair, value: str, width: int, height: int) -> str:
    polygon, latex = read_region_value(value)
    check_polygon(polygon, width, height)
    if pair.first is not None and pair.second is not None:
        return _points(polygon)
    latex = canonical_latex(latex or "")
    check_latex(latex)
    return _whole(Region("", polygon, latex))


def _check_order(pair: FieldPair, value: str) -> str:
    try:
        keys = json.loads(value)
    except (ValueError, RecursionError):
        keys = None
    known = json.loads(pair.first or "[]")
    if not isinstance(keys, list) or sorted(map(str, keys)) != sorted(known):
        raise BadFormula(gettext_noop("The order must name every region exactly once. Set the order again."))
    return json.dumps(keys)


def moot_formula_fields(settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
    """Open fields that no longer matter: the LaTeX of a region that was left out, the order of what is one at most."""
    gone = {one.pair.key for one in settled if one.pair.kind is FieldKind.REGION and one.value is None}
    every = {
        pair.key for pair in (*(one.pair for one in settled), *still_open) if pair.kind is FieldKind.REGION
    }
    has_order = len(every - gone) > 1
    return [
        pair
        for pair in still_open
        if (pair.kind is FieldKind.LATEX and pair.key in gone)
        or (pair.kind is FieldKind.ORDER and not has_order)
    ]


def formula_keys(text: str) -> list[tuple[FieldKind, str]]:
    """The fields of one version, in order: outline and LaTeX of each region, then the order of several."""
    regions = read_regions(text)
    keys = [(kind, region.id) for region in regions for kind in (FieldKind.REGION, FieldKind.LATEX)]
    return [*keys, (FieldKind.ORDER, ORDER)] if len(regions) > 1 else keys


def assemble_formula(settled: Sequence[SettledField]) -> AssembledLabel:
    """The page from its settled fields."""
    latex = {one.pair.key: at for at, one in enumerate(settled) if one.pair.kind is FieldKind.LATEX}
    regions: list[tuple[Region, int, int]] = []
    order: list[str] = []
    order_at = 0
    for at, one in enumerate(settled):
        if one.pair.kind is FieldKind.ORDER and one.value is not None:
            order, order_at = json.loads(one.value), at
        if one.pair.kind is not FieldKind.REGION or one.value is None:
            continue
        polygon, own = read_region_value(one.value)
        source = at if own is not None else latex[one.pair.key]
        words = own if own is not None else settled[source].value or ""
        regions.append((Region(one.pair.key, polygon, words), at, source))
    rank = {key: at for at, key in enumerate(order)}
    regions.sort(key=lambda found: rank.get(found[0].id, len(rank)))
    text = write_regions([region for region, _, _ in regions])
    sources = [at for _, *both in regions for at in both]
    return AssembledLabel(text, (*sources, order_at) if len(regions) > 1 else tuple(sources))
