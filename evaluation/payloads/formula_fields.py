"""The fields of a formula page (outlines, LaTeX, reading order) and the page from its settled fields."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluation.errors import gettext_noop
from evaluation.payloads.area_pairing import pair_areas
from evaluation.payloads.fields import AgreementThresholds, AssembledLabel, FieldKind, FieldPair, SettledField
from evaluation.payloads.formula import BadFormula, Region, canonical_formula, read_regions, write_regions
from evaluation.payloads.geometry import Area, Point, check_polygon, read_points
from evaluation.payloads.iou import iou
from evaluation.payloads.latex import canonical_latex, check_latex

ORDER = "order"


def pair_formulas(first: str, second: str, limits: AgreementThresholds) -> list[FieldPair]:
    """The fields of two versions, in reading order, the order itself last.

    Regions are paired one-to-one from an IoU of `limits.pair_iou`, so that the total overlap is largest. A pair has two
    fields with one key: its outline (JSON points; equal from `limits.agree_iou`) and its LaTeX. A region in only one
    version is one field, the whole region as JSON. With two or more regions their order is a field (a JSON list of
    keys), which is equal if the pairs are in the same order.
    """
    firsts, seconds = read_regions(canonical_formula(first)), read_regions(canonical_formula(second))
    partners = pair_areas(
        [Area(region.polygon) for region in firsts], [Area(region.polygon) for region in seconds], limits
    )
    keys = _keys_of_second(firsts, seconds, partners)
    first_order, second_order = [region.id for region in firsts], [keys[j] for j in range(len(seconds))]
    fields: list[FieldPair] = []
    merged = merge_orders(first_order, second_order)
    first_index = {region.id: i for i, region in enumerate(firsts)}
    second_index = {key: j for j, key in keys.items()}
    for key in merged:
        i, j = first_index.get(key), second_index.get(key)
        if i is not None and j is not None:
            fields += _region_fields(key, firsts[i], seconds[j], limits)
        elif i is not None:
            fields.append(FieldPair(FieldKind.REGION, key, _region_json(firsts[i]), None, False))
        elif j is not None:
            fields.append(FieldPair(FieldKind.REGION, key, None, _region_json(seconds[j]), False))
    if len(merged) > 1:
        fields.append(_order_field(first_order, second_order))
    return fields


def _keys_of_second(
    firsts: Sequence[Region], seconds: Sequence[Region], partners: dict[int, int]
) -> dict[int, str]:
    """The key of each region of the second version: its partner's id, or its own, made unique."""
    keys = {j: firsts[i].id for i, j in partners.items()}
    taken = {region.id for region in firsts}
    for j, region in enumerate(seconds):
        if j not in keys:
            name, number = region.id, 2
            while name in taken:
                name, number = f"{region.id[:36]}-{number}", number + 1
            keys[j] = name
            taken.add(name)
    return keys


def _region_fields(key: str, first: Region, second: Region, limits: AgreementThresholds) -> list[FieldPair]:
    is_same = iou(Area(first.polygon), Area(second.polygon)) >= limits.agree_iou
    return [
        FieldPair(FieldKind.REGION, key, _points_json(first.polygon), _points_json(second.polygon), is_same),
        FieldPair(FieldKind.LATEX, key, first.latex, second.latex, first.latex == second.latex),
    ]


def _order_field(first: list[str], second: list[str]) -> FieldPair:
    shared = set(first) & set(second)
    is_same = [key for key in first if key in shared] == [key for key in second if key in shared]
    first_json, second_json = json.dumps(merge_orders(first, second)), json.dumps(merge_orders(second, first))
    return FieldPair(FieldKind.ORDER, ORDER, first_json, first_json if is_same else second_json, is_same)


def merge_orders(main: Sequence[str], other: Sequence[str]) -> list[str]:
    """All keys: those of `main` in its order; one that only `other` has comes after its predecessor in `other`.

    >>> merge_orders(["a", "c"], ["a", "b", "c", "d"])
    ['a', 'b', 'c', 'd']
    """
    merged = list(main)
    known = set(main)
    previous: str | None = None
    for key in other:
        if key not in known:
            merged.insert(0 if previous is None else merged.index(previous) + 1, key)
        previous = key
    return merged


def _points_json(polygon: tuple[Point, ...]) -> str:
    return json.dumps(polygon, separators=(",", ":"))


def _region_json(region: Region) -> str:
    data = {"polygon": region.polygon, "latex": region.latex}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_region_value(value: str) -> tuple[tuple[Point, ...], str | None]:
    """The outline of a region field's value, and the LaTeX if the value is a whole region. Raises a BadPayload."""
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

    None leaves the region out; LaTeX or the order cannot be left out alone.
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
        return _points_json(polygon)
    latex = canonical_latex(latex or "")
    check_latex(latex)
    return _region_json(Region("", polygon, latex))


def _check_order(pair: FieldPair, value: str) -> str:
    try:
        keys = json.loads(value)
    except (ValueError, RecursionError):
        keys = None
    known = json.loads(pair.first or "[]")
    if not isinstance(keys, list) or sorted(map(str, keys)) != sorted(known):
        raise BadFormula(gettext_noop("The order must name every region exactly once. Set the order again."))
    return json.dumps(keys)


def obsolete_formula_fields(
    settled: Sequence[SettledField], still_open: Sequence[FieldPair]
) -> list[FieldPair]:
    """Open fields that no longer matter: LaTeX of regions that are left out; the order of less than two regions."""
    left_out = {
        field.pair.key for field in settled if field.pair.kind is FieldKind.REGION and field.value is None
    }
    pairs = (*(field.pair for field in settled), *still_open)
    region_keys = {pair.key for pair in pairs if pair.kind is FieldKind.REGION}
    has_order = len(region_keys - left_out) > 1
    return [
        pair
        for pair in still_open
        if (pair.kind is FieldKind.LATEX and pair.key in left_out)
        or (pair.kind is FieldKind.ORDER and not has_order)
    ]


def formula_keys(text: str) -> list[tuple[FieldKind, str]]:
    """The fields of one version, in order: outline and LaTeX of each region, then the order if there are several."""
    regions = read_regions(text)
    keys = [(kind, region.id) for region in regions for kind in (FieldKind.REGION, FieldKind.LATEX)]
    return [*keys, (FieldKind.ORDER, ORDER)] if len(regions) > 1 else keys


def assemble_formula(settled: Sequence[SettledField]) -> AssembledLabel:
    """The page from its settled fields."""
    latex_source = {
        field.pair.key: index for index, field in enumerate(settled) if field.pair.kind is FieldKind.LATEX
    }
    regions: list[tuple[Region, int, int]] = []  # with the index of the outline's and of the LaTeX's field
    order: list[str] = []
    order_source = 0
    for index, field in enumerate(settled):
        if field.pair.kind is FieldKind.ORDER and field.value is not None:
            order, order_source = json.loads(field.value), index
        if field.pair.kind is not FieldKind.REGION or field.value is None:
            continue
        polygon, own_latex = read_region_value(field.value)
        source = index if own_latex is not None else latex_source[field.pair.key]
        latex = own_latex if own_latex is not None else settled[source].value or ""
        regions.append((Region(field.pair.key, polygon, latex), index, source))
    rank = {key: position for position, key in enumerate(order)}
    regions.sort(key=lambda entry: rank.get(entry[0].id, len(rank)))
    text = write_regions([region for region, _, _ in regions])
    sources = [index for _, *indices in regions for index in indices]
    return AssembledLabel(text, (*sources, order_source) if len(regions) > 1 else tuple(sources))
