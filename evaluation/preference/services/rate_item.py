"""Rating of an item: grade, then choice; each once, in the server's order, without changes later.

A trial is named by its position. A second rating of a position is ignored without an error, because it may come from a
double click, another tab, or a browser that got no response.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext_noop

from config.accounts.models import Role
from config.errors import ApplicationError
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
from evaluation.preference.timing import BROWSER_EVENTS, GRADED, OPENED, PAUSED, VOTED
from evaluation.preference.visibility import sheet_of
from evaluation.preference.worksheets import ChoiceSheet, GradeSheet

MAX_COMMENT = 2000
MAX_EVENTS = 500  # per trial


class BadRating(ApplicationError):
    """A grade, mark, choice or event that does not exist."""

    status, kind = 422, "invalid"
    msgid = gettext_noop("This grade, mark or choice does not exist.")


class OutOfOrder(ApplicationError):
    """The rating is for a trial that is not the current one and has no rating yet."""

    kind = "moved_on"
    msgid = gettext_noop(
        "That was not the current item, so nothing was saved for it. Continue with this one."
    )


class StudyClosed(ApplicationError):
    """The study is closed, so nothing can be rated."""

    kind = "closed"
    msgid = gettext_noop(
        "The study was closed before this rating arrived, so it was not saved. Your earlier ratings are kept."
    )


def save_grade(*, enrolment: Enrolment, position: int, value: int, marks: Mapping[str, int]) -> None:
    """Save the grade of step 1; it cannot change later. Raises BadRating, OutOfOrder, StudyClosed."""
    if value not in GRADES:
        raise BadRating("grade")
    if any(name not in CATEGORIES or mark not in CATEGORY_MARKS for name, mark in marks.items()):
        raise BadRating("marks")
    with transaction.atomic():
        _lock(enrolment)
        trial = _trial_at(enrolment, position)
        if ExpertGrade.objects.filter(trial=trial).exists():
            return
        if trial != current_trial(enrolment):
            raise OutOfOrder
        ExpertGrade.objects.create(trial=trial, value=value, marks=dict(marks))
        TrialEvent.objects.create(trial=trial, kind=GRADED)


def save_vote(*, enrolment: Enrolment, position: int, choice: str, comment: str) -> None:
    """Save the choice of step 2. Raises BadRating, OutOfOrder, StudyClosed."""
    if choice not in list(Choice):
        raise BadRating("choice")
    with transaction.atomic():
        _lock(enrolment)
        trial = _trial_at(enrolment, position)
        if PreferenceVote.objects.filter(trial=trial).exists():
            return
        if trial != current_trial(enrolment) or not ExpertGrade.objects.filter(trial=trial).exists():
            raise OutOfOrder
        PreferenceVote.objects.create(trial=trial, choice=choice, comment=comment.strip()[:MAX_COMMENT])
        TrialEvent.objects.create(trial=trial, kind=VOTED)


def open_sheet(enrolment: Enrolment) -> GradeSheet | ChoiceSheet | None:
    """The worksheet of the current step; None if every item is done. Records the exposure."""
    trial = current_trial(enrolment)
    if trial is None:
        return None
    trial.enrolment = enrolment
    record_opening(trial)
    return sheet_of(trial)


def record_opening(trial: Trial) -> None:
    """Record that a page of the trial was sent: exposure to the reference answer, and in step 2 to the image."""
    TrialEvent.objects.create(trial=trial, kind=OPENED)
    user, gold = trial.enrolment.user, trial.item.gold
    if not gold.pixel_hash:
        return
    contents = [SeenContent.GOLD, SeenContent.IMAGE] if hasattr(trial, "grade") else [SeenContent.GOLD]
    for content in contents:
        record_exposure(
            user=user, image_hash=gold.pixel_hash, role=Role.STUDY_EXPERT, saw=content, place="expert study"
        )


def record_event(*, enrolment: Enrolment, position: int, kind: str) -> None:
    """Record an event that the browser reports for the current trial; late ones are ignored. Raises BadRating."""
    if kind not in BROWSER_EVENTS:
        raise BadRating("kind")
    trial = current_trial(enrolment)
    if trial is not None and trial.position == position and trial.events.count() < MAX_EVENTS:
        TrialEvent.objects.create(trial=trial, kind=kind)


def pause(enrolment: Enrolment) -> None:
    """Pause the study; the time of the current trial stops. Does nothing once the study is closed."""
    if enrolment.study.state != StudyState.OPEN:
        return
    Enrolment.objects.filter(pk=enrolment.pk).update(is_paused=True)
    trial = current_trial(enrolment)
    if trial is not None:
        TrialEvent.objects.create(trial=trial, kind=PAUSED)


def resume(enrolment: Enrolment) -> None:
    """Continue after a pause."""
    Enrolment.objects.filter(pk=enrolment.pk).update(is_paused=False)


def _lock(enrolment: Enrolment) -> None:
    """Lock study and enrolment, always in this order. Raises StudyClosed."""
    study = Study.objects.select_for_update().get(pk=enrolment.study_id)
    if study.state != StudyState.OPEN:
        raise StudyClosed
    Enrolment.objects.select_for_update().get(pk=enrolment.pk)


def _trial_at(enrolment: Enrolment, position: int) -> Trial:
    trial = enrolment.trials.filter(position=position).first()
    if trial is None:
        raise OutOfOrder
    return trial
