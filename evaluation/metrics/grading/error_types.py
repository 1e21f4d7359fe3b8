"""Error-type metrics: which errors of an answer the grader named (SketchJudge, appendix E.2).

Only types of the answer's own domain count. *Strict* (the reported figures) looks at answers that are
incorrect in gold and were called incorrect; *lenient* at all answers incorrect in gold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature
from evaluation.metrics.grading.judgements import Judgement
from evaluation.payloads.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """True positives, false positives and false negatives of one error type over answers."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def f1_parts(self) -> tuple[int, int]:
        """F1 as numerator and denominator."""
        return 2 * self.tp, 2 * self.tp + self.fp + self.fn


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """The counts behind the error-type figures, over `n` answers."""

    n: int
    example_f1_sum: float
    labels: Mapping[str, LabelCounts]
    n_cells: int  # answers times types of their domain: the labels that could differ
    n_labels: int  # size of the label space
    recalled: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """label id -> (named, in gold), counted with repeats: two missing steps, one named, is 1 of 2."""


def count_errors(
    judgements: Iterable[Judgement], *, taxonomy: Taxonomy, is_strict: bool = True
) -> ErrorCounts:
    """Count hits and misses per error type.

    >>> from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY
    >>> judgement = Judgement("a", "chart", False, False, ("chart::omission error",), ("chart::omission error",))
    >>> count_errors([judgement], taxonomy=DIAGRAM_TAXONOMY).labels["chart::omission error"]
    LabelCounts(tp=1, fp=0, fn=0)
    """
    space = {domain: frozenset(taxonomy.ids(domain)) for domain in taxonomy}
    hits: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    named: Counter[str] = Counter()
    in_gold: Counter[str] = Counter()
    example_f1: list[float] = []
    n_cells = 0
    for judgement in judgements:
        if judgement.gold or (is_strict and judgement.predicted):
            continue
        allowed = space.get(judgement.domain, frozenset())
        gold, said = (
            allowed.intersection(judgement.gold_labels),
            allowed.intersection(judgement.predicted_labels),
        )
        hits.update(gold & said)
        alarms.update(said - gold)
        misses.update(gold - said)
        example_f1.append(2 * len(gold & said) / (len(gold) + len(said)) if gold or said else 1.0)
        n_cells += len(allowed)
        gold_bag, said_bag = Counter(judgement.gold_labels), Counter(judgement.predicted_labels)
        for label in gold:
            in_gold[label] += gold_bag[label]
            named[label] += min(gold_bag[label], said_bag[label])
    ids = taxonomy.all_ids()
    return ErrorCounts(
        len(example_f1),
        math.fsum(example_f1),
        {label: LabelCounts(hits[label], alarms[label], misses[label]) for label in ids},
        n_cells,
        len(ids) if example_f1 else 0,
        {label: (named[label], in_gold[label]) for label in ids if in_gold[label]},
    )


def error_scores(counts: ErrorCounts, *, preset: str = "inkbench-1") -> dict[str, Score]:
    """example_f1, macro_f1_err, macro_f1_seen, micro_f1_err and hamming, all in 0..1.

    macro_f1_err averages over types that occur in gold, so false positives of other types cost nothing there (the
    paper's definition, both presets); macro_f1_seen over types in gold or replies.
    A figure without answers or labels is UNDEFINED under `inkbench-1` and 0 under `sketchjudge`.

    >>> scores = error_scores(ErrorCounts(2, 1.5, {"chart::omission error": LabelCounts(1, 1, 0)}, 10, 23))
    >>> scores["example_f1"].value, round(scores["macro_f1_err"].value, 4)
    (0.75, 0.6667)
    """
    labels = counts.labels.values()
    supported = [label for label in labels if label.tp + label.fn]
    seen = [label for label in labels if label.tp + label.fn + label.fp]
    hits = sum(label.tp for label in labels)
    wrong = sum(label.fp + label.fn for label in labels)
    nothing = "no answer is incorrect in both gold and reply" if not counts.n else "no error type to compare"
    figures = {
        "example_f1": (counts.example_f1_sum, counts.n),
        "macro_f1_err": (_sum_f1(supported), len(supported)),
        "macro_f1_seen": (_sum_f1(seen), len(seen)),
        "micro_f1_err": (2 * hits, 2 * hits + wrong),
        "hamming": (wrong, counts.n_cells),
    }
    return {name: _score(name, *parts, counts.n, nothing, preset) for name, parts in figures.items()}


def _sum_f1(labels: Iterable[LabelCounts]) -> float:
    parts = (label.f1_parts for label in labels)
    return math.fsum(above / below for above, below in parts if below)


def _score(name: str, above: float, below: float, n: int, nothing: str, preset: str) -> Score:
    direction = Direction.LOWER if name == "hamming" else Direction.HIGHER
    signature = Signature(f"grading.{name}", preset)
    if below:
        return Score(above / below, above, below, n, 0, direction, ScoreStatus.SCORED, signature)
    if preset == "sketchjudge":
        return Score(0.0, 0, 0, n, 0, direction, ScoreStatus.SCORED, signature, nothing)
    return Score(None, 0, 0, n, 0, direction, ScoreStatus.UNDEFINED, signature, nothing)
