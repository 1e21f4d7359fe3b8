"""A bundle: which metrics, under which presets, are taken of which samples, and how they become one figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from evaluation.metrics.base import Failed, Pair, Score
from evaluation.metrics.bundles.sample import Sample
from evaluation.metrics.normalise.steps import remove_fences
from evaluation.metrics.registry import get
from evaluation.metrics.tally import Average, Tally

ALL = "all"

Reports = Mapping[tuple[str, str], Score]
"""Corpus scores by (metric, group)."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric of a bundle, taken of the samples of one structure ("" = whatever the bundle's choice says).

    `preset` scores a sample, `corpus_preset` names what the corpus of all groups is stamped with.
    """

    metric: str
    preset: str
    structure: str
    average: Average

    def tally(self, preset: str) -> Tally:
        """An empty tally for this metric."""
        make = get(self.metric).make_tally
        if make is None:
            raise ValueError(f"{self.metric} cannot be added up over a corpus")
        made: Tally = make(preset)
        return made


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample's score by one measure; it counts in the corpus and, where `group` is set, in that group too."""

    measure: Measure
    group: str
    page: str
    score: Score


@dataclass(frozen=True, slots=True)
class Bundle:
    """A frozen set; once released it never changes, a fix is a new name.

    `measures_of` gives a sample's measures and its group; `pairs_of` what is compared (matching, fences);
    `overalls_of` the headline figures from the corpus scores.
    """

    name: str
    about: str
    measures_of: Callable[[Sample], tuple[tuple[Measure, ...], str]]
    pairs_of: Callable[[Sample], list[Pair]]
    overalls_of: Callable[[Reports], dict[str, Score]]
    corpus_preset: str = ""

    def score(self, sample: Sample) -> Iterator[Outcome]:
        """The sample's scores; a page matched to several gold parts gives several."""
        measures, group = self.measures_of(sample)
        pairs = self.pairs_of(sample) if measures else []
        for measure in measures:
            take = get(measure.metric).sample
            for prediction, reference in pairs:
                score = take(prediction, reference, preset=measure.preset)
                yield Outcome(measure, group, sample.page or sample.id, score)


def as_it_is(sample: Sample) -> list[Pair]:
    """The sample's one pair, untouched."""
    return [(sample.prediction, sample.reference)]


def without_fences(sample: Sample) -> list[Pair]:
    """The sample's one pair, the answer without code fences (WildHandBench's `clean_markdown`)."""
    prediction = sample.prediction
    if prediction is None or isinstance(prediction, Failed):
        return [(prediction, sample.reference)]
    return [(remove_fences(prediction), sample.reference)]
