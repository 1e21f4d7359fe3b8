"""Confidence intervals and significance tests: bootstrap, permutation and binomial tests.

Random draws depend only on the seed and the number of the replicate, so results are reproducible in any order, in any
chunks, on any number of machines. See docs/metrics/resampling.md.
"""

from evaluation.metrics.resample.binomial import (
    binomial_power,
    binomial_test,
    detectable_share,
    wilson_interval,
)
from evaluation.metrics.resample.bootstrap import (
    Interval,
    bootstrap_interval,
    bootstrap_replicates,
    mean,
    pooled_ratio,
)
from evaluation.metrics.resample.permutation import Significance, paired_permutation, two_sample_permutation
from evaluation.metrics.resample.two_samples import fisher_exact, kolmogorov_smirnov

__all__ = [
    "Interval",
    "Significance",
    "binomial_power",
    "binomial_test",
    "bootstrap_interval",
    "bootstrap_replicates",
    "detectable_share",
    "fisher_exact",
    "kolmogorov_smirnov",
    "mean",
    "paired_permutation",
    "pooled_ratio",
    "two_sample_permutation",
    "wilson_interval",
]
