"""Explanation of one sample: the text after each step, the alignment and the cost of each edit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from evaluation.metrics.alignment import EditOperation, align
from evaluation.metrics.base import Pair, Score
from evaluation.metrics.bundles.bundle import Bundle, BundleMetric
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.normalise import explain, prepare
from evaluation.metrics.registry import get
from evaluation.metrics.string_metric import STRING_METRICS
from evaluation.predictions import Failed, Missing, PredictionValue, Regions, Text

CDM = "evaluation.metrics.cdm"
_SHOWN = 2_000  # longest text printed in full


def explain_sample(sample: ScoringSample, bundle: Bundle) -> Iterator[str]:
    """The explanation as lines of text, metric by metric.

    >>> from evaluation.metrics.bundles import get_bundle
    >>> lines = list(explain_sample(ScoringSample("1", "text", Text("hat"), Text("cat")), get_bundle("inkbench-1")))
    >>> [line for line in lines if "replace" in line][0].split()
    ['replace', "'c'", '->', "'h'", 'cost', '1']
    """
    yield f"Sample {sample.id} ({sample.structure}{', ' + sample.language if sample.language else ''})"
    yield from _side("reference", sample.reference)
    yield from _side("prediction", sample.prediction)
    measures, _ = bundle.measures_for(sample)
    if not measures:
        yield f"No metric of {bundle.name} applies to this sample."
        return
    explained: set[tuple[str, bool]] = set()
    for pair in bundle.pairs_for(sample):
        for measure in measures:
            score = get(measure.metric).sample(*pair, preset=measure.preset)
            yield ""
            yield _headline(measure, score)
            yield from _body(measure, pair, score, explained)


def _side(name: str, value: PredictionValue | None) -> Iterator[str]:
    match value:
        case None | Missing():
            yield f"  {name}: none"
        case Failed(reason):
            yield f"  {name}: failed ({_shown(reason)})"
        case Text(text):
            yield f"  {name}: {len(text)} characters: {_shown(text)}"
        case Regions(latex):
            yield f"  {name}: {len(latex)} regions: {_shown(str(dict(latex)))}"


def _headline(measure: BundleMetric, score: Score) -> str:
    value = "n/a" if score.value is None else f"{score.value:.6f}"
    ratio = f" = {score.numerator:g} / {score.denominator:g}" if score.denominator else ""
    reason = f" ({score.reason})" if score.reason else ""
    return f"{measure.metric} {value}{ratio}  [{score.status.value}]{reason}  {score.signature}"


def _body(measure: BundleMetric, pair: Pair, score: Score, explained: set[tuple[str, bool]]) -> Iterator[str]:
    metric = STRING_METRICS.get(measure.metric)
    prediction, reference = pair
    if get(measure.metric).module == CDM and isinstance(prediction, str) and prediction and reference:
        yield from _formula(measure, prediction, reference, explained)
        return
    if metric is None:
        yield "  " + json.dumps(dict(score.details), ensure_ascii=True, default=str)[:_SHOWN]
        return
    if not isinstance(prediction, str) or reference is None:
        return
    key = measure.preset, metric.is_over_tokens
    if key in explained:
        yield "  (normalised text and alignment: as above)"
        return
    explained.add(key)
    try:
        for name, text, is_prediction in (("reference", reference, False), ("prediction", prediction, True)):
            for step, why, after in explain(text, preset=measure.preset, is_prediction=is_prediction):
                yield f"  {name:10} {step}: {_shown(after)}  -- {why}"
        forms = [
            prepare(text, preset=measure.preset, is_prediction=is_prediction)
            for text, is_prediction in ((prediction, True), (reference, False))
        ]
        if metric.is_over_tokens:
            yield from _alignment(forms[0].tokens, forms[1].tokens)
        else:
            yield from _alignment(forms[0].text, forms[1].text)
    except TooLarge as limit:
        yield f"  too large to lay open: {limit}"


def _formula(
    measure: BundleMetric, prediction: str, reference: str, explained: set[tuple[str, bool]]
) -> Iterator[str]:
    # Imported on use: fonts and NumPy, which no other metric needs.
    from evaluation.metrics.cdm.explain import explain_pair  # noqa: PLC0415

    if (measure.preset, True) in explained:
        yield "  (tokens and pairs: as above)"
        return
    explained.add((measure.preset, True))
    for line in explain_pair(prediction, reference, preset=measure.preset):
        yield f"  {line}"


def _alignment(prediction: Sequence[str], reference: Sequence[str]) -> Iterator[str]:
    for segment in align(prediction, reference):
        ref = reference[segment.reference_start : segment.reference_end]
        pred = prediction[segment.prediction_start : segment.prediction_end]
        if segment.operation is EditOperation.EQUAL:
            yield f"    equal    {_shown(ref)}"
        else:
            yield f"    {segment.operation.value:8} {_shown(ref)} -> {_shown(pred)}  cost {segment.cost}"


def _shown(text: Sequence[str]) -> str:
    written = repr(text if len(text) <= _SHOWN else text[:_SHOWN])
    return written if len(text) <= _SHOWN else f"{written}... ({len(text) - _SHOWN} more)"
