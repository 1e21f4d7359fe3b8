"""Pairing one to one at the least total cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def assign(values: NDArray[Any], *, maximize: bool = False) -> Iterator[tuple[int, int]]:
    """(row, column) pairs in the order of the rows; as many as the shorter side has. Exact.

    >>> list(assign(np.array([[4, 1], [2, 0]])))
    [(0, 1), (1, 0)]
    """
    rows, columns = assign_arrays(values, maximize=maximize)
    return zip(rows.tolist(), columns.tolist(), strict=True)


def assign_arrays(
    values: NDArray[Any], *, maximize: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and the columns of `assign`, to index with."""
    # Imported on use: it takes half a second to load, which every process of a site would pay at its start.
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    rows, columns = linear_sum_assignment(values, maximize=maximize)
    return rows, columns
