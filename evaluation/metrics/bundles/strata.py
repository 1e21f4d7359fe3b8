"""OmniHandwritingOCR's subtasks, and a rule for its three difficulty strata.

The paper stratifies multi-line labels by length, LaTeX commands and non-empty lines, and prints the means of
its strata (table 2: 156.9 / 4.1 / 3.7 for easy, 488.8 / 25.7 / 13.0 for hard) but no rule. Here each
statistic is scaled between the two printed means (0 at easy, 1 at hard, clipped), and the mean of the three decides:
below 1/3 easy, below 2/3 medium, else hard.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.predictions import content_as_lines

SUBTASKS = ("en-text", "zh-text", "sl-formula", "ml-easy", "ml-medium", "ml-hard")
EASY_MEANS = (156.9, 4.1, 3.7)
HARD_MEANS = (488.8, 25.7, 13.0)

_COMMAND = re.compile(r"\\[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class LabelStatistics:
    """Characters, LaTeX commands and non-empty lines of a label."""

    length: float
    commands: float
    lines: float


def measure_label(label: str) -> LabelStatistics:
    r"""The three statistics of a label; a LaTeX row end (`\\`) ends a line too.

    >>> measure_label("x=\\frac{1}{2} \\\\ y=2\n\nz")
    LabelStatistics(length=23, commands=1, lines=3)
    """
    rows = [row for line in label.splitlines() for row in line.split("\\\\")]
    commands = len(_COMMAND.findall(label))
    return LabelStatistics(len(label), commands, sum(bool(row.strip()) for row in rows))


def stratum(statistics: LabelStatistics) -> str:
    """`ml-easy`, `ml-medium` or `ml-hard` by the rule above.

    >>> stratum(LabelStatistics(*EASY_MEANS)), stratum(LabelStatistics(*HARD_MEANS))
    ('ml-easy', 'ml-hard')
    >>> stratum(LabelStatistics(320, 15, 8))
    'ml-medium'
    """
    measured = (statistics.length, statistics.commands, statistics.lines)
    places = [
        min(max((value - easy) / (hard - easy), 0.0), 1.0)
        for value, easy, hard in zip(measured, EASY_MEANS, HARD_MEANS, strict=True)
    ]
    mean = sum(places) / len(places)
    if mean < 1 / 3:
        return "ml-easy"
    return "ml-medium" if mean < 2 / 3 else "ml-hard"


def subtask_of(sample: ScoringSample) -> str | None:
    """The sample's own subtask, else one derived from structure, language and label; None for tables.

    Text counts as English if its language says so, else as Chinese; a formula with one non-empty line is single-line.
    Raises ValueError for an unknown subtask.

    >>> from evaluation.predictions import Text
    >>> subtask_of(ScoringSample("1", "formula", Text(""), Text("x^2")))
    'sl-formula'
    """
    if sample.subtask:
        if sample.subtask not in SUBTASKS:
            raise ValueError(f"unknown subtask {sample.subtask!r}; known: {', '.join(SUBTASKS)}")
        return sample.subtask
    if sample.structure == "text":
        return "en-text" if sample.language.lower().startswith("en") else "zh-text"
    if sample.structure != "formula":
        return None
    statistics = measure_label("" if sample.reference is None else content_as_lines(sample.reference))
    return "sl-formula" if statistics.lines <= 1 else stratum(statistics)
