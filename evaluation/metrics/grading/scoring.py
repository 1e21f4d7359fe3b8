"""Grading as sample metrics: one reply against one gold grade, and corpora of them.

Predictions are raw replies, or a person's grade in its JSON form; references are grades as
`evaluation.payloads.grade` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.errors import gettext_noop as _
from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Pair, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import EdgeRules, edge_score, not_scored, too_large, worst_score
from evaluation.metrics.grading.error_types import count_errors
from evaluation.metrics.grading.judgements import GradingRow, Judgement, SkippedRow, judge
from evaluation.metrics.grading.predictions import MAX_CHARACTERS, PRESETS
from evaluation.payloads import grade
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy
from evaluation.predictions import PredictedText

_RULES = EdgeRules.of_similarity()


def grade_accuracy(
    prediction: PredictedText,
    reference: str | None,
    *,
    preset: str = "inkbench-1",
    taxonomy: Taxonomy = DIAGRAM_TAXONOMY,
) -> Score:
    """1 if the reply's verdict equals the gold's, else 0. Range 0..1, 1 is best.

    A reply without a verdict, or none, is wrong under `inkbench-1` and not scored under `sketchjudge`. Raises
    ValueError for an unknown preset. Source: SketchJudge, appendix E.1.

    >>> gold = '{"domain": "chart", "is_correct": true}'
    >>> grade_accuracy('{"is_correct": true}', gold).value, grade_accuracy("Looks fine.", gold).value
    (1.0, 0.0)
    """
    signature = Signature("grade_accuracy", preset)
    judged = _judge(prediction, reference, signature, preset, taxonomy)
    if isinstance(judged, Score):
        return judged
    value = float(judged.gold == judged.predicted)
    return Score(value, value, 1, 1, 0, _RULES.direction, ScoreStatus.SCORED, signature)


def grade_errors(
    prediction: PredictedText,
    reference: str | None,
    *,
    preset: str = "inkbench-1",
    taxonomy: Taxonomy = DIAGRAM_TAXONOMY,
) -> Score:
    """F1 of the error types named, in 0..1, 1 is best; NOT_APPLICABLE unless gold and reply both say incorrect.

    A missing verdict counts as wrong, which for an incorrect answer means *called correct*: it costs accuracy, and the
    error types are ignored. Source: SketchJudge, appendix E.2.

    >>> gold = '{"domain": "chart", "is_correct": false, "error_list": [{"error_type": "Omission Error"}]}'
    >>> grade_errors('{"is_correct": false, "error_list": []}', gold).value
    0.0
    >>> grade_errors('{"is_correct": true}', gold).status
    <ScoreStatus.NOT_APPLICABLE: 'not_applicable'>
    """
    signature = Signature("grade_errors", preset)
    judged = _judge(prediction, reference, signature, preset, taxonomy)
    if isinstance(judged, Score):
        reason = judged.reason or "no verdict"
        status = (
            judged.status if judged.status is ScoreStatus.INVALID_REFERENCE else ScoreStatus.NOT_APPLICABLE
        )
        return not_scored(status, _RULES, signature, reason)
    if judged.gold or judged.predicted:
        reason = _("error types count only if ground truth and prediction both say incorrect")
        return not_scored(ScoreStatus.NOT_APPLICABLE, _RULES, signature, reason)
    value = count_errors([judged], taxonomy=taxonomy).example_f1_sum
    details = {"gold": sorted(set(judged.gold_labels)), "named": sorted(set(judged.predicted_labels))}
    return Score(value, value, 1, 1, 0, _RULES.direction, ScoreStatus.SCORED, signature, "", details)


def _judge(
    prediction: PredictedText, reference: str | None, signature: Signature, preset: str, taxonomy: Taxonomy
) -> Judgement | Score:
    """The judgement of a pair, or the score of a pair without two verdicts."""
    edge = edge_score(prediction, reference, rules=_RULES, signature=signature)
    if reference is None or reference == "":
        return not_scored(
            ScoreStatus.NOT_APPLICABLE, _RULES, signature, _("the sample has no ground-truth grade")
        )
    try:
        gold = grade.parse(reference)
    except grade.InvalidGrade as fault:
        return not_scored(ScoreStatus.INVALID_REFERENCE, _RULES, signature, str(fault))
    if edge is not None and preset != "sketchjudge":
        return edge
    if isinstance(prediction, str) and len(prediction) > MAX_CHARACTERS and preset != "sketchjudge":
        reason = f"the reply has {len(prediction)} characters, over the limit of {MAX_CHARACTERS}"
        return too_large(reason, rules=_RULES, signature=signature)
    names = tuple(error.error_type for error in gold.errors)
    reply = prediction if isinstance(prediction, str) else None
    row = GradingRow("", gold.domain, gold.is_correct, names, reply)
    judged = judge(row, preset=preset, taxonomy=taxonomy)
    if isinstance(judged, SkippedRow):
        status = edge.status if edge is not None else ScoreStatus.INVALID_PREDICTION
        return not_scored(status, _RULES, signature, judged.reason)
    if judged.failure:
        return worst_score(ScoreStatus.INVALID_PREDICTION, _RULES, signature, reason=judged.failure)
    return judged


def metric_presets(name: str) -> tuple[str, ...]:
    """The presets of `grade_accuracy` and `grade_errors`; the first is the default for new projects."""
    return PRESETS


def make_accumulator(name: str, preset: str) -> Accumulator:
    """An empty accumulator for the sample scores of `grade_accuracy` or `grade_errors`; its figure is the mean."""
    return Accumulator(Signature(name, preset), _RULES.direction, _RULES.worst)


def grade_accuracy_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1") -> Score:
    """Share of right verdicts.

    >>> gold = '{"domain": "chart", "is_correct": true}'
    >>> grade_accuracy_corpus([('{"is_correct": true}', gold), (None, gold)]).value
    0.5
    """
    accumulator = make_accumulator("grade_accuracy", preset)
    return accumulator.add_all(grade_accuracy(*pair, preset=preset) for pair in pairs).score(Average.SAMPLE)


def grade_errors_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1") -> Score:
    """Mean error-type F1 over the answers incorrect in gold and reply (example-based F1).

    >>> gold = '{"domain": "chart", "is_correct": false, "error_list": [{"error_type": "Omission Error"}]}'
    >>> grade_errors_corpus([(gold, gold), ('{"is_correct": true}', gold)]).value
    1.0
    """
    accumulator = make_accumulator("grade_errors", preset)
    return accumulator.add_all(grade_errors(*pair, preset=preset) for pair in pairs).score(Average.SAMPLE)
