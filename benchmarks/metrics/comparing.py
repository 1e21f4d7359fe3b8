"""Comparison of figures with those of a reference program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

MOST_EXCEPTED = 0.02  # of the rows

Compared = tuple[str, str, float | str | None, float | str | None]
"""Row id, figure, value, expected value; None where a program gives none."""


def default_vectors() -> Path:
    """`../shared/vectors` beside the project, or `vectors` in the folder INKBENCH_SHARED."""
    shared = os.environ.get("INKBENCH_SHARED")
    return Path(shared or Path(__file__).parents[2].parent / "shared") / "vectors"


def differs(value: float | str | None, expected: float | str | None, tolerance: float) -> bool:
    """Whether numbers differ by more than the tolerance, or texts or missing figures differ."""
    if isinstance(value, str) or isinstance(expected, str) or value is None or expected is None:
        return value != expected
    return abs(value - expected) > tolerance


def conclude(
    family: str,
    compared: Iterable[Compared],
    *,
    tolerance: Callable[[str], float],
    exceptions: Mapping[str, str],
) -> int:
    """Print every figure that is off and the total. Returns 1 if an unexcepted row is off, or too many rows are.

    `tolerance` gives the tolerance of a figure, `exceptions` the cause by row id.
    """
    figures, rows, bad = 0, set(), set()
    for row, figure, value, expected in compared:
        figures += 1
        rows.add(row)
        if differs(value, expected, tolerance(figure)):
            bad.add(row)
            known = f" (known: {exceptions[row]})" if row in exceptions else ""
            print(f"{row} {figure}: {value!r} instead of {expected!r}{known}")
    excepted = len(bad & set(exceptions))
    print(
        f"{family}: {figures} figures of {len(rows)} rows compared, {len(bad)} rows off, {excepted} excepted"
    )
    return 1 if bad - set(exceptions) or len(bad) > MOST_EXCEPTED * len(rows) else 0
