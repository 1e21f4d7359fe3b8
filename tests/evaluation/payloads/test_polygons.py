"""The exact geometry of polygons, against shapely."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import time
from fractions import Fraction

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import MultiPoint, Polygon

from evaluation.payloads.geometry import MAX_COORDINATE, MAX_POINTS
from evaluation.payloads.polygons import (
    convex_hull,
    find_crossing,
    intersection_and_union,
    minimum_rotated_rectangle,
)
from tests.evaluation.payloads.strategies import hexagrams, stars

coarse = st.tuples(*[st.integers(0, 8)] * 2)
fine = st.tuples(*[st.integers(-MAX_COORDINATE, MAX_COORDINATE)] * 2)
corner_lists = st.one_of(
    *(st.lists(points, min_size=3, max_size=9, unique=True) for points in (coarse, fine))
)


@settings(max_examples=400)
@given(corner_lists)
def test_find_crossing_when_asked_then_none_for_exactly_what_shapely_calls_valid(corners):
    assert (find_crossing(corners) is None) == Polygon(corners).is_valid


@given(corner_lists)
def test_find_crossing_when_sides_are_named_then_they_meet_and_none_does_before(corners):
    def sides_that_meet():
        sides = [shapely.LineString(ends) for ends in zip(corners, [*corners[1:], *corners[:1]], strict=True)]
        for i, side in enumerate(sides):
            for j, other in enumerate(sides[i + 1 :], start=i + 1):
                shared = side.intersection(other)
                is_neighbour = j - i in (1, len(sides) - 1)
                if shared.length > 0 if is_neighbour else not shared.is_empty:
                    yield i, j

    # A fold of the last side onto the first is looked for last, as in the browser.
    last = (0, len(corners) - 1)
    assert find_crossing(corners) == min(
        sides_that_meet(), key=lambda pair: (pair == last, pair), default=None
    )


def spiky(count):
    turns = [math.tau * corner / count for corner in range(count)]
    reach = [90_000 if corner % 2 else 9_000 for corner in range(count)]
    return [
        (round(100_000 + r * math.cos(t)), round(100_000 + r * math.sin(t)))
        for r, t in zip(reach, turns, strict=True)
    ]


def test_find_crossing_when_there_are_as_many_points_as_are_kept_then_in_the_time_of_a_request():
    rng = random.Random(3)
    scribble = [(rng.randrange(4_000), rng.randrange(4_000)) for _ in range(MAX_POINTS)]
    began = time.process_time()
    assert find_crossing(spiky(MAX_POINTS)) is None
    assert find_crossing(scribble) is not None
    assert time.process_time() - began < 2


@given(stars(), stars())
def test_areas_when_measured_then_near_shapely_and_the_same_in_either_direction(first, second):
    intersection, union = intersection_and_union(first, second)
    first_polygon, second_polygon = Polygon(first), Polygon(second)
    assert float(intersection) == pytest.approx(first_polygon.intersection(second_polygon).area, abs=1e-6)
    assert float(union) == pytest.approx(first_polygon.union(second_polygon).area)
    for turned in (first, first[::-1], first[2:] + first[:2]):
        assert intersection_and_union(second, turned) == (intersection, union)


@given(stars(), st.integers(-9, 9), st.integers(-9, 9))
def test_areas_when_all_is_sheared_moved_or_scaled_then_exactly_as_the_map_says(star, across, down):
    other = tuple((x + 30, y - 20) for x, y in star)
    intersection, union = intersection_and_union(star, other)
    sheared = [[(3 * x + across * y + down, 3 * y - 50) for x, y in corners] for corners in (star, other)]
    assert intersection_and_union(*sheared) == (9 * intersection, 9 * union)


@given(hexagrams())
def test_areas_when_sides_cross_between_pixels_then_exact(triangles):
    intersection, union = intersection_and_union(*triangles)
    assert intersection / union == Fraction(1, 2)


@settings(max_examples=200)
@given(st.lists(st.one_of(coarse, fine), min_size=1, max_size=12))
def test_convex_hull_when_compared_then_the_corners_that_shapely_has(points):
    hull = convex_hull(points)
    expected = shapely.get_coordinates(MultiPoint(points).convex_hull).tolist()
    assert sorted(map(list, hull)) == sorted(map(list, {tuple(corner) for corner in expected}))
    assert hull[0] == min(points)
    turns = zip(hull, [*hull[1:], *hull[:1]], strict=True)
    assert sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in turns) >= 0


@given(stars())
def test_minimum_rotated_rectangle_when_compared_then_as_small_as_that_of_shapely(star):
    rectangle = Polygon(minimum_rotated_rectangle(convex_hull(star)))
    assert rectangle.area == pytest.approx(shapely.minimum_rotated_rectangle(Polygon(star)).area)
    assert rectangle.buffer(1e-6).contains(Polygon(star))


def test_minimum_rotated_rectangle_of_nothing_then_refused():
    with pytest.raises(ValueError, match="no point"):
        minimum_rotated_rectangle([])


def test_polygons_when_imported_cold_then_no_package_is_loaded():
    code = (
        "import sys, evaluation.payloads.polygons;"
        "print([m for m in ('shapely', 'numpy', 'django') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
