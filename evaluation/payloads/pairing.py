"""Which area of one version answers which of the other."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.payloads.assignment import assign
from evaluation.payloads.fields import AgreementThresholds
from evaluation.payloads.geometry import Area
from evaluation.payloads.iou import iou_matrix


def pair_areas(first: Sequence[Area], second: Sequence[Area], limits: AgreementThresholds) -> dict[int, int]:
    """Position to position, one-to-one: the pairs that overlap by `limits.pair_iou` or more, chosen so that their total
    overlap is largest. Without such a pair, none.

    >>> square = Area(((0, 0), (2, 0), (2, 2), (0, 2)))
    >>> pair_areas([square], [Area(((5, 5), (6, 5), (6, 6))), square], AgreementThresholds())
    {0: 1}
    """
    if not first or not second:
        return {}
    shares = iou_matrix(first, second)
    shares[shares < limits.pair_iou] = 0.0
    return {i: j for i, j in assign(shares, maximize=True) if shares[i, j] > 0}
