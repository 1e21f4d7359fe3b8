"""Overlaps on a grid: near the exact ones, and quick for whatever a label may hold."""

from __future__ import annotations

import random
import time

import pytest

from evaluation.payloads.covering import share_of, shares_of
from evaluation.payloads.fields import AgreementThresholds
from evaluation.payloads.geometry import MAX_POINTS, Area, overlap
from evaluation.payloads.masks import MAX_ALL_POINTS, MAX_MASKS, BadMask, pair_masks, read_masks


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
    for at in range(teeth):
        points += [(at * 10, 999), (at * 10 + 5, 999), (at * 10 + 5, 5), (at * 10 + 10, 5)]
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
def test_share_of_when_measured_on_a_grid_then_near_the_exact_share(first, second):
    exact = overlap(first, second)
    assert share_of(first, second) == pytest.approx(exact, abs=0.01)
    assert share_of(second, first) == pytest.approx(exact, abs=0.01)


def test_shares_of_when_many_then_near_the_exact_shares():
    first = [scribble(seed, 30, 80) for seed in range(30)]
    second = [scribble(seed, 30, 100) for seed in range(20, 40)]
    shares = shares_of(first, second)
    for i in (0, 12, 29):
        for j in (0, 9, 19):
            assert shares[i, j] == pytest.approx(overlap(first[i], second[j]), abs=0.02)


def listed(seed, count, each):
    return [
        {"id": f"b{at}", "shape": "brush", "width": 2_000, "reason": "ink"}
        | {"points": [list(point) for point in scribble(seed + at, each, 1, 9_000).points]}
        for at in range(count)
    ]


@pytest.mark.parametrize(("count", "each"), [(5, MAX_POINTS), (MAX_MASKS, MAX_ALL_POINTS // MAX_MASKS)])
def test_pair_masks_when_both_versions_are_painted_all_over_then_within_the_time_of_a_request(count, each):
    first, second = listed(0, count, each), listed(10_000, count, each)
    began = time.process_time()
    assert len(pair_masks(first, second, AgreementThresholds())) >= count
    assert time.process_time() - began < 25


def test_read_masks_when_all_together_have_too_many_points_then_refused_with_the_mend():
    with pytest.raises(BadMask, match="20,000"):
        read_masks(listed(0, 21, MAX_POINTS))
    assert len(read_masks(listed(0, 20, MAX_POINTS))) == 20
