"""How a string metric is computed: one walk for all of them.

Both sides are prepared under a preset, `edge_score` answers the edge states, the metric's own counting does
the rest, and a tally adds the counts up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from evaluation.metrics.aggregation import Average, Tally
from evaluation.metrics.alignment import align, count_operations, distance, is_reference_too_large
from evaluation.metrics.base import Pair, Score, Signature, Status
from evaluation.metrics.edge_cases import EdgeOutcome, EdgeRules, TooLarge, edge_score, too_large
from evaluation.metrics.ngrams import BleuTally, bleu_details, bleu_of, count_ngrams
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
    """What tells one string metric from another."""

    name: str
    presets: tuple[str, ...]
    is_over_tokens: bool
    is_error: bool
    count: Callable[[Sequence[str], Sequence[str]], _Counted]
    libraries: tuple[str, ...] = ("rapidfuzz",)


def _count_edit(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    return distance(prediction, reference), max(len(prediction), len(reference)), {}


def _count_rate(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    # An empty reference comes here only under `jiwer`, where the rate is the number of insertions.
    return distance(prediction, reference), len(reference) or 1, {}


def _count_ned(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    longest = max(len(prediction), len(reference))
    return longest - distance(prediction, reference), longest, {}


def _count_f1(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    ours, theirs = Counter(prediction), Counter(reference)
    shared = sum(min(count, theirs[token]) for token, count in ours.items() if token in theirs)
    return 2 * shared, len(prediction) + len(reference), {}


def _count_bleu(prediction: Sequence[str], reference: Sequence[str]) -> _Counted:
    counts = count_ngrams(prediction, reference)
    return bleu_of(counts, is_sentence=True), 1, bleu_details(counts)


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
    """One sample's score; ValueError where the metric has no such preset."""
    rules, signature = _rules(metric, preset), _signature(metric, preset)
    try:
        theirs = _units(metric, reference, preset, is_prediction=False)
    except TooLarge as limit:
        return too_large(f"reference: {limit}", rules=rules, signature=signature, is_reference=True)
    try:
        ours = _units(metric, prediction, preset, is_prediction=True)
        edge = _edge(metric, ours, theirs, prediction, rules, signature)
        return edge or _compute(metric, ours or "", theirs or "", rules, signature, with_alignment)
    except TooLarge as limit:
        size, is_reference = len(theirs or ""), is_reference_too_large(theirs or "")
        reason = f"{'reference' if is_reference else 'prediction'}: {limit}"
        return too_large(reason, rules=rules, signature=signature, size=size, is_reference=is_reference)


def score_corpus(
    metric: StringMetric,
    pairs: Iterable[Pair],
    preset: str,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """A corpus's score; pairs (and pages, in step) are consumed one by one."""
    chosen, tally = Average(average), make_tally(metric.name, preset)
    named = ((pair, None) for pair in pairs) if pages is None else zip(pairs, pages, strict=True)
    for (prediction, reference), page in named:
        tally.add(score_pair(metric, prediction, reference, preset), page)
    return tally.score(chosen)


def make_tally(name: str, preset: str) -> Tally:
    """An empty tally for the scores of the string metric called `name` ("edit", "bleu", ...).

    `preset` may be the family `omnihandwritingocr`, for a corpus of several subtasks.
    """
    metric = METRICS[name]
    rules = _rules(metric, _SUITE[0] if preset == SUITE else preset)
    kind = BleuTally if metric is BLEU else Tally
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
    ours: Sequence[str] | None,
    theirs: Sequence[str] | None,
    prediction: PredictedText,
    rules: EdgeRules,
    signature: Signature,
) -> Score | None:
    if ours and theirs:
        return None
    answer = prediction if ours is None else ("x" if ours else "")  # only emptiness matters from here on
    gold = None if theirs is None else ("x" if theirs else "")
    sizes = len(theirs or ""), len(ours or "")
    edge = edge_score(answer, gold, rules=rules, signature=signature, size=sizes[0], insertions=sizes[1])
    if edge is not None and metric is BLEU:  # its corpus adds n-grams, not ratios
        return replace(edge, details=bleu_details(count_ngrams(ours or (), theirs or ())))
    return edge


def _compute(
    metric: StringMetric,
    ours: Sequence[str],
    theirs: Sequence[str],
    rules: EdgeRules,
    signature: Signature,
    with_alignment: bool,
) -> Score:
    numerator, denominator, details = metric.count(ours, theirs)
    if with_alignment:
        details = dict(details, **_alignment_details(ours, theirs))
    return Score(
        numerator / denominator,
        numerator,
        denominator,
        1,
        0,
        rules.direction,
        Status.SCORED if theirs else Status.EMPTY_REFERENCE,
        signature,
        details=details,
    )


def _alignment_details(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, Any]:
    stretches = align(ours, theirs)
    counts = count_operations(stretches)
    return {
        "hits": counts.hits,
        "substitutions": counts.substitutions,
        "deletions": counts.deletions,
        "insertions": counts.insertions,
        "alignment": [
            [
                each.operation.value,
                each.reference_start,
                each.reference_end,
                each.prediction_start,
                each.prediction_end,
            ]
            for each in stretches
        ],
    }


@lru_cache
def _rules(metric: StringMetric, preset: str) -> EdgeRules:
    if preset not in metric.presets:
        raise ValueError(f"{metric.name} has no preset {preset!r}; it has {', '.join(metric.presets)}")
    chosen = get_preset(preset)
    make = EdgeRules.of_error if metric.is_error else EdgeRules.of_similarity
    both = chosen.both_empty
    if metric is NED:
        both = EdgeOutcome.BEST  # 1-NED of nothing against nothing is 1 under every preset
    return make(empty_reference=chosen.empty_reference, both_empty=both)


@lru_cache
def _signature(metric: StringMetric, preset: str) -> Signature:
    if preset == SUITE:  # the corpus of all subtasks was made with the libraries of each
        libraries = {name for each in _SUITE for name in get_preset(each).libraries}
    else:
        libraries = set(get_preset(preset).libraries)
    names = (*metric.libraries, *sorted(libraries))
    return Signature(metric.name, preset, libraries=tuple((name, version(name)) for name in names))


METRICS = {metric.name: metric for metric in (EDIT, CER, WER, NED, BLEU, F1)}
