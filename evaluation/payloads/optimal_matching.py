"""One-to-one matching of the rows and columns of a matrix at the least total cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def optimal_pairs(values: NDArray[Any], *, maximize: bool = False) -> Iterator[tuple[int, int]]:
    """(row, column) pairs, by row, of least total (`maximize`: greatest); as many as the shorter side has. Exact.

    >>> list(optimal_pairs(np.array([[4, 1], [2, 0]])))
    [(0, 1), (1, 0)]
    """
    rows, columns = optimal_pair_arrays(values, maximize=maximize)
    return zip(rows.tolist(), columns.tolist(), strict=True)


def optimal_pair_arrays(
    values: NDArray[Any], *, maximize: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of `optimal_pairs` as two index arrays."""
    # Imported on use: loading takes half a second, which would slow down the start of every process.
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    rows, columns = linear_sum_assignment(values, maximize=maximize)
    return rows, columns
