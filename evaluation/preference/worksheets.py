"""The complete list of what a rater may see at each step.

Primitives only. No field names a metric, system, file or sample, or tells which metric is on which side.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """The rater's progress: the current item and the number of items; practice items are counted separately."""

    enrolment: str
    project: str
    study: int
    position: int
    done: int
    total: int
    is_practice: bool


@dataclass(frozen=True, slots=True)
class GradeSheet:
    """Step 1: the prediction as a student's solution, without image or scores."""

    progress: TrialProgress
    language: str
    problem: str
    reference: str
    output: str  # unchanged
    rendered: str  # the same as Markdown with mathematics


@dataclass(frozen=True, slots=True)
class ChoiceSheet:
    """Step 2, after the grade is locked: the image, the reference answer, and two scores in the same format."""

    progress: TrialProgress
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
