"""The presets of CDM: the constants in which the published programs differ.

Sources: the CDM paper (Wang et al., "CDM: A Reliable Metric for Fair and Accurate Formula Recognition"),
sections 3.2 and 3.3, and the behaviour of the two public programs. A preset never changes once released.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TieBreak(StrEnum):
    """Which residuals decide between two models that explain equally many pairs."""

    SQUARES_OF_ALL = "squares-of-all"  # sum of squared residuals over every pair
    SUM_OF_INLIERS = "sum-of-inliers"  # sum of residuals over the explained pairs


@dataclass(frozen=True, slots=True)
class MatchingSettings:
    """Costs of the assignment and settings of the position check, in pixels at 200 dots per inch."""

    synonym_cost: float = 0.005
    position_weight: float = 0.05
    order_weight: float = 0.15
    threshold: float = 20.0
    trials: int = 50
    seed: int = 42
    rounds: int = 5
    tie_break: TieBreak = TieBreak.SQUARES_OF_ALL


@dataclass(frozen=True, slots=True)
class CdmPreset:
    """One variant of CDM.

    `tolerant` presets fix defects of the reference (listed in docs/metrics/cdm.md); `grammar` names the normaliser;
    `strips_wrappers` removes fences, outer delimiters and tags first.
    """

    name: str
    matching: MatchingSettings
    grammar: str
    strips_wrappers: bool = False
    larger_paper: bool = False
    tolerant: bool = False


PRESETS: dict[str, CdmPreset] = {
    preset.name: preset
    for preset in (
        CdmPreset(
            "inkbench-1", MatchingSettings(), "katex", strips_wrappers=True, larger_paper=True, tolerant=True
        ),
        CdmPreset("unimernet", MatchingSettings(), "katex"),
        CdmPreset(
            "omnidocbench-1.6",
            MatchingSettings(threshold=30.0, trials=500, seed=2026, tie_break=TieBreak.SUM_OF_INLIERS),
            "pylatexenc",
            strips_wrappers=True,
            larger_paper=True,
        ),
    )
}


def find_preset(name: str) -> CdmPreset:
    """The preset called `name`. Raises ValueError naming the known ones."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ValueError(f"unknown CDM preset {name!r}: one of {', '.join(PRESETS)}") from None
