"""Agreement of people, or of a metric with people: kappa, alpha, correlations, overlap of regions.

Degenerate data give a score without a value: status UNDEFINED, with the reason and n; never NaN, never an accidental
1.0. See docs/metrics/agreement.md.
"""

from evaluation.metrics.agreement.alpha import krippendorff_alpha
from evaluation.metrics.agreement.correlation import kendall_tau, pearson, spearman
from evaluation.metrics.agreement.kappa import cohen_kappa, quadratic_weighted_kappa
from evaluation.metrics.agreement.overlap import InvalidPolygon, polygon_iou, read_polygon
from evaluation.metrics.agreement.statistic import UnequalLength

__all__ = [
    "InvalidPolygon",
    "UnequalLength",
    "cohen_kappa",
    "kendall_tau",
    "krippendorff_alpha",
    "pearson",
    "polygon_iou",
    "quadratic_weighted_kappa",
    "read_polygon",
    "spearman",
]
