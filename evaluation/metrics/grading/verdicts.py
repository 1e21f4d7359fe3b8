"""Verdict metrics: how often, and in which direction, a grader is wrong.

Positive means the gold says *correct* (SketchJudge, appendix E.1): a false negative is correct work marked
wrong (strictness), a false positive wrong work marked correct (leniency).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature
from evaluation.metrics.grading.judgements import Judgement


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Counts of verdicts, additive over parts of a data set. `n_failed` of them had no verdict."""

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0
    n_failed: int = 0

    @property
    def n(self) -> int:
        """Judged answers."""
        return self.tp + self.fp + self.tn + self.fn

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        return ConfusionMatrix(
            self.tp + other.tp,
            self.fp + other.fp,
            self.tn + other.tn,
            self.fn + other.fn,
            self.n_failed + other.n_failed,
        )


def count_verdicts(judgements: Iterable[Judgement]) -> ConfusionMatrix:
    """Count the four outcomes.

    >>> count_verdicts([Judgement("a", "chart", True, True), Judgement("b", "chart", False, True)])
    ConfusionMatrix(tp=1, fp=1, tn=0, fn=0, n_failed=0)
    """
    counts = {(gold, said): 0 for gold in (True, False) for said in (True, False)}
    n_failed = 0
    for judgement in judgements:
        counts[judgement.gold, judgement.predicted] += 1
        n_failed += bool(judgement.failure)
    return ConfusionMatrix(
        counts[True, True], counts[False, True], counts[False, False], counts[True, False], n_failed
    )


def verdict_scores(counts: ConfusionMatrix, *, preset: str = "inkbench-1") -> dict[str, Score]:
    """accuracy, macro_f1, precision, recall, f1, fnr, fpr in 0..1 and mcc in -1..1.

    Where a figure does not exist (no correct answers, so no FNR; one class only, so no MCC) it is UNDEFINED under
    `inkbench-1`, and 0 under `sketchjudge` as in its evaluator. macro_f1 averages the F1 of
    *correct* and *incorrect*: `sketchjudge` always over both, so that a perfect set of one class scores 0.5;
    `inkbench-1` over the classes that occur in gold or replies, so that it scores 1.

    >>> round(verdict_scores(ConfusionMatrix(tp=29, fp=4, tn=21, fn=6))["mcc"].value, 4)
    0.6625
    >>> verdict_scores(ConfusionMatrix(tn=4))["fnr"].reason
    'no answer is correct in gold'
    """
    tp, fp, tn, fn = counts.tp, counts.fp, counts.tn, counts.fn
    build = _Builder(counts, preset)
    none_right, none_wrong = "no answer is correct in gold", "no answer is incorrect in gold"
    return {
        "accuracy": build.ratio("accuracy", tp + tn, counts.n, "no answers"),
        "macro_f1": _macro_f1(build),
        "precision": build.ratio("precision", tp, tp + fp, "no answer was called correct"),
        "recall": build.ratio("recall", tp, tp + fn, none_right),
        "f1": build.ratio("f1", 2 * tp, 2 * tp + fp + fn, "no answer is, or was called, correct"),
        "fnr": build.ratio("fnr", fn, fn + tp, none_right, Direction.LOWER),
        "fpr": build.ratio("fpr", fp, fp + tn, none_wrong, Direction.LOWER),
        "mcc": _mcc(build),
    }


@dataclass(frozen=True, slots=True)
class _Builder:
    """Builds scores from counts under one preset."""

    counts: ConfusionMatrix
    preset: str

    def ratio(
        self,
        name: str,
        above: float,
        below: float,
        reason: str,
        direction: Direction = Direction.HIGHER,
    ) -> Score:
        value: float | None = above / below if below else None
        status = ScoreStatus.SCORED
        if value is None and self.preset == "sketchjudge":
            value = 0.0
        elif value is None:
            status = ScoreStatus.UNDEFINED
        said = "" if below else reason
        signature = Signature(f"grading.{name}", self.preset)
        return Score(
            value, above, below, self.counts.n, self.counts.n_failed, direction, status, signature, said
        )


def _macro_f1(build: _Builder) -> Score:
    counts = build.counts
    wrong = counts.fp + counts.fn
    classes = [(2 * counts.tp, 2 * counts.tp + wrong), (2 * counts.tn, 2 * counts.tn + wrong)]
    total = sum(above / below for above, below in classes if below)
    n_classes = sum(1 for _, below in classes if below)
    if build.preset == "sketchjudge" and counts.n:
        n_classes = 2
    return build.ratio("macro_f1", total, n_classes, "no answers")


def _mcc(build: _Builder) -> Score:
    tp, fp, tn, fn = build.counts.tp, build.counts.fp, build.counts.tn, build.counts.fn
    below = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return build.ratio("mcc", tp * tn - fp * fn, below, "gold or replies hold one verdict only")
