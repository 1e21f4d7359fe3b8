"""Scoring many samples with a bundle, on any number of processes, with the same result for any number.

Samples are read, scored and forgotten in chunks; what stays is one tally per metric and group, whose sums are
exact, so neither the chunks nor the processes can show in a digit.
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
_AHEAD = 4  # chunks handed out per process before their results are waited for


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric of one sample, as in Score; `details` stay behind."""

    metric: str
    value: float | None
    numerator: float
    denominator: float
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One sample's figures, one a metric (its gold parts added up where it has several)."""

    id: str
    figures: tuple[Figure, ...]


@dataclass(slots=True)
class Report:
    """What a bundle says about a system: corpus scores by (metric, group), the Overalls, the counts."""

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
    """The report of `bundle` (or of a single preset's name) over samples, consumed as a stream.

    `data` (a release's checksum, say) is stamped into every signature; `on_row` is called for each sample, in
    order, after each `chunk_size` samples. ValueError for an unknown name or fewer than one worker.

    >>> report = score_samples([ScoringSample("1", "text", "ink", "ink")])
    >>> report.scores["edit", "all"].value, report.overalls["overall"].status.value
    (0.0, 'not_applicable')
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    selected = find_bundle(bundle)
    total: Accumulators = {}
    report = Report(selected.name)
    for tallies, rows in _scored_chunks(samples, bundle, workers, chunk_size):
        _merge(total, tallies)
        report.n_samples += len(rows)
        if on_row is not None:
            for row in rows:
                on_row(row)
    for key, (measure, tally) in sorted(total.items(), key=_shown_order):
        report.scores[key] = tally.score(measure.average)
    report.overalls = selected.overalls_for(report.scores)
    if data:
        report.scores = {key: _stamped(score, data) for key, score in report.scores.items()}
        report.overalls = {name: _stamped(score, data) for name, score in report.overalls.items()}
    return report


def find_bundle(name: str) -> Bundle:
    """The frozen bundle of that name, or all metrics that have a preset of that name."""
    return get_bundle(name) if name in bundle_names() else custom_bundle(name)


def score_sample(sample: ScoringSample, *, metric: str, preset: str) -> Figure:
    """One sample's figure by one metric of the registry, also where no bundle takes that metric of such a sample.

    Formula metrics compare the page's matched formulas (their parts added up), all others the whole text without
    code fences. ValueError for a metric or preset that does not exist.

    >>> score_sample(ScoringSample("1", "formula", "$$x$$", "$$x$$"), metric="bleu", preset="inkbench-1").metric
    'bleu'
    """
    spec = get(metric)
    if preset not in spec.presets:
        raise ValueError(f"{metric} has no preset {preset!r}; it has: {', '.join(spec.presets)}")
    measure = BundleMetric(metric, preset, sample.structure, Average(spec.average))
    is_of_formulas = "formula" in spec.kinds
    pairs = (
        match_page_pairs(replace(sample, structure="formula"))
        if is_of_formulas
        else single_pair_without_fences(sample)
    )
    outcomes = [Outcome(measure, "", None, spec.sample(a, b, preset=preset)) for a, b in pairs]
    return _figure(metric, outcomes)


def score_chunk(bundle: str, samples: list[ScoringSample]) -> tuple[Accumulators, list[ScoredRow]]:
    """One chunk's tallies and rows (runs in a worker, so everything it takes and gives can be sent)."""
    selected = find_bundle(bundle)
    tallies: Accumulators = {}
    rows: list[ScoredRow] = []
    for sample in samples:
        by_metric: dict[str, list[Outcome]] = {}
        for outcome in selected.score(sample):
            measure = outcome.measure
            for group in dict.fromkeys((ALL, outcome.group or ALL, *sample.strata)):
                is_mixed = group != outcome.group and bool(selected.corpus_preset)
                key = measure.metric, group
                if key not in tallies:
                    preset = selected.corpus_preset if is_mixed else measure.preset
                    tallies[key] = measure, measure.tally(preset)
                tallies[key][1].add(outcome.score, outcome.page)
            by_metric.setdefault(measure.metric, []).append(outcome)
        rows.append(
            ScoredRow(sample.id, tuple(_figure(metric, outcomes) for metric, outcomes in by_metric.items()))
        )
    return tallies, rows


def _figure(metric: str, outcomes: list[Outcome]) -> Figure:
    score = outcomes[0].score
    if len(outcomes) > 1:
        measure = outcomes[0].measure
        parts = measure.tally(measure.preset).add_all(outcome.score for outcome in outcomes)
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
    # Spawned, not forked: the caller may run threads (a progress bar), which a fork would tear.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[tuple[Accumulators, list[ScoredRow]]]] = deque()
        for chunk in chunks:
            waiting.append(pool.submit(score_chunk, bundle, chunk))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _merge(total: Accumulators, part: Accumulators) -> None:
    for key, (measure, tally) in part.items():
        if key in total:
            total[key][1].merge(tally)
        else:
            total[key] = measure, tally


def _shown_order(item: tuple[tuple[str, str], object]) -> tuple[bool, str]:
    (_, group), _ = item
    return group != ALL, group


def _stamped(score: Score, data: str) -> Score:
    return replace(score, signature=score.signature.with_data(data))
