"""Grading of hand-drawn diagrams: verdicts and error types of graders, human or model.

After SketchJudge (arXiv 2601.06944). Two presets: `sketchjudge` gives the figures of the benchmark's public
evaluator, `inkbench-1` (the default) reads replies as the paper describes, counts a missing verdict as wrong, and
reports figures that do not exist as undefined. See docs/metrics/grading.md.
"""

from evaluation.metrics.grading.error_types import count_errors, error_scores
from evaluation.metrics.grading.judgements import (
    GradingRow,
    InvalidGradingRow,
    Judgement,
    SkippedRow,
    judge,
    judge_all,
    read_row,
    read_rows,
)
from evaluation.metrics.grading.predictions import (
    PRESETS,
    GraderPrediction,
    UnreadableReply,
    parse_prediction,
)
from evaluation.metrics.grading.report import GradingReport, grade_report
from evaluation.metrics.grading.scoring import (
    grade_accuracy,
    grade_accuracy_corpus,
    grade_errors,
    grade_errors_corpus,
    make_accumulator,
    metric_presets,
)
from evaluation.metrics.grading.verdicts import ConfusionMatrix, count_verdicts, verdict_scores

__all__ = [
    "PRESETS",
    "ConfusionMatrix",
    "GraderPrediction",
    "GradingReport",
    "GradingRow",
    "InvalidGradingRow",
    "Judgement",
    "SkippedRow",
    "UnreadableReply",
    "count_errors",
    "count_verdicts",
    "error_scores",
    "grade_accuracy",
    "grade_accuracy_corpus",
    "grade_errors",
    "grade_errors_corpus",
    "grade_report",
    "judge",
    "judge_all",
    "make_accumulator",
    "metric_presets",
    "parse_prediction",
    "read_row",
    "read_rows",
    "verdict_scores",
]
