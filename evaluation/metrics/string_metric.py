"""Computation of the string metrics.

Both sides are prepared under a preset, `edge_score` handles edge cases, the metric counts, and an accumulator sums the
counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.alignment import align, count_operations, distance, is_reference_too_large
from evaluation.metrics.base import Pair, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import EdgeOutcome, EdgeRules, TooLarge, edge_score, too_large
from evaluation.metrics.ngrams import BleuAccumulator, bleu_details, bleu_from_counts, count_ngrams
from evaluation.metrics.normalise import get_preset, prepare
from evaluation.predictions import PredictedText

EDIT_PRESETS = ("inkbench-1", "omnidocbench-1.5", "omnidocbench-1.6", "none")
SUITE = "omnihandwritingocr"
_SUITE = tuple(f"{SUITE}-{family}" for family in ("en-text", "zh-text", "sl-formula", "ml-formula"))
RATE_PRESETS = ("inkbench-1", "jiwer", "none", *_SUITE)
NED_PRESETS = (*EDIT_PRESETS, *_SUITE)
_SACREBLEU = tuple(f"sacrebleu-{name}" for name in ("13a", "zh", "char", "intl", "none"))
BLEU_PRESETS = ("inkbench-1", *_SACREBLEU, *_SUITE)
F1_PRESETS = ("inkbench-1", "none", *_SUITE)

_Counted = tuple[float, float, dict[str, Any]]  # numerator, denominator, details


@dataclass(frozen=True, slots=True)
class StringMetric:
    """The properties of a string metric."""

    name: str
    presets: tuple[str, ...]
    is_over_tokens: bool
    is_error: bool
    count: Callable[[Sequence[str], Sequence[str]], _Counted]
    libraries: tuple[str, ...] = ("rapidfuzz",)


def _count_edit(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    return distance(prediction, reference), max(len(prediction), len(reference)), {}


def _count_rate(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    # An empty reference gets here only under `jiwer`, where the rate is the number of insertions.
    return distance(prediction, reference), len(reference) or 1, {}


def _count_ned(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    longest = max(len(prediction), len(reference))
    return longest - distance(prediction, reference), longest, {}


def _count_f1(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    pred, ref = Counter(prediction), Counter(reference)
    shared = sum(min(count, ref[token]) for token, count in pred.items() if token in ref)
    return 2 * shared, len(prediction) + len(reference), {}


def _count_bleu(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    counts = count_ngrams(prediction, reference)
    return bleu_from_counts(counts, is_sentence=True), 1, bleu_details(counts)


EDIT = StringMetric("edit", EDIT_PRESETS, False, True, _count_edit)
CER = StringMetric("cer", RATE_PRESETS, False, True, _count_rate)
WER = StringMetric("wer", RATE_PRESETS, True, True, _count_rate)
NED = StringMetric("ned", NED_PRESETS, False, False, _count_ned)
BLEU = StringMetric("bleu", BLEU_PRESETS, True, False, _count_bleu, ())
F1 = StringMetric("token_f1", F1_PRESETS, True, False, _count_f1, ())


def score_pair(
    metric: StringMetric,
    prediction: PredictedText,
    reference: str | None,
    preset: str,
    *,
    with_alignment: bool = False,
) -> Score:
    """The score of one sample. Raises ValueError if the metric has no such preset."""
    rules, signature = _rules(metric, preset), _signature(metric, preset)
    try:
        ref = _units(metric, reference, preset, is_prediction=False)
    except TooLarge as limit:
        return too_large(f"reference: {limit}", rules=rules, signature=signature, is_reference=True)
    try:
        pred = _units(metric, prediction, preset, is_prediction=True)
        edge = _edge(metric, pred, ref, prediction, rules, signature)
        return edge or _compute(metric, pred or "", ref or "", rules, signature, with_alignment)
    except TooLarge as limit:
        size, is_reference = len(ref or ""), is_reference_too_large(ref or "")
        reason = f"{'reference' if is_reference else 'prediction'}: {limit}"
        return too_large(reason, rules=rules, signature=signature, size=size, is_reference=is_reference)


def score_corpus(
    metric: StringMetric,
    pairs: Iterable[Pair],
    preset: str,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """The score of a corpus; `pairs`, and `pages` in parallel, are consumed as a stream."""
    kind, accumulator = Average(average), make_accumulator(metric.name, preset)
    named = ((pair, None) for pair in pairs) if pages is None else zip(pairs, pages, strict=True)
    for (prediction, reference), page in named:
        accumulator.add(score_pair(metric, prediction, reference, preset), page)
    return accumulator.score(kind)


def metric_presets(name: str) -> tuple[str, ...]:
    """The presets of the string metric called `name`; the first is the default for new projects."""
    return STRING_METRICS[name].presets


def make_accumulator(name: str, preset: str) -> Accumulator:
    """An empty accumulator for the scores of the string metric called `name` ("edit", "bleu", ...).

    `preset` may be `omnihandwritingocr`, for a corpus of several subtasks.
    """
    metric = STRING_METRICS[name]
    rules = _rules(metric, _SUITE[0] if preset == SUITE else preset)
    kind = BleuAccumulator if metric is BLEU else Accumulator
    return kind(_signature(metric, preset), rules.direction, rules.worst)


def _units(
    metric: StringMetric, text: PredictedText, preset: str, *, is_prediction: bool
) -> Sequence[str] | None:
    if not isinstance(text, str):
        return None
    form = prepare(text, preset=preset, is_prediction=is_prediction)
    return form.tokens if metric.is_over_tokens else form.text


def _edge(
    metric: StringMetric,
    pred: Sequence[str] | None,
    ref: Sequence[str] | None,
    prediction: PredictedText,
    rules: EdgeRules,
    signature: Signature,
) -> Score | None:
    if pred and ref:
        return None
    pred_state = prediction if pred is None else ("x" if pred else "")  # only emptiness matters from here on
    ref_state = None if ref is None else ("x" if ref else "")
    sizes = len(ref or ""), len(pred or "")
    edge = edge_score(
        pred_state, ref_state, rules=rules, signature=signature, size=sizes[0], insertions=sizes[1]
    )
    if edge is not None and metric is BLEU:  # a corpus sums n-grams, not ratios
        return replace(edge, details=bleu_details(count_ngrams(pred or (), ref or ())))
    return edge


def _compute(
    metric: StringMetric,
    pred: Sequence[str],
    ref: Sequence[str],
    rules: EdgeRules,
    signature: Signature,
    with_alignment: bool,
) -> Score:
    numerator, denominator, details = metric.count(pred, ref)
    if with_alignment:
        details = dict(details, **_alignment_details(pred, ref))
    return Score(
        numerator / denominator,
        numerator,
        denominator,
        1,
        0,
        rules.direction,
        ScoreStatus.SCORED if ref else ScoreStatus.EMPTY_REFERENCE,
        signature,
        details=details,
    )


def _alignment_details(pred: Sequence[str], ref: Sequence[str]) -> dict[str, Any]:
    segments = align(pred, ref)
    counts = count_operations(segments)
    return {
        "hits": counts.hits,
        "substitutions": counts.substitutions,
        "deletions": counts.deletions,
        "insertions": counts.insertions,
        "alignment": [
            [
                segment.operation.value,
                segment.reference_start,
                segment.reference_end,
                segment.prediction_start,
                segment.prediction_end,
            ]
            for segment in segments
        ],
    }


@lru_cache
def _rules(metric: StringMetric, preset: str) -> EdgeRules:
    if preset not in metric.presets:
        raise ValueError(f"{metric.name} has no preset {preset!r}; it has {', '.join(metric.presets)}")
    settings = get_preset(preset)
    make = EdgeRules.of_error if metric.is_error else EdgeRules.of_similarity
    both_empty = settings.both_empty
    if metric is NED:
        both_empty = EdgeOutcome.BEST  # 1-NED of two empty texts is 1 under every preset
    return make(empty_reference=settings.empty_reference, both_empty=both_empty)


@lru_cache
def _signature(metric: StringMetric, preset: str) -> Signature:
    if preset == SUITE:  # the corpus of all subtasks used the libraries of each
        libraries = {library for name in _SUITE for library in get_preset(name).libraries}
    else:
        libraries = set(get_preset(preset).libraries)
    names = (*metric.libraries, *sorted(libraries))
    return Signature(metric.name, preset, libraries=tuple((library, version(library)) for library in names))


STRING_METRICS = {metric.name: metric for metric in (EDIT, CER, WER, NED, BLEU, F1)}
