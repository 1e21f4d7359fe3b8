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

from evaluation.metrics.base import Score
from evaluation.metrics.bundles.bundle import ALL, Bundle, Measure
from evaluation.metrics.bundles.frozen import bundle_names, custom_bundle, get_bundle
from evaluation.metrics.bundles.sample import Sample
from evaluation.metrics.tally import Tally

CHUNK = 64
_AHEAD = 4  # chunks handed out per process before their results are waited for


@dataclass(frozen=True, slots=True)
class Row:
    """One sample's figures: (metric, value, status) each; `details` stay behind."""

    id: str
    figures: tuple[tuple[str, float | None, str], ...]


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


Tallies = dict[tuple[str, str], tuple[Measure, Tally]]


def score_samples(
    samples: Iterable[Sample],
    *,
    bundle: str = "inkbench-1",
    workers: int = 1,
    data: str = "",
    on_row: Callable[[Row], None] | None = None,
) -> Report:
    """The report of `bundle` (or of a single preset's name) over samples, consumed as a stream.

    `data` (a release's checksum, say) is stamped into every signature; `on_row` is called for each sample, in
    order. ValueError for an unknown name or fewer than one worker.

    >>> report = score_samples([Sample("1", "text", "ink", "ink")])
    >>> report.scores["edit", "all"].value, report.overalls["overall"].status.value
    (0.0, 'not_applicable')
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    chosen = find_bundle(bundle)
    total: Tallies = {}
    report = Report(chosen.name)
    for tallies, rows in _scored_chunks(samples, bundle, workers):
        _merge(total, tallies)
        report.n_samples += len(rows)
        if on_row is not None:
            for row in rows:
                on_row(row)
    for key, (measure, tally) in sorted(total.items(), key=_shown_order):
        report.scores[key] = tally.score(measure.average)
    report.overalls = chosen.overalls_of(report.scores)
    if data:
        report.scores = {key: _stamped(score, data) for key, score in report.scores.items()}
        report.overalls = {name: _stamped(score, data) for name, score in report.overalls.items()}
    return report


def find_bundle(name: str) -> Bundle:
    """The frozen bundle of that name, or all metrics that have a preset of that name."""
    return get_bundle(name) if name in bundle_names() else custom_bundle(name)


def score_chunk(bundle: str, samples: list[Sample]) -> tuple[Tallies, list[Row]]:
    """One chunk's tallies and rows (runs in a worker, so everything it takes and gives can be sent)."""
    chosen = find_bundle(bundle)
    tallies: Tallies = {}
    rows: list[Row] = []
    for sample in samples:
        figures: list[tuple[str, float | None, str]] = []
        for outcome in chosen.score(sample):
            measure = outcome.measure
            for group in dict.fromkeys((ALL, outcome.group or ALL)):
                preset = chosen.corpus_preset if group == ALL and chosen.corpus_preset else measure.preset
                key = measure.metric, group
                if key not in tallies:
                    tallies[key] = measure, measure.tally(preset)
                tallies[key][1].add(outcome.score, outcome.page)
            figures.append((measure.metric, outcome.score.value, outcome.score.status.value))
        rows.append(Row(sample.id, tuple(figures)))
    return tallies, rows


def _scored_chunks(
    samples: Iterable[Sample], bundle: str, workers: int
) -> Iterator[tuple[Tallies, list[Row]]]:
    stream = iter(samples)
    chunks = iter(lambda: list(islice(stream, CHUNK)), [])
    if workers == 1:
        for chunk in chunks:
            yield score_chunk(bundle, chunk)
        return
    # Spawned, not forked: the caller may run threads (a progress bar), which a fork would tear.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[tuple[Tallies, list[Row]]]] = deque()
        for chunk in chunks:
            waiting.append(pool.submit(score_chunk, bundle, chunk))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _merge(total: Tallies, part: Tallies) -> None:
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
