"""The complete list of what a rater may see at each step. What is not a field here is not seen.

Primitives only. No name of a metric, system, file or sample is among them, nor on which side anything stands.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrialPosition:
    """Where a rater is: the item at hand of how many; practice items are told apart and do not count."""

    enrolment: str
    project: str
    study: int
    position: int
    done: int
    total: int
    is_practice: bool


@dataclass(frozen=True, slots=True)
class GradeSheet:
    """Step 1: the output as a student's solution. No image, no score."""

    where: TrialPosition
    language: str
    problem: str
    reference: str
    output: str  # as it came
    rendered: str  # the same as Markdown with mathematics


@dataclass(frozen=True, slots=True)
class ChoiceSheet:
    """Step 2, the grade locked: the handwriting, the correct solution, two scores of one format."""

    where: TrialPosition
    language: str
    image: str  # token
    width: int
    height: int
    problem: str
    reference: str
    output: str
    rendered: str
    grade: int
    score_a: str
    score_b: str
