"""A bundle: which metrics, under which presets, score which samples, and how scores are aggregated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, Pair, Score
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.edge_cases import EdgeRules, TooLarge, too_large
from evaluation.metrics.registry import get

ALL = "all"

Reports = Mapping[tuple[str, str], Score]
"""Corpus scores by (metric, group)."""


@dataclass(frozen=True, slots=True)
class BundleMetric:
    """One metric of a bundle under one preset, for samples of one structure ("" = as the bundle decides)."""

    metric: str
    preset: str
    structure: str
    average: Average

    def accumulator(self, preset: str) -> Accumulator:
        """An empty accumulator for this metric."""
        return get(self.metric).make_accumulator(preset)

    def page_of(self, sample: ScoringSample) -> str | None:
        """The page of the sample. Its id stands in only for page averages, as an accumulator keeps every page."""
        return sample.page or (sample.id if self.average is Average.PAGE else None)

    def too_large(self, reason: str) -> Score:
        """The score of a sample that is too large for page matching."""
        accumulator = self.accumulator(self.preset)
        is_error = accumulator.direction is Direction.LOWER
        rules = EdgeRules.of_error() if is_error else EdgeRules.of_similarity()
        return too_large(reason, rules=rules, signature=accumulator.signature)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample's score by one metric; it counts in the corpus and, where `group` is set, in that group too."""

    measure: BundleMetric
    group: str
    page: str | None
    score: Score


@dataclass(frozen=True, slots=True)
class Bundle:
    """A frozen combination: once released it never changes; a fix gets a new name.

    `measures_for` gives a sample's metrics and its group, `pairs_for` the pairs to compare (page matching, code
    fences), `overalls_for` the headline figures from the corpus scores. `corpus_preset` is the preset in the
    signature of scores that span several groups.
    """

    name: str
    about: str
    measures_for: Callable[[ScoringSample], tuple[tuple[BundleMetric, ...], str]]
    pairs_for: Callable[[ScoringSample], list[Pair]]
    overalls_for: Callable[[Reports], dict[str, Score]]
    corpus_preset: str = ""

    def score(self, sample: ScoringSample) -> Iterator[Outcome]:
        """The sample's scores, one per metric and matched pair."""
        measures, group = self.measures_for(sample)
        try:
            pairs = self.pairs_for(sample) if measures else []
        except TooLarge as limit:
            for measure in measures:
                yield Outcome(measure, group, measure.page_of(sample), measure.too_large(str(limit)))
            return
        for measure in measures:
            score_sample, page = get(measure.metric).sample, measure.page_of(sample)
            for prediction, reference in pairs:
                yield Outcome(
                    measure, group, page, score_sample(prediction, reference, preset=measure.preset)
                )
