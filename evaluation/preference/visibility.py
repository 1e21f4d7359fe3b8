"""The only reader of a study for its raters: a trial in, a worksheet out. `rate_item.open_sheet` records it."""

from __future__ import annotations

import re

from config.signed_images import image_token
from evaluation.preference.design import CardSide, TrialKind
from evaluation.preference.models import Enrolment, Trial
from evaluation.preference.worksheets import ChoiceSheet, GradeSheet, TrialProgress

_MARKED = re.compile(r"\$|\\\(|\\\[")
_COMMAND = re.compile(r"\\[a-zA-Z]+|[_^]\{")
_ENVIRONMENT = re.compile(r"\\begin\{|\\\\\s*$", re.MULTILINE)


def sheet_of(trial: Trial) -> GradeSheet | ChoiceSheet:
    """The worksheet of a trial: the choice once the grade is saved, until then the grading."""
    enrolment = trial.enrolment
    return _choice_sheet(enrolment, trial) if hasattr(trial, "grade") else _grade_sheet(enrolment, trial)


def as_markdown(text: str) -> str:
    r"""The text as Markdown with mathematics: LaTeX without delimiters becomes display formulas.

    >>> as_markdown(r"so $x$ is 2"), as_markdown("x is 2")
    ('so $x$ is 2', 'x is 2')
    >>> as_markdown(r"\frac{1}{2}")
    '$$\n\\frac{1}{2}\n$$'
    """
    if _MARKED.search(text) or not _COMMAND.search(text):
        return text
    if _ENVIRONMENT.search(text):
        return f"$$\n{text.strip()}\n$$"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n\n".join(f"$$\n{line}\n$$" if _COMMAND.search(line) else line for line in lines)


def trial_progress(enrolment: Enrolment, trial: Trial) -> TrialProgress:
    """The rater's progress; attention and repeated items are counted, otherwise the count would reveal them."""
    is_practice = trial.kind == TrialKind.PRACTICE
    counted = (
        enrolment.trials.filter(kind=TrialKind.PRACTICE)
        if is_practice
        else enrolment.trials.exclude(kind=TrialKind.PRACTICE)
    )
    return TrialProgress(
        enrolment=str(enrolment.uuid),
        project=enrolment.study.release.team.name,
        study=enrolment.study.number,
        position=trial.position,
        done=counted.filter(position__lt=trial.position).count(),
        total=counted.count(),
        is_practice=is_practice,
    )


def _grade_sheet(enrolment: Enrolment, trial: Trial) -> GradeSheet:
    extra = trial.item.gold.record["extra"]
    return GradeSheet(
        progress=trial_progress(enrolment, trial),
        language=trial.item.gold.language,
        problem=as_markdown(str(extra["problem"])),
        reference=as_markdown(str(extra["reference_answer"])),
        output=trial.item.output,
        rendered=as_markdown(trial.item.output),
    )


def _choice_sheet(enrolment: Enrolment, trial: Trial) -> ChoiceSheet:
    item = trial.item
    record = item.gold.record
    extra = record["extra"]
    scores = (item.shown_first, item.shown_second)
    score_a, score_b = scores if trial.first_is == CardSide.A else scores[::-1]
    blob = item.gold.image_blob
    return ChoiceSheet(
        progress=trial_progress(enrolment, trial),
        language=item.gold.language,
        image=image_token(person=enrolment.user, blob=blob, team=enrolment.study.release.team)
        if blob
        else "",
        width=record["width"],
        height=record["height"],
        problem=as_markdown(str(extra["problem"])),
        reference=as_markdown(str(extra["reference_answer"])),
        output=item.output,
        rendered=as_markdown(item.output),
        grade=trial.grade.value,
        score_a=score_a,
        score_b=score_b,
    )
