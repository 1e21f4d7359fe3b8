"""A bundle: which metrics, under which presets, are taken of which samples, and how they become one figure."""

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
    """One metric of a bundle, taken of the samples of one structure ("" = whatever the bundle's choice says).

    `preset` scores a sample, `corpus_preset` names what the corpus of all groups is stamped with.
    """

    metric: str
    preset: str
    structure: str
    average: Average

    def tally(self, preset: str) -> Accumulator:
        """An empty tally for this metric."""
        make = get(self.metric).make_accumulator
        if make is None:
            raise ValueError(f"{self.metric} cannot be added up over a corpus")
        tally: Accumulator = make(preset)
        return tally

    def page_of(self, sample: ScoringSample) -> str | None:
        """What the sample is grouped by; its own id only where pages count, as a tally remembers every page."""
        return sample.page or (sample.id if self.average is Average.PAGE else None)

    def too_large(self, reason: str) -> Score:
        """The score of an answer that could not even be matched."""
        tally = self.tally(self.preset)
        is_error = tally.direction is Direction.LOWER
        rules = EdgeRules.of_error() if is_error else EdgeRules.of_similarity()
        return too_large(reason, rules=rules, signature=tally.signature)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample's score by one measure; it counts in the corpus and, where `group` is set, in that group too."""

    measure: BundleMetric
    group: str
    page: str | None
    score: Score


@dataclass(frozen=True, slots=True)
class Bundle:
    """A frozen set; once released it never changes, a fix is a new name.

    `measures_for` gives a sample's measures and its group; `pairs_for` what is compared (matching, fences);
    `overalls_for` the headline figures from the corpus scores.
    """

    name: str
    about: str
    measures_for: Callable[[ScoringSample], tuple[tuple[BundleMetric, ...], str]]
    pairs_for: Callable[[ScoringSample], list[Pair]]
    overalls_for: Callable[[Reports], dict[str, Score]]
    corpus_preset: str = ""

    def score(self, sample: ScoringSample) -> Iterator[Outcome]:
        """The sample's scores; a page matched to several gold parts gives several."""
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
