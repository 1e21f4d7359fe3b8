"""Access: managers to a study, raters to their own enrolment. Others get Http404, without a reason.

Both show reference answers, so people with samples of the release reserved in a baseline are denied, with a message
(403). A study also shows figures, which wait for everybody who rates one of the same release.
"""

from __future__ import annotations

import uuid

from django.http import Http404

from config.accounts.models import Role, User
from config.accounts.selectors import roles_in
from evaluation.permissions import deny_figure_readers_of, deny_reserved_readers_of, may_enter
from evaluation.preference.models import Enrolment, Study, StudyState


def study_for(user: User, pk: int) -> Study:
    """The study, for managers of its project. A manager who rates it has no access until it is closed."""
    study = Study.objects.select_related("release__team").filter(pk=pk).first()
    if study is None or not may_enter(user, study.release.team, Role.MANAGER):
        raise Http404
    if study.state == StudyState.OPEN and study.enrolments.filter(user=user).exists():
        raise Http404
    deny_figure_readers_of(user, study.release)
    return study


def enrolment_for(user: User, enrolment_uuid: uuid.UUID) -> Enrolment:
    """The user's own enrolment in a study that has been opened, while they are in the project."""
    rows = Enrolment.objects.select_related("study__release__team", "user")
    enrolment = rows.filter(uuid=enrolment_uuid, user=user).exclude(study__state=StudyState.DRAFT).first()
    if enrolment is None or not roles_in(user, enrolment.study.release.team):
        raise Http404
    deny_reserved_readers_of(user, enrolment.study.release)
    return enrolment
