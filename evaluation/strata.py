"""The groups whose figures stand beside a release's whole: structure, language, scenario, difficulty.

Difficulty is the mean over a sample's rated dimensions of each dimension's mean, rounded to a whole level, halves up:
five levels on the scale that people rate by, the same for every release, unlike parts of equal size. A sample that
nobody rated is in none of the levels. It never enters an aggregate.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any

KINDS = ("structure", "language", "scenario", "difficulty")


def difficulty_level(ratings: Mapping[str, Mapping[str, float]]) -> int | None:
    """The whole level of a sample; None where nobody rated it.

    >>> difficulty_level({"cursiveness": {"mean": 3.0, "n": 5}, "domain knowledge": {"mean": 2.0, "n": 5}})
    3
    >>> difficulty_level({}) is None
    True
    """
    means = [float(figures["mean"]) for figures in ratings.values() if figures.get("n")]
    return floor(sum(means) / len(means) + 0.5) if means else None


def strata_of(structure: str, language: str, scenario: str, record: Mapping[str, Any]) -> tuple[str, ...]:
    """The groups a sample counts in, as `kind:value`."""
    strata = [f"structure:{structure}", f"language:{language}", f"scenario:{scenario}"]
    level = difficulty_level(record.get("difficulty") or {})
    if level is not None:
        strata.append(f"difficulty:{level}")
    return tuple(strata)
