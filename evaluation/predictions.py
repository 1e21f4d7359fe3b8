"""What a system gives for one sample, as a type: a text, LaTeX by region, a failure, or nothing.

A prediction is parsed once, where it comes in, and stored once; from then on nothing is guessed from how a text
looks. A ground truth is a `Text` or `Regions` too, so that scoring compares like with like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A page as one text: Markdown, or the HTML of a table. It may be empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Regions:
    """LaTeX by region number. A region left out has no prediction; an empty string is a prediction of nothing."""

    latex: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Failed:
    """The attempt failed. `reason` is for people; `kind`, where there is one, is a short name of the failure."""

    reason: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """No prediction was given."""


MISSING = Missing()

Content = Text | Regions
"""What can be compared: a ground truth, or a prediction that did not fail."""

SubmittedPrediction = Text | Regions | Failed
"""What a system submits. A sample without one is missing."""

PredictionValue = Text | Regions | Failed | Missing
"""What becomes of a sample in scoring."""

PredictedText = str | Failed | None
"""One side of a pair that a metric compares: a text, a failure, or None for missing."""


def content_size(prediction: PredictionValue) -> int:
    """Characters of a prediction; 0 for a failed or missing one."""
    match prediction:
        case Text(text):
            return len(text)
        case Regions(latex):
            return sum(map(len, latex.values()))
    return 0


def content_as_lines(content: Content, order: Regions | None = None) -> str:
    r"""Content as one text, a line a region in the order of `order` (else their own); one left out is an empty line.

    >>> content_as_lines(Regions({"2": "b", "1": "a"}), Regions({"1": "x", "2": "y", "3": "z"}))
    'a\nb\n'
    """
    if isinstance(content, Text):
        return content.text
    return "\n".join(content.latex.get(number, "") for number in (order or content).latex)
