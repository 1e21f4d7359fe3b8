"""The bundles: `inkbench-1` (the default), `wildhandbench`, `omnihandwritingocr`, and one per preset."""

from __future__ import annotations

from functools import partial

from evaluation.metrics.aggregation import Average
from evaluation.metrics.base import Score, Signature
from evaluation.metrics.bundles.bundle import ALL, Bundle, BundleMetric, Reports
from evaluation.metrics.bundles.overall import overall_down, overall_up, wildhandbench_overall
from evaluation.metrics.bundles.pairing import match_formula_pages, match_page_pairs, single_pair
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.bundles.strata import subtask_of
from evaluation.metrics.normalise.omnihandwriting import PREPARATIONS
from evaluation.metrics.registry import all_metrics
from evaluation.metrics.string_metric import SUITE

DEFAULT = "inkbench-1"

_INKBENCH = (
    BundleMetric("edit", "inkbench-1", "text", Average.SAMPLE),
    BundleMetric("cer", "inkbench-1", "text", Average.POOLED),
    BundleMetric("wer", "inkbench-1", "text", Average.POOLED),
    BundleMetric("ned", "inkbench-1", "text", Average.SAMPLE),
    BundleMetric("bleu", "inkbench-1", "text", Average.POOLED),
    BundleMetric("token_f1", "inkbench-1", "text", Average.POOLED),
    BundleMetric("teds", "inkbench-1", "table", Average.SAMPLE),
    BundleMetric("teds_s", "inkbench-1", "table", Average.SAMPLE),
    BundleMetric("cdm", "inkbench-1", "formula", Average.SAMPLE),
    BundleMetric("grade_accuracy", "inkbench-1", "grade", Average.SAMPLE),
    BundleMetric("grade_errors", "inkbench-1", "grade", Average.SAMPLE),
)

_WILDHANDBENCH = (
    BundleMetric("edit", "omnidocbench-1.6", "text", Average.PAGE),
    BundleMetric("teds", "omnidocbench-1.6", "table", Average.PAGE),
    BundleMetric("teds_s", "omnidocbench-1.6", "table", Average.PAGE),
    BundleMetric("cdm", "omnidocbench-1.6", "formula", Average.PAGE),
)

_SUITE_AVERAGES = {
    "bleu": Average.POOLED,
    "token_f1": Average.SAMPLE,
    "ned": Average.SAMPLE,
    "cer": Average.POOLED,
    "wer": Average.POOLED,
}
_PRESET_OF = {
    subtask: f"{SUITE}-{preparation.family}"
    for preparation in PREPARATIONS
    for subtask in preparation.subtasks
}
_SUITE_MEASURES = {
    preset: tuple(BundleMetric(metric, preset, "", average) for metric, average in _SUITE_AVERAGES.items())
    for preset in dict.fromkeys(_PRESET_OF.values())
}


def _by_structure(
    measures: tuple[BundleMetric, ...], sample: ScoringSample
) -> tuple[tuple[BundleMetric, ...], str]:
    return tuple(measure for measure in measures if measure.structure == sample.structure), sample.language


def _by_subtask(sample: ScoringSample) -> tuple[tuple[BundleMetric, ...], str]:
    subtask = subtask_of(sample)
    if subtask is None:
        return (), ""
    return _SUITE_MEASURES[_PRESET_OF[subtask]], subtask


def _three(name: str, scores: Reports) -> dict[str, Score]:
    edit, cdm, teds = (scores.get((metric, ALL)) for metric in ("edit", "cdm", "teds"))
    return {"overall": wildhandbench_overall(edit, cdm, teds, signature=Signature("overall", name))}


def _up_and_down(scores: Reports) -> dict[str, Score]:
    bleu, f1, ned, cer, wer = (
        scores.get((metric, ALL)) for metric in ("bleu", "token_f1", "ned", "cer", "wer")
    )
    return {
        "overall_up": overall_up(bleu, f1, ned, signature=Signature("overall_up", SUITE)),
        "overall_down": overall_down(cer, wer, signature=Signature("overall_down", SUITE)),
    }


_BUNDLES = {
    bundle.name: bundle
    for bundle in (
        Bundle(
            name="inkbench-1",
            about="Ours: what the ink says counts. Fences removed, formulas of a page matched; Edit, TEDS and CDM "
            "as sample means, rates pooled.",
            measures_for=partial(_by_structure, _INKBENCH),
            pairs_for=match_formula_pages,
            overalls_for=partial(_three, "inkbench-1"),
        ),
        Bundle(
            name="wildhandbench",
            about="WildHandBench: fences removed, pages matched, OmniDocBench 1.6 metrics, page averages, "
            "Overall of three.",
            measures_for=partial(_by_structure, _WILDHANDBENCH),
            pairs_for=match_page_pairs,
            overalls_for=partial(_three, "wildhandbench"),
        ),
        Bundle(
            name=SUITE,
            about="OmniHandwritingOCR: five metrics per subtask, unwrapped, capped, normalised; two Overalls.",
            measures_for=_by_subtask,
            pairs_for=single_pair,
            overalls_for=_up_and_down,
            corpus_preset=SUITE,
        ),
    )
}


def get_bundle(name: str) -> Bundle:
    """The bundle called `name`. Raises ValueError naming the known ones.

    >>> get_bundle("omnihandwritingocr").name
    'omnihandwritingocr'
    """
    if name not in _BUNDLES:
        raise ValueError(f"unknown bundle {name!r}; known: {', '.join(_BUNDLES)}")
    return _BUNDLES[name]


def bundle_names() -> tuple[str, ...]:
    """Every bundle, the default first.

    >>> bundle_names()
    ('inkbench-1', 'wildhandbench', 'omnihandwritingocr')
    """
    return tuple(_BUNDLES)


def custom_bundle(preset: str) -> Bundle:
    """Not frozen: every metric that has `preset`, without page matching and Overall. Raises ValueError.

    >>> from evaluation.predictions import Text
    >>> custom_bundle("jiwer").measures_for(ScoringSample("1", "text", Text("a"), Text("a")))[0][0].metric
    'cer'
    """
    measures = tuple(
        BundleMetric(spec.name, preset, kind, spec.average)
        for spec in all_metrics()
        if preset in spec.presets
        for kind in sorted(spec.kinds)
    )
    if not measures:
        has = dict.fromkeys(name for spec in all_metrics() for name in spec.presets)
        raise ValueError(
            f"unknown preset {preset!r}; bundles: {', '.join(_BUNDLES)}; presets: {', '.join(has)}"
        )
    return Bundle(
        name=preset,
        about=f"Every metric that has the preset {preset}.",
        measures_for=partial(_by_structure, measures),
        pairs_for=single_pair,
        overalls_for=lambda scores: {},
    )
