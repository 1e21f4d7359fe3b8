"""Bundles: frozen combinations of page matching, metrics, presets and averages, and scoring with them."""

from __future__ import annotations

from evaluation.metrics.bundles.builtin import DEFAULT, bundle_names, custom_bundle, get_bundle
from evaluation.metrics.bundles.bundle import ALL, Bundle, BundleMetric
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.bundles.scoring import (
    Figure,
    Report,
    ScoredRow,
    find_bundle,
    score_sample,
    score_samples,
)
from evaluation.metrics.bundles.strata import SUBTASKS, measure_label, stratum, subtask_of

__all__ = [
    "ALL",
    "DEFAULT",
    "SUBTASKS",
    "Bundle",
    "BundleMetric",
    "Figure",
    "Report",
    "ScoredRow",
    "ScoringSample",
    "bundle_names",
    "custom_bundle",
    "find_bundle",
    "get_bundle",
    "measure_label",
    "score_sample",
    "score_samples",
    "stratum",
    "subtask_of",
]
