"""Comparing our figures with a reference program's, and saying how it went."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

MOST_EXCEPTED = 0.02  # of the rows

Compared = tuple[str, str, float | str | None, float | str | None]
"""Row id, figure, ours, the reference's; None where a program stops and gives none."""


def default_vectors() -> Path:
    """`../shared/vectors` beside the project, or below the folder that INKBENCH_SHARED names."""
    shared = os.environ.get("INKBENCH_SHARED")
    return Path(shared or Path(__file__).parents[2].parent / "shared") / "vectors"


def differs(value: float | str | None, expected: float | str | None, tolerance: float) -> bool:
    """Whether numbers differ by more than the tolerance, or texts and missing figures at all."""
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
    """Print every figure that is off and the sum; 1 when a row is off that is not excepted, or too many are.

    `tolerance` gives a figure's own, `exceptions` the cause by row id.
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
