"""Which area of one version corresponds to which of the other."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.payloads.fields import AgreementThresholds
from evaluation.payloads.geometry import Area
from evaluation.payloads.iou import iou_matrix
from evaluation.payloads.optimal_matching import optimal_pairs


def pair_areas(first: Sequence[Area], second: Sequence[Area], limits: AgreementThresholds) -> dict[int, int]:
    """Index to index, one-to-one: pairs with an IoU of `limits.pair_iou` or more, chosen for the largest total IoU.

    >>> square = Area(((0, 0), (2, 0), (2, 2), (0, 2)))
    >>> pair_areas([square], [Area(((5, 5), (6, 5), (6, 6))), square], AgreementThresholds())
    {0: 1}
    """
    if not first or not second:
        return {}
    overlaps = iou_matrix(first, second)
    overlaps[overlaps < limits.pair_iou] = 0.0
    return {i: j for i, j in optimal_pairs(overlaps, maximize=True) if overlaps[i, j] > 0}
