"""What a rater does: grade, then choose; each once, in the server's order, with no way back.

A trial is named by its position. An answer to a position that has one already changes nothing and is no error: the
first answer stands, whether the second came from a double click, another tab, or a browser that never heard back.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from evaluation.preference.design import CATEGORIES, CATEGORY_MARKS, GRADES, Choice
from evaluation.preference.models import (
    Enrolment,
    ExpertGrade,
    PreferenceVote,
    Study,
    StudyState,
    Trial,
    TrialEvent,
)
from evaluation.preference.selectors import current_trial
from evaluation.preference.timing import FROM_THE_PAGE, GRADED, OPENED, PAUSED, VOTED
from evaluation.preference.visibility import sheet_of
from evaluation.preference.worksheets import ChoiceSheet, GradeSheet

MAX_COMMENT = 2000
MAX_EVENTS = 500  # a trial; more than anybody leaves a window


class BadAnswer(ValueError):
    """A grade, mark or choice that does not exist."""


class OutOfOrder(Exception):
    """The answer is to an item that is not the one at hand, and that has no answer yet."""


class StudyClosed(Exception):
    """The study takes no answers any more."""


def give_grade(*, enrolment: Enrolment, position: int, value: int, marks: Mapping[str, int]) -> None:
    """Step 1, locked from here on. Raises BadAnswer, OutOfOrder, StudyClosed."""
    if value not in GRADES:
        raise BadAnswer("grade")
    if any(name not in CATEGORIES or mark not in CATEGORY_MARKS for name, mark in marks.items()):
        raise BadAnswer("marks")
    with transaction.atomic():
        _hold(enrolment)
        trial = _at(enrolment, position)
        if ExpertGrade.objects.filter(trial=trial).exists():
            return
        if trial != current_trial(enrolment):
            raise OutOfOrder
        ExpertGrade.objects.create(trial=trial, value=value, marks=dict(marks))
        TrialEvent.objects.create(trial=trial, what=GRADED)


def give_vote(*, enrolment: Enrolment, position: int, choice: str, comment: str) -> None:
    """Step 2, and on to the next item. Raises BadAnswer, OutOfOrder, StudyClosed."""
    if choice not in list(Choice):
        raise BadAnswer("choice")
    with transaction.atomic():
        _hold(enrolment)
        trial = _at(enrolment, position)
        if PreferenceVote.objects.filter(trial=trial).exists():
            return
        if trial != current_trial(enrolment) or not ExpertGrade.objects.filter(trial=trial).exists():
            raise OutOfOrder
        PreferenceVote.objects.create(trial=trial, choice=choice, comment=comment.strip()[:MAX_COMMENT])
        TrialEvent.objects.create(trial=trial, what=VOTED)


def open_sheet(enrolment: Enrolment) -> GradeSheet | ChoiceSheet | None:
    """The sheet of the step at hand, recorded as opened; None when every item is done."""
    trial = current_trial(enrolment)
    if trial is None:
        return None
    trial.enrolment = enrolment
    note_opened(trial)
    return sheet_of(trial)


def note_opened(trial: Trial) -> None:
    """A page of the trial was sent. Its image counts as seen at step 2, the task and its solution from step 1 on."""
    TrialEvent.objects.create(trial=trial, what=OPENED)
    user, gold = trial.enrolment.user, trial.item.gold
    if not gold.pixel_hash:
        return
    saw = [SeenContent.GOLD, SeenContent.IMAGE] if hasattr(trial, "grade") else [SeenContent.GOLD]
    for each in saw:
        record_exposure(
            user=user, image_hash=gold.pixel_hash, role=Role.STUDY_EXPERT, saw=each, place="expert study"
        )


def note_event(*, enrolment: Enrolment, position: int, what: str) -> None:
    """What the browser saw happen at the item at hand. Raises BadAnswer; what comes late is passed over."""
    if what not in FROM_THE_PAGE:
        raise BadAnswer("what")
    trial = current_trial(enrolment)
    if trial is not None and trial.position == position and trial.events.count() < MAX_EVENTS:
        TrialEvent.objects.create(trial=trial, what=what)


def pause(enrolment: Enrolment) -> None:
    """Set the study aside; answers are kept, the clock of the item at hand stops. Nothing once closed."""
    if enrolment.study.state != StudyState.OPEN:
        return
    Enrolment.objects.filter(pk=enrolment.pk).update(is_paused=True)
    trial = current_trial(enrolment)
    if trial is not None:
        TrialEvent.objects.create(trial=trial, what=PAUSED)


def resume(enrolment: Enrolment) -> None:
    Enrolment.objects.filter(pk=enrolment.pk).update(is_paused=False)


def _hold(enrolment: Enrolment) -> None:
    """Lock study and enrolment, in this order everywhere. Raises StudyClosed."""
    study = Study.objects.select_for_update().get(pk=enrolment.study_id)
    if study.state != StudyState.OPEN:
        raise StudyClosed
    Enrolment.objects.select_for_update().get(pk=enrolment.pk)


def _at(enrolment: Enrolment, position: int) -> Trial:
    trial = enrolment.trials.filter(position=position).first()
    if trial is None:
        raise OutOfOrder
    return trial
