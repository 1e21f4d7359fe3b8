"""Overlap of outlines, against shapely."""

from __future__ import annotations

import math
import random
import time

import pytest
from shapely.geometry import Polygon

from evaluation.metrics.agreement import (
    polygon_iou,
)
from evaluation.metrics.base import ScoreStatus
from tests.evaluation.metrics.agreement.asserting import assert_undefined

SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]
U_SHAPE = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]


@pytest.mark.parametrize(
    ("first", "second", "common", "together"),
    [
        (SQUARE, SQUARE, 4, 4),
        (SQUARE, SQUARE[::-1], 4, 4),
        (SQUARE, [(2, 0), (4, 0), (4, 2), (2, 2)], 0, 8),  # shared side
        (SQUARE, [(2, 2), (3, 2), (3, 3)], 0, 4.5),  # shared corner
        (SQUARE, [(5, 5), (6, 5), (6, 6)], 0, 4.5),  # apart
        (SQUARE, [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)], 1, 4),  # inside
        (SQUARE, [(1, -1), (3, 1), (1, 3), (-1, 1)], 4, 8),  # corners of one on sides of the other
        (SQUARE, [(1, 0), (2, 1), (1, 2), (0, 1)], 2, 4),  # a diamond in the square
        (U_SHAPE, [(1, 1), (2, 1), (2, 3), (1, 3)], 0, 9),  # fills the gap of the U
        (U_SHAPE, [(0, 2), (3, 2), (3, 3), (0, 3)], 2, 8),  # cuts both arms
        (SQUARE, [(0, 0), (1, 0), (2, 0), (2, 2), (0, 2), (0, 0)], 4, 4),  # idle corners, closed
    ],
)
def test_polygon_iou_when_area_is_known_then_exact_both_ways(first, second, common, together) -> None:
    for score in (polygon_iou(first, second), polygon_iou(second, first)):
        assert (score.numerator, score.denominator) == (common, together)
        assert score.value == common / together


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([], "fewer than three"),
        ([(0, 0), (1, 1)], "fewer than three"),
        ([(0, 0), (1, 1), (2, 2), (0, 0)], "on one line"),
        ([(1, 1)] * 4, "fewer than three"),
        ([(0, 0), (2, 2), (2, 0), (0, 2)], "meet"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "meet"),  # a corner touches another side
    ],
)
def test_polygon_iou_when_no_region_then_reason(corners, words) -> None:
    assert_undefined(polygon_iou(corners, SQUARE), 0, words)
    assert polygon_iou(SQUARE, corners).reason.startswith("second polygon")


def test_polygon_iou_when_a_corner_is_not_finite_then_named() -> None:
    with pytest.raises(ValueError, match="corner 1 is"):
        polygon_iou([(0, 0), (math.inf, 0), (1, 1)], SQUARE)
    with pytest.raises(ValueError, match="corner 0 is"):
        polygon_iou([(0, 0, 0), (1, 0), (1, 1)], SQUARE)


def test_polygon_iou_when_over_the_limit_then_too_large_at_once() -> None:
    ring = [(math.cos(2 * math.pi * i / 501), math.sin(2 * math.pi * i / 501)) for i in range(501)]
    assert polygon_iou(ring, SQUARE).status is ScoreStatus.TOO_LARGE


def test_polygon_iou_when_the_largest_allowed_then_in_bounded_time() -> None:
    ring = [(math.cos(2 * math.pi * i / 120), math.sin(2 * math.pi * i / 120)) for i in range(120)]
    started = time.process_time()
    assert 0 < polygon_iou(ring, SQUARE).value < 1
    assert time.process_time() - started < 10


def star_outline(chance: random.Random) -> list[tuple[float, float]]:
    """A simple polygon, seldom convex: corners around a centre at growing angles."""
    n = chance.randint(3, 9)
    x, y = chance.uniform(-1, 1), chance.uniform(-1, 1)
    angles = sorted((i + chance.uniform(0.1, 0.9)) * 2 * math.pi / n for i in range(n))
    reach = [chance.uniform(0.3, 2) for _ in range(n)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(reach, angles, strict=True)]


def test_polygon_iou_when_300_random_stars_then_equals_shapely() -> None:
    chance = random.Random(5)
    for _ in range(300):
        first, second = star_outline(chance), star_outline(chance)
        a, b = Polygon(first), Polygon(second)
        expected = a.intersection(b).area / a.union(b).area
        assert polygon_iou(first, second).value == pytest.approx(expected, abs=1e-9)


def test_polygon_iou_when_corners_lie_on_a_coarse_grid_then_equals_shapely() -> None:
    chance = random.Random(6)
    n_compared = 0
    while n_compared < 150:
        polygons = [
            Polygon([(round(2 * x), round(2 * y)) for x, y in star_outline(chance)]) for _ in range(2)
        ]
        if not all(polygon.is_valid and polygon.area for polygon in polygons):
            continue
        first, second = (list(polygon.exterior.coords) for polygon in polygons)
        score = polygon_iou(first, second)
        expected = polygons[0].intersection(polygons[1]).area / polygons[0].union(polygons[1]).area
        assert score.value == pytest.approx(expected, abs=1e-9)
        n_compared += 1
