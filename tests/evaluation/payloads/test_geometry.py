"""Outlines: field case 44 and its kind, and the overlap of two areas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.payloads.geometry import (
    MAX_POINTS,
    Area,
    BadGeometry,
    bounding_box,
    check_polygon,
    find_crossing,
    overlap,
    read_points,
    whole_image,
)
from tests.evaluation.payloads.strategies import stars

numbers = st.integers(0, 60)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([[0, 0], [40, 40], [40, 0], [0, 40]], "crosses itself between points 1 and 3"),
        ([[0, 0], [4, 4]], "has 2 points; it needs three"),
        ([], "has 0 points"),
        ([[0, 0], [0, 0], [4, 0], [4, 4]], "Points 1 and 2 lie on the same place"),
        ([[0, 0], [4, 0], [4, 4], [0, 0]], "Points 4 and 1 lie on the same place"),
        ([[0, 0], [9, 0], [4, 0]], "crosses itself"),
        ([[0, 0], [9, 0], [9, 9], [5, 0], [0, 9]], "crosses itself between points 1 and 3"),
        ([[0, 0], [101, 0], [4, 4]], r"Point 2 \(101, 0\) lies outside the image of 100 × 50"),
        ([[0, 0], [-1, 0], [4, 4]], "Point 2 .* outside"),
    ],
)
def test_check_polygon_when_it_is_no_outline_then_refused_with_the_reason(points, words):
    with pytest.raises(BadGeometry, match=words):
        check_polygon(read_points(points), 100, 50)


@pytest.mark.parametrize(
    "bad",
    [float("nan"), float("inf"), 1.5, True, "3", None, 10**30, [1]],
)
def test_read_points_when_a_number_is_none_then_refused_naming_the_point(bad):
    with pytest.raises(BadGeometry, match="Point 2"):
        read_points([[0, 0], [4, bad], [4, 4]])


def test_read_points_with_ten_thousand_then_refused():
    with pytest.raises(BadGeometry, match="10,000 points; at most 1,000"):
        read_points([[at, at % 7] for at in range(10_000)])


def test_check_polygon_with_as_many_points_as_are_kept_then_taken():
    comb = [(at, 10 * (at % 2)) for at in range(MAX_POINTS - 2)] + [(MAX_POINTS, 50), (0, 50)]
    check_polygon(comb, 2_000, 60)


def area_of(points):
    """Square pixels, by Gauss."""
    sides = zip(points, [*points[1:], *points[:1]], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides)) / 2


def test_whole_image_is_an_outline():
    check_polygon(whole_image(300, 200), 300, 200)
    assert area_of(whole_image(300, 200)) == 60_000


@given(stars())
def test_check_polygon_with_a_simple_polygon_then_taken_whatever_its_first_point(star):
    check_polygon(star, 1_000, 1_000)
    check_polygon(star[2:] + star[:2], 1_000, 1_000)
    check_polygon(star[::-1], 1_000, 1_000)


@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=7, unique=True))
def test_find_crossing_when_it_finds_none_then_untangling_changes_nothing(points):
    """A polygon without crossings has the area that the even-odd rule counts line by line."""
    if find_crossing(points) is None:
        assert overlap(Area(tuple(points)), Area(whole_image(60, 60))) == pytest.approx(
            area_of(points) / 3600
        )


@given(stars(), stars())
def test_overlap_is_symmetric_and_one_only_for_the_same_place(first, second):
    a, b = Area(first), Area(second)
    share = overlap(a, b)
    assert 0 <= share <= 1 and share == pytest.approx(overlap(b, a))
    assert overlap(a, Area(first[1:] + first[:1])) == pytest.approx(1)


@given(stars(), st.integers(-50, 50), st.integers(-50, 50))
def test_overlap_when_both_are_moved_alike_then_the_same(star, dx, dy):
    moved = tuple((x + 7, y + 3) for x, y in star)
    shifted = [Area(tuple((x + dx, y + dy) for x, y in points)) for points in (star, moved)]
    assert overlap(*shifted) == pytest.approx(overlap(Area(star), Area(moved)))


def test_overlap_of_a_hollow_shape_is_counted_piece_by_piece():
    cup = Area(((0, 0), (10, 0), (10, 30), (20, 30), (20, 0), (30, 0), (30, 40), (0, 40)))
    inside = Area(((10, 0), (20, 0), (20, 30), (10, 30)))
    assert overlap(cup, inside) == 0
    assert overlap(cup, Area(whole_image(30, 40))) == pytest.approx(900 / 1200)


def test_overlap_of_brush_strokes():
    stroke = Area(((10, 50), (110, 50)), width=20)
    box = Area(((10, 40), (110, 40), (110, 60), (10, 60)))
    assert overlap(stroke, stroke) == 1
    # The round ends stand out of the box by half a disc each.
    assert overlap(stroke, box) == pytest.approx(2000 / (2000 + math.pi * 100), rel=0.02)
    assert overlap(Area(((10, 50), (60, 50), (110, 50)), width=20), stroke) == pytest.approx(1)
    dot = Area(((50, 50),), width=40)
    assert overlap(dot, Area(((50, 50), (50, 50)), width=40)) == pytest.approx(1)
    assert bounding_box(dot) == (30, 30, 70, 70)
