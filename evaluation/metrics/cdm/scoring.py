"""CDM as a metric: one pair, or a corpus.

Source: B. Wang et al., "CDM: A Reliable Metric for Fair and Accurate Formula Recognition Evaluation" (CVPR 2025),
sections 3.1 to 3.4; presets as in docs/metrics/cdm.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Pair, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import (
    EdgeOutcome,
    EdgeRules,
    edge_score,
    not_scored,
    too_large,
    worst_score,
)
from evaluation.payloads.mask_mark import remove_masks
from evaluation.predictions import PredictedText

from .comparison import FormulaComparison, compare
from .layout import FormulaLayout, RenderStatus
from .presets import PRESETS, CdmPreset, find_preset

REVISION = 1
_KEEPS_REFERENCE_GAPS = frozenset(["unimernet"])  # leave out samples with an empty reference


def edge_rules(preset: CdmPreset) -> EdgeRules:
    """The edge cases of a preset (docs/metrics/edge-states.md)."""
    if preset.name in _KEEPS_REFERENCE_GAPS:
        return EdgeRules.of_similarity(
            empty_reference=EdgeOutcome.NOT_SCORED, both_empty=EdgeOutcome.NOT_SCORED
        )
    both_empty = EdgeOutcome.BEST if preset.tolerant else EdgeOutcome.WORST
    return EdgeRules.of_similarity(empty_reference=EdgeOutcome.WORST, both_empty=both_empty)


def cdm(prediction: PredictedText, reference: str | None, *, preset: str = "inkbench-1") -> Score:
    r"""Character detection matching: F1 of the printed marks that are right and in place; 0..1, 1 is best.

    LaTeX in, with or without delimiters under `inkbench-1`. The reference presets round to three decimals, as
    published. `details` holds recall, precision, counts and the status of each side; `compare` gives boxes and pairs.
    Raises ValueError for an unknown preset. Source: CDM paper, section 3.

    >>> cdm(r"x^2 + 1", r"x^{2}+1").value
    1.0
    >>> cdm(r"a+b", r"a+c").value
    0.6666666666666666
    >>> cdm(r"\frac{a", r"\frac{a}{b}").status.value
    'invalid_prediction'
    """
    settings = find_preset(preset)
    signature = Signature("cdm", settings.name, REVISION)
    edge = edge_score(
        empty_if_blank(prediction),
        prepare_reference(reference),
        rules=edge_rules(settings),
        signature=signature,
    )
    if edge is not None:
        return edge
    assert isinstance(prediction, str) and reference is not None
    return score_comparison(compare(prediction, reference, settings), signature)


def cdm_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1") -> Score:
    """The mean over formulas (CDM paper, section 4); `details["exp_rate"]` is ExpRate@CDM, the share at exactly 1.

    Pairs are consumed as a stream. Raises ValueError for an unknown preset.
    """
    accumulator = make_accumulator("cdm", preset)
    perfect = 0
    for prediction, reference in pairs:
        score = cdm(prediction, reference, preset=preset)
        perfect += score.value == 1.0 and score.n > 0
        accumulator.add(score)
    return add_exp_rate(accumulator.score(Average.SAMPLE), perfect)


def metric_presets(name: str) -> tuple[str, ...]:
    """The presets of `cdm` and `cdm_strict`; the first is the default for new projects."""
    return tuple(PRESETS)


def make_accumulator(name: str, preset: str) -> Accumulator:
    """An empty accumulator for the sample scores of `cdm` or `cdm_strict`."""
    settings = find_preset(preset)
    signature = Signature(name, settings.name, REVISION)
    return Accumulator(signature, edge_rules(settings).direction, 0.0, ratio_in_page=False)


def add_exp_rate(score: Score, perfect: int) -> Score:
    """The corpus score with the share of formulas at exactly 1 in its details."""
    rate = perfect / score.n if score.n else None
    details = {**score.details, "exp_rate": rate, "n_exact": perfect}
    return Score(
        score.value,
        score.numerator,
        score.denominator,
        score.n,
        score.n_failed,
        score.direction,
        score.status,
        score.signature,
        score.reason,
        details,
    )


def score_comparison(comparison: FormulaComparison, signature: Signature) -> Score:
    """The score of a compared pair."""
    preset, rules = comparison.preset, edge_rules(comparison.preset)
    matched = comparison.matched
    if matched is not None:
        above, below = 2.0 * matched.true_positives, float(matched.n_reference + matched.n_prediction)
        value = above / below if preset.tolerant else matched.f1
        return Score(
            value,
            above,
            below,
            1,
            0,
            rules.direction,
            ScoreStatus.SCORED,
            signature,
            "",
            describe(comparison),
        )
    reference, prediction = comparison.reference, comparison.prediction
    size = max(len(reference.drawing.boxes), 1)
    if RenderStatus.TOO_LARGE in (reference.status, prediction.status):
        at_reference = reference.status is RenderStatus.TOO_LARGE
        reason = _why(
            reference if at_reference else prediction, "reference" if at_reference else "prediction"
        )
        return too_large(reason, rules=rules, signature=signature, size=size, is_reference=at_reference)
    if not reference.is_drawn:
        state = (
            ScoreStatus.EMPTY_REFERENCE
            if reference.status is RenderStatus.EMPTY
            else ScoreStatus.INVALID_REFERENCE
        )
        reason = _why(reference, "reference")
        if preset.name in _KEEPS_REFERENCE_GAPS or preset.tolerant:
            return not_scored(state, rules, signature, reason)
        return worst_score(state, rules, signature, size, reason)
    reason = _why(prediction, "prediction")
    if prediction.status is RenderStatus.EMPTY:
        return Score(
            0.0,
            0.0,
            float(size),
            1,
            0,
            rules.direction,
            ScoreStatus.SCORED,
            signature,
            reason,
            describe(comparison),
        )
    return worst_score(ScoreStatus.INVALID_PREDICTION, rules, signature, size, reason)


def describe(comparison: FormulaComparison) -> dict[str, Any]:
    """Counts and statuses of a pair, JSON-able."""
    matched = comparison.matched
    details: dict[str, Any] = {
        side: {"status": layout.status.value, "reason": layout.reason, "position": layout.position}
        for side, layout in (("reference", comparison.reference), ("prediction", comparison.prediction))
    }
    if matched is not None:
        details |= {
            "f1": matched.f1,
            "recall": matched.recall,
            "precision": matched.precision,
            "true_positives": matched.true_positives,
            "n_reference": matched.n_reference,
            "n_prediction": matched.n_prediction,
        }
    return details


def _why(layout: FormulaLayout, side: str) -> str:
    problem = "leaves no ink" if layout.status is RenderStatus.EMPTY else "cannot be typeset"
    place = f" at character {layout.position}" if layout.position is not None else ""
    return f"the {side} {problem}{place}" + (f": {layout.reason}" if layout.reason else "")


def empty_if_blank(text: PredictedText) -> PredictedText:
    """The text, or "" if it is only white space; None and `Failed` unchanged."""
    if not isinstance(text, str):
        return text
    return text if text.strip() else ""


def prepare_reference(reference: str | None) -> str | None:
    """The reference without mask marks: a masked place costs nothing, invented tokens there count as extra."""
    if reference is None:
        return None
    text = remove_masks(reference)
    return text if text.strip() else ""
