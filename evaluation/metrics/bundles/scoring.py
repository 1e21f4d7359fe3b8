"""Scoring many samples with a bundle, in one or several processes, with the same result.

Samples are read and scored in chunks; only one accumulator per metric and group is kept. Its sums are exact, so the
result does not depend on chunks or processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import get_context
from typing import Any

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Score
from evaluation.metrics.bundles.builtin import bundle_names, custom_bundle, get_bundle
from evaluation.metrics.bundles.bundle import ALL, Bundle, BundleMetric, Outcome
from evaluation.metrics.bundles.pairing import match_page_pairs, single_pair_without_fences
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.registry import get

CHUNK = 64
_AHEAD = 4  # chunks queued per process


@dataclass(frozen=True, slots=True)
class Figure:
    """The score of one sample by one metric, without details and signature."""

    metric: str
    value: float | None
    numerator: float
    denominator: float
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The figures of one sample, one per metric (matched pairs aggregated)."""

    id: str
    figures: tuple[Figure, ...]


@dataclass(slots=True)
class Report:
    """The scores of a system under a bundle: corpus scores by (metric, group), and the Overalls."""

    bundle: str
    scores: dict[tuple[str, str], Score] = field(default_factory=dict)
    overalls: dict[str, Score] = field(default_factory=dict)
    n_samples: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON-able form."""
        return {
            "bundle": self.bundle,
            "n_samples": self.n_samples,
            "overall": {name: score.as_dict() for name, score in self.overalls.items()},
            "scores": [
                {"metric": metric, "group": group, **score.as_dict()}
                for (metric, group), score in self.scores.items()
            ],
        }


Accumulators = dict[tuple[str, str], tuple[BundleMetric, Accumulator]]


def score_samples(
    samples: Iterable[ScoringSample],
    *,
    bundle: str = "inkbench-1",
    workers: int = 1,
    data: str = "",
    on_row: Callable[[ScoredRow], None] | None = None,
    chunk_size: int = CHUNK,
) -> Report:
    """Score samples, consumed as a stream, with a bundle or with all metrics that have a preset of that name.

    `data` (such as a release's checksum) goes into every signature; `on_row` is called for each sample, in order,
    chunk by chunk. Raises ValueError for an unknown name or fewer than one worker.

    >>> from evaluation.predictions import Text
    >>> report = score_samples([ScoringSample("1", "text", Text("ink"), Text("ink"))])
    >>> report.scores["edit", "all"].value, report.overalls["overall"].status.value
    (0.0, 'not_applicable')
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    selected = find_bundle(bundle)
    total: Accumulators = {}
    report = Report(selected.name)
    for accumulators, rows in _scored_chunks(samples, bundle, workers, chunk_size):
        _merge(total, accumulators)
        report.n_samples += len(rows)
        if on_row is not None:
            for row in rows:
                on_row(row)
    for key, (measure, accumulator) in sorted(total.items(), key=_shown_order):
        report.scores[key] = accumulator.score(measure.average)
    report.overalls = selected.overalls_for(report.scores)
    if data:
        report.scores = {key: _stamped(score, data) for key, score in report.scores.items()}
        report.overalls = {name: _stamped(score, data) for name, score in report.overalls.items()}
    return report


def find_bundle(name: str) -> Bundle:
    """The frozen bundle called `name`, or one of all metrics with a preset of that name. Raises ValueError."""
    return get_bundle(name) if name in bundle_names() else custom_bundle(name)


def score_sample(sample: ScoringSample, *, metric: str, preset: str) -> Figure:
    """One sample's figure by any metric of the registry, whatever the sample's structure.

    Formula metrics compare the matched formulas of the page (aggregated), all others the whole text without code
    fences. Raises ValueError for an unknown metric or preset.

    >>> from evaluation.predictions import Text
    >>> sample = ScoringSample("1", "formula", Text("$$x$$"), Text("$$x$$"))
    >>> score_sample(sample, metric="bleu", preset="inkbench-1").metric
    'bleu'
    """
    spec = get(metric)
    if preset not in spec.presets:
        raise ValueError(f"{metric} has no preset {preset!r}; it has: {', '.join(spec.presets)}")
    measure = BundleMetric(metric, preset, sample.structure, spec.average)
    is_of_formulas = "formula" in spec.kinds
    pairs = (
        match_page_pairs(replace(sample, structure="formula"))
        if is_of_formulas
        else single_pair_without_fences(sample)
    )
    outcomes = [Outcome(measure, "", None, spec.sample(a, b, preset=preset)) for a, b in pairs]
    return _figure(metric, outcomes)


def score_chunk(bundle: str, samples: list[ScoringSample]) -> tuple[Accumulators, list[ScoredRow]]:
    """Accumulators and rows of one chunk; runs in a worker, so arguments and results can be pickled."""
    selected = find_bundle(bundle)
    accumulators: Accumulators = {}
    rows: list[ScoredRow] = []
    for sample in samples:
        by_metric: dict[str, list[Outcome]] = {}
        for outcome in selected.score(sample):
            measure = outcome.measure
            for group in dict.fromkeys((ALL, outcome.group or ALL, *sample.strata)):
                is_mixed = group != outcome.group and bool(selected.corpus_preset)
                key = measure.metric, group
                if key not in accumulators:
                    preset = selected.corpus_preset if is_mixed else measure.preset
                    accumulators[key] = measure, measure.accumulator(preset)
                accumulators[key][1].add(outcome.score, outcome.page)
            by_metric.setdefault(measure.metric, []).append(outcome)
        rows.append(
            ScoredRow(sample.id, tuple(_figure(metric, outcomes) for metric, outcomes in by_metric.items()))
        )
    return accumulators, rows


def _figure(metric: str, outcomes: list[Outcome]) -> Figure:
    score = outcomes[0].score
    if len(outcomes) > 1:
        measure = outcomes[0].measure
        parts = measure.accumulator(measure.preset).add_all(outcome.score for outcome in outcomes)
        score = parts.score(Average.POOLED if parts.ratio_in_page else Average.SAMPLE)
    return Figure(metric, score.value, score.numerator, score.denominator, score.status.value, score.reason)


def _scored_chunks(
    samples: Iterable[ScoringSample], bundle: str, workers: int, chunk_size: int
) -> Iterator[tuple[Accumulators, list[ScoredRow]]]:
    stream = iter(samples)
    chunks = iter(lambda: list(islice(stream, chunk_size)), [])
    if workers == 1:
        for chunk in chunks:
            yield score_chunk(bundle, chunk)
        return
    # Spawned, not forked: the caller may run threads (a progress bar), which do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[tuple[Accumulators, list[ScoredRow]]]] = deque()
        for chunk in chunks:
            waiting.append(pool.submit(score_chunk, bundle, chunk))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _merge(total: Accumulators, part: Accumulators) -> None:
    for key, (measure, accumulator) in part.items():
        if key in total:
            total[key][1].merge(accumulator)
        else:
            total[key] = measure, accumulator


def _shown_order(item: tuple[tuple[str, str], object]) -> tuple[bool, str]:
    (_, group), _ = item
    return group != ALL, group


def _stamped(score: Score, data: str) -> Score:
    return replace(score, signature=score.signature.with_data(data))
