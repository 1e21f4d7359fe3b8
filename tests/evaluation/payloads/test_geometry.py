"""Polygons on an image: field case 44 and its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from shapely.geometry import Polygon

from evaluation.payloads.geometry import (
    MAX_POINTS,
    Area,
    BadGeometry,
    bounding_box,
    check_polygon,
    read_points,
    whole_image,
)
from tests.evaluation.payloads.strategies import stars


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([[0, 0], [40, 40], [40, 0], [0, 40]], "crosses itself between points 1 and 3"),
        ([[0, 0], [4, 4]], "too few points \\(2\\); it needs at least three"),
        ([], "too few points \\(0\\)"),
        ([[0, 0], [0, 0], [4, 0], [4, 4]], "Points 1 and 2 are in the same place"),
        ([[0, 0], [4, 0], [4, 4], [0, 0]], "Points 4 and 1 are in the same place"),
        ([[0, 0], [9, 0], [4, 0]], "crosses itself"),
        ([[0, 0], [9, 0], [9, 9], [5, 0], [0, 9]], "crosses itself between points 1 and 3"),
        ([[0, 0], [101, 0], [4, 4]], r"Point 2 \(101, 0\) is outside the image of 100 × 50"),
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
    with pytest.raises(BadGeometry, match="\\(10,000\\); the limit is 1,000"):
        read_points([[index, index % 7] for index in range(10_000)])


def test_check_polygon_with_as_many_points_as_are_kept_then_taken():
    comb = [(index, 10 * (index % 2)) for index in range(MAX_POINTS - 2)] + [(MAX_POINTS, 50), (0, 50)]
    check_polygon(comb, 2_000, 60)


def test_whole_image_is_a_polygon():
    check_polygon(whole_image(300, 200), 300, 200)
    assert Polygon(whole_image(300, 200)).area == 60_000


@given(stars())
def test_check_polygon_with_a_simple_polygon_then_taken_whatever_its_first_point(star):
    check_polygon(star, 1_000, 1_000)
    check_polygon(star[2:] + star[:2], 1_000, 1_000)
    check_polygon(star[::-1], 1_000, 1_000)


def test_bounding_box_of_a_stroke_then_its_width_is_inside():
    assert bounding_box(Area(((50, 50),), width=40)) == (30, 30, 70, 70)
    assert bounding_box(Area(((10, 10), (30, 50), (20, 90)))) == (10, 10, 30, 90)
