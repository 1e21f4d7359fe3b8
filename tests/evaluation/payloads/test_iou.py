"""Intersection over union: exact for polygons, near it for strokes and on a grid, quick for whatever a label holds."""

from __future__ import annotations

import math
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import make_valid
from shapely.geometry import LineString, Point, Polygon

from evaluation.payloads.fields import AgreementThresholds
from evaluation.payloads.geometry import MAX_POINTS, Area, whole_image
from evaluation.payloads.iou import iou, iou_matrix, measure_iou
from evaluation.payloads.masks import MAX_ALL_POINTS, MAX_MASKS, BadMask, pair_masks, read_masks
from tests.evaluation.payloads.strategies import hexagrams, stars


def scribble(seed, count, width, side=3_000):
    """A hand that wanders over a page."""
    hand = random.Random(seed)
    x, y, points = side // 2, side // 2, []
    for _ in range(count):
        x = min(max(x + hand.randint(-60, 60), 0), side)
        y = min(max(y + hand.randint(-60, 60), 0), side)
        points.append((x, y))
    return Area(tuple(points), width)


def comb(teeth, is_turned=False):
    points = [(0, 0)]
    for tooth in range(teeth):
        points += [(tooth * 10, 999), (tooth * 10 + 5, 999), (tooth * 10 + 5, 5), (tooth * 10 + 10, 5)]
    points.append((teeth * 10 + 10, 0))
    return Area(tuple((y, x) for x, y in points) if is_turned else tuple(points))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (scribble(1, 70, 40), scribble(2, 70, 60)),
        (scribble(3, 70, 300), comb(60)),
        (comb(90), comb(90, is_turned=True)),
        (scribble(4, 150, 90), Area(((0, 0), (1500, 0), (1500, 1500), (0, 1500)))),
        (Area(((100, 100),) * 130, 50), Area(((90, 90), (120, 90), (120, 140), (90, 140)))),
    ],
)
def test_iou_when_measured_on_a_grid_then_near_the_measured(first, second):
    measured = measure_iou(first, second)
    assert iou(first, second) == pytest.approx(measured, abs=0.01)
    assert iou(second, first) == pytest.approx(measured, abs=0.01)


def test_iou_matrix_when_many_then_near_the_pairs():
    first = [scribble(seed, 30, 80) for seed in range(30)]
    second = [scribble(seed, 30, 100) for seed in range(20, 40)]
    matrix = iou_matrix(first, second)
    for i in (0, 12, 29):
        for j in (0, 9, 19):
            assert matrix[i, j] == pytest.approx(measure_iou(first[i], second[j]), abs=0.02)


def listed(seed, count, size):
    return [
        {"id": f"b{index}", "shape": "brush", "width": 2_000, "reason": "ink"}
        | {"points": [list(point) for point in scribble(seed + index, size, 1, 9_000).points]}
        for index in range(count)
    ]


@pytest.mark.parametrize(("count", "size"), [(5, MAX_POINTS), (MAX_MASKS, MAX_ALL_POINTS // MAX_MASKS)])
def test_pair_masks_when_both_versions_are_painted_all_over_then_within_the_time_of_a_request(count, size):
    first, second = listed(0, count, size), listed(10_000, count, size)
    began = time.process_time()
    assert len(pair_masks(first, second, AgreementThresholds())) >= count
    assert time.process_time() - began < 25


def test_read_masks_when_all_together_have_too_many_points_then_refused_with_the_mend():
    with pytest.raises(BadMask, match="20,000"):
        read_masks(listed(0, 21, MAX_POINTS))
    assert len(read_masks(listed(0, 20, MAX_POINTS))) == 20


@given(stars(), stars())
def test_measure_iou_is_symmetric_and_one_only_for_the_same_place(first, second):
    a, b = Area(first), Area(second)
    share = measure_iou(a, b)
    assert 0 <= share <= 1 and share == pytest.approx(measure_iou(b, a))
    assert measure_iou(a, Area(first[1:] + first[:1])) == pytest.approx(1)


@given(stars(), st.integers(-50, 50), st.integers(-50, 50))
def test_measure_iou_when_both_are_moved_alike_then_the_same(star, dx, dy):
    moved = tuple((x + 7, y + 3) for x, y in star)
    shifted = [Area(tuple((x + dx, y + dy) for x, y in points)) for points in (star, moved)]
    assert measure_iou(*shifted) == pytest.approx(measure_iou(Area(star), Area(moved)))


def test_measure_iou_of_a_hollow_shape_is_counted_piece_by_piece():
    cup = Area(((0, 0), (10, 0), (10, 30), (20, 30), (20, 0), (30, 0), (30, 40), (0, 40)))
    inside = Area(((10, 0), (20, 0), (20, 30), (10, 30)))
    assert measure_iou(cup, inside) == 0
    assert measure_iou(cup, Area(whole_image(30, 40))) == pytest.approx(900 / 1200)


def test_measure_iou_of_brush_strokes():
    stroke = Area(((10, 50), (110, 50)), width=20)
    box = Area(((10, 40), (110, 40), (110, 60), (10, 60)))
    assert measure_iou(stroke, stroke) == 1
    # The round ends stand out of the box by half a disc each.
    assert measure_iou(stroke, box) == pytest.approx(2000 / (2000 + math.pi * 100), rel=0.02)
    assert measure_iou(Area(((10, 50), (60, 50), (110, 50)), width=20), stroke) == pytest.approx(1)
    dot = Area(((50, 50),), width=40)
    assert measure_iou(dot, Area(((50, 50), (50, 50)), width=40)) == pytest.approx(1)


def shape_of(area):
    """The area as shapely has it; a stroke's round ends and joins have 400 corners a quarter."""
    if not area.width:
        return make_valid(Polygon(area.points))  # by the even-odd rule
    line = LineString(area.points) if len(area.points) > 1 else Point(area.points)
    return line.buffer(area.width / 2, quad_segs=400)


def iou_by_shapely(first, second):
    first_shape, second_shape = shape_of(first), shape_of(second)
    return first_shape.intersection(second_shape).area / first_shape.union(second_shape).area


@pytest.mark.parametrize("seed", range(12))
def test_measure_iou_when_strokes_are_among_them_then_near_shapely(seed):
    first, second = scribble(seed, 8, 150, 900), scribble(seed + 50, 8, 90, 900)
    box = Area(((300, 300), (600, 320), (580, 600), (310, 560)))
    for left, right in ((first, second), (first, box), (box, second)):
        assert measure_iou(left, right) == pytest.approx(iou_by_shapely(left, right), abs=0.002)


@given(st.lists(st.tuples(*[st.integers(0, 900)] * 2), min_size=4, max_size=6, unique=True), stars())
def test_measure_iou_when_a_draft_crosses_itself_then_near_the_even_odd_rule(points, star):
    if Polygon(points).is_valid:
        return
    first, second = Area(tuple(points)), Area(star)
    assert measure_iou(first, second) == pytest.approx(iou_by_shapely(first, second), abs=0.01)


@given(hexagrams())
def test_iou_when_the_fraction_is_a_limit_then_not_missed_by_rounding(triangles):
    first, second = map(Area, triangles)
    assert iou(first, second) == iou(second, first) == 0.5
