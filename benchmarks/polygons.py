"""Polygon geometry compared with shapely: time, and equality of the figures.

`python -m benchmarks.polygons`: CPU microseconds a call, best of five rounds, and the ratio (above 1: shapely is
faster). `python -m benchmarks.polygons --figures FILE`: writes the figures of this version of shapely; if the file
exists, counts the figures that differ from it. Conclusions: docs/adr/0007-polygons.md.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from evaluation.exports.quadrilateral import smallest_quadrilateral
from evaluation.payloads.geometry import Area, check_inside
from evaluation.payloads.iou import iou
from evaluation.payloads.polygons import (
    convex_hull,
    find_crossing,
    intersection_and_union,
    minimum_rotated_rectangle,
)

Corners = tuple[tuple[int, int], ...]
SEED = 7
SIDE = 4_000  # pixels of the image


def star(rng: random.Random, count: int, least: float = 0.5, shift: int = 0) -> Corners:
    """A polygon around the middle of the image that seldom crosses itself; `least`: the shortest reach of a corner."""
    turns = sorted((corner + rng.uniform(0.1, 0.9)) * math.tau / count for corner in range(count))
    reach = [rng.uniform(least, 1) * SIDE * 0.45 for _ in turns]
    middle = SIDE // 2 + shift
    return tuple(
        (round(middle + r * math.cos(t)), round(middle + r * math.sin(t)))
        for r, t in zip(reach, turns, strict=True)
    )


def simple_pairs(rng: random.Random, count: int, corners: Sequence[int]) -> list[tuple[Corners, Corners]]:
    pairs: list[tuple[Corners, Corners]] = []
    while len(pairs) < count:
        pair = star(rng, rng.choice(corners)), star(rng, rng.choice(corners), shift=rng.randint(-40, 40))
        if not any(find_crossing(polygon) for polygon in pair):
            pairs.append(pair)
    return pairs


def hexagram(rng: random.Random) -> tuple[Corners, Corners]:
    """Two triangles whose IoU is exactly 1/2: one and its reflection at its centroid."""
    ax, ay, bx, by = (
        rng.randint(1, 400),
        rng.randint(-400, 400),
        rng.randint(-400, -1),
        rng.randint(401, 800),
    )
    offsets = ((ax, ay), (bx, by), (-ax - bx, -ay - by))
    return tuple((2_000 + x, 2_000 + y) for x, y in offsets), tuple(
        (2_000 - x, 2_000 - y) for x, y in offsets
    )


def scribble(rng: random.Random, count: int, width: int) -> Area:
    """A random brush stroke on the image."""
    x, y, points = SIDE // 2, SIDE // 2, []
    for _ in range(count):
        x = min(max(x + rng.randint(-60, 60), 0), SIDE)
        y = min(max(y + rng.randint(-60, 60), 0), SIDE)
        points.append((x, y))
    return Area(tuple(points), width)


def polygon_iou_by_shapely(first: Corners, second: Corners) -> float:
    left, right = shapely.Polygon(first), shapely.Polygon(second)
    return float(left.intersection(right).area / left.union(right).area)


def stroke_iou_by_shapely(first: Area, second: Area) -> float:
    left, right = (shapely.LineString(area.points).buffer(area.width / 2) for area in (first, second))
    return float(left.intersection(right).area / left.union(right).area)


def hull_by_shapely(points: Sequence[tuple[float, float]]) -> list[tuple[float, ...]]:
    """Clockwise from the leftmost corner."""
    hull = shapely.convex_hull(shapely.multipoints(np.array(points, dtype=np.float64)))
    if hull.geom_type == "Polygon" and not shapely.is_ccw(hull.exterior):
        hull = hull.reverse()
    corners = [tuple(corner) for corner in shapely.get_coordinates(hull).tolist()]
    corners = corners[:-1] if len(corners) > 2 else corners
    first = corners.index(min(corners))
    return corners[first:] + corners[:first]


def rectangle_by_shapely(points: Sequence[tuple[float, float]]) -> list[list[float]]:
    cloud = shapely.multipoints(np.array(points, dtype=np.float64))
    corners: list[list[float]] = shapely.get_coordinates(shapely.minimum_rotated_rectangle(cloud)).tolist()
    return corners[:-1]


def cpu_seconds(work: Callable[[], object]) -> float:
    """The best of five rounds; each repeats the work for a twentieth of a second, as the clock is coarse."""
    best, repeats, rounds = math.inf, 1, 0
    while rounds < 5:
        start = time.process_time()
        for _ in range(repeats):
            work()
        seconds = time.process_time() - start
        if seconds < 0.05 and not rounds:
            repeats *= 2
            continue
        best, rounds = min(best, seconds / repeats), rounds + 1
    return best


def compare(name: str, own: Callable[[], object], other: Callable[[], object], calls: int) -> None:
    """Print the CPU time of one call of either, of work that makes `calls` calls."""
    own_us, shapely_us = (cpu_seconds(work) / calls * 1e6 for work in (own, other))
    print(
        f"{name:34} ours {own_us:9.1f} us  shapely {shapely_us:9.1f} us  ratio {own_us / shapely_us:5.2f}",
        flush=True,
    )


def validity(rng: random.Random) -> None:
    for name, count, least, rounds in (
        ("box-like", 4, 0.9, 500),
        ("star", 12, 0.5, 300),
        ("star", 40, 0.5, 100),
        ("ring", 1_000, 0.99, 10),
        ("spikes", 1_000, 0.1, 3),
    ):
        polygons = [star(rng, count, least) for _ in range(rounds)]
        compare(
            f"validity, {name} of {count}",
            lambda polygons=polygons: [find_crossing(polygon) for polygon in polygons],
            lambda polygons=polygons: [shapely.Polygon(polygon).is_valid for polygon in polygons],
            rounds,
        )
    drawn = [
        [(rng.randint(0, most), rng.randint(0, most)) for _ in range(rng.randint(3, 9))]
        for most in (6, 60, SIDE) * 3_000
    ]
    judged = [corners for corners in drawn if len(set(corners)) == len(corners)]
    other = sum((find_crossing(corners) is None) != shapely.Polygon(corners).is_valid for corners in judged)
    print(f"validity: {other} of {len(judged)} verdicts differ")


def inside(rng: random.Random) -> None:
    polygons = [star(rng, 12) for _ in range(500)]
    image = shapely.box(0, 0, SIDE, SIDE)
    compare(
        "inside the image, 12",
        lambda: [check_inside(polygon, SIDE, SIDE) for polygon in polygons],
        lambda: [image.covers(shapely.Polygon(polygon)) for polygon in polygons],
        len(polygons),
    )


def polygon_iou(rng: random.Random) -> None:
    for count, rounds in ((4, 300), (12, 200), (60, 40)):
        pairs = simple_pairs(rng, rounds, (count,))
        compare(
            f"IoU, polygons of {count}",
            lambda pairs=pairs: [iou(Area(left), Area(right)) for left, right in pairs],
            lambda pairs=pairs: [polygon_iou_by_shapely(left, right) for left, right in pairs],
            rounds,
        )
    pairs = simple_pairs(rng, 2_000, (4, 5, 6, 8, 12))
    exact = [common / joint for common, joint in (intersection_and_union(*pair) for pair in pairs)]
    for name, figures in (
        ("ours", [iou(Area(left), Area(right)) for left, right in pairs]),
        ("shapely", [polygon_iou_by_shapely(left, right) for left, right in pairs]),
    ):
        off = sum(figure != float(fraction) for figure, fraction in zip(figures, exact, strict=True))
        print(f"IoU: {off} of {len(pairs)} of {name} are not the float nearest to the fraction")
    stars = [hexagram(rng) for _ in range(2_000)]
    assert all(Fraction(*intersection_and_union(*pair)) == Fraction(1, 2) for pair in stars)
    own = sum(iou(Area(left), Area(right)) < 0.5 for left, right in stars)
    by_shapely = sum(polygon_iou_by_shapely(left, right) < 0.5 for left, right in stars)
    print(f"IoU of exactly 1/2 reported as less: ours {own}, shapely {by_shapely} of {len(stars)}")


def strokes(rng: random.Random) -> None:
    for count, width, rounds in ((2, 40, 20), (30, 40, 20), (60, 40, 10), (1_000, 40, 1), (300, 2_000, 1)):
        pairs = [(scribble(rng, count, width), scribble(rng, count, width)) for _ in range(rounds)]
        compare(
            f"IoU, strokes of {count}, {width} px wide",
            lambda pairs=pairs: [iou(*pair) for pair in pairs],
            lambda pairs=pairs: [stroke_iou_by_shapely(*pair) for pair in pairs],
            rounds,
        )
    drawn = [scribble(rng, rng.randint(2, 12), rng.randint(20, 200)) for _ in range(400)]
    again = [
        Area(tuple((x + rng.randint(-9, 9), y + rng.randint(-9, 9)) for x, y in area.points), area.width + 4)
        for area in drawn
    ]
    pairs = list(zip(drawn, again, strict=True))
    figures = [(iou(*pair), stroke_iou_by_shapely(*pair)) for pair in pairs]
    moved = sum(f"{ours:.2f}" != f"{theirs:.2f}" for ours, theirs in figures)
    most = max(abs(ours - theirs) for ours, theirs in figures)
    print(f"strokes drawn twice: {moved} of {len(pairs)} differ in two decimals, by {most:.4f} at most")


def hulls(rng: random.Random) -> None:
    for count, rounds in ((4, 300), (12, 300), (1_000, 5)):
        clouds = [[(rng.randint(0, SIDE), rng.randint(0, SIDE)) for _ in range(count)] for _ in range(rounds)]
        compare(
            f"convex hull of {count}",
            lambda clouds=clouds: [convex_hull(points) for points in clouds],
            lambda clouds=clouds: [hull_by_shapely(points) for points in clouds],
            rounds,
        )
        compare(
            f"rotated rectangle around {count}",
            lambda clouds=clouds: [minimum_rotated_rectangle(convex_hull(points)) for points in clouds],
            lambda clouds=clouds: [rectangle_by_shapely(points) for points in clouds],
            rounds,
        )
    clouds = [
        [(rng.randint(0, most), rng.randint(0, most)) for _ in range(rng.randint(3, 12))]
        for most in (20, 400, SIDE) * 1_000
    ]
    clouds = [points for points in clouds if len(convex_hull(points)) > 2]
    other_hulls = sum(convex_hull(points) != hull_by_shapely(points) for points in clouds)
    print(f"convex hull: {other_hulls} of {len(clouds)} differ")
    turned = [points for points in clouds if len(convex_hull(points)) != 4]
    moved = 0
    for points in turned:
        numbers = smallest_quadrilateral(points)
        own = sorted(zip(numbers[::2], numbers[1::2], strict=True))
        by_shapely = sorted(map(tuple, rectangle_by_shapely(points)))
        moved += not np.allclose(own, by_shapely, rtol=0, atol=0.01)
    print(f"rotated rectangle: {moved} of {len(turned)} are another rectangle")


def figures_of_shapely() -> dict[str, list[Any]]:
    """The figures of this version, for everything that is stored or shown."""
    rng = random.Random(SEED)
    pairs = simple_pairs(rng, 1_000, (4, 5, 6, 8, 12))
    drawn = [[(rng.randint(0, 60), rng.randint(0, 60)) for _ in range(6)] for _ in range(1_000)]
    return {
        "validity": [bool(shapely.Polygon(corners).is_valid) for corners in drawn],
        "words on the crossing": [shapely.is_valid_reason(shapely.Polygon(corners)) for corners in drawn],
        "IoU of polygons": [polygon_iou_by_shapely(*pair) for pair in pairs],
        "IoU of strokes": [stroke_iou_by_shapely(scribble(rng, 6, 40), scribble(rng, 6, 90)) for _ in pairs],
        "convex hull": [list(map(list, hull_by_shapely(points))) for points, _ in pairs],
        "rotated rectangle": [
            sorted(np.round(rectangle_by_shapely(points), 2).tolist()) for points, _ in pairs
        ],
    }


def figures(path: Path) -> None:
    now = figures_of_shapely()
    version = f"shapely {shapely.__version__}, GEOS {shapely.geos_version_string}"
    if not path.exists():
        path.write_text(json.dumps({"version": version, "figures": now}))
        print(f"{version}: written")
        return
    before = json.loads(path.read_text())
    print(f"{version} against {before['version']}")
    for name, values in now.items():
        moved = sum(new != old for new, old in zip(values, before["figures"][name], strict=True))
        print(f"{name}: {moved} of {len(values)} differ")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.polygons", description=__doc__)
    parser.add_argument(
        "--figures", type=Path, help="the file to write shapely's figures to, or to compare with"
    )
    options = parser.parse_args(arguments)
    if options.figures:
        figures(options.figures)
        return
    print("== polygons", flush=True)
    for part in (validity, inside, polygon_iou, strokes, hulls):
        part(random.Random(SEED))


if __name__ == "__main__":
    main()
