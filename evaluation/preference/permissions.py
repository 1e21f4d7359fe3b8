"""Who may: a study's pages are its managers', an enrolment is its rater's. Raises Http404 for all else, never
telling why.

Both show reference answers: to somebody who is still to read samples of the release in a baseline they are closed, in
words (403).
"""

from __future__ import annotations

import uuid

from django.http import Http404

from config.accounts.models import Role, User
from config.accounts.selectors import roles_in
from evaluation.permissions import deny_reserved_readers_of, may_enter
from evaluation.preference.models import Enrolment, Study, StudyState


def study_for(user: User, pk: int) -> Study:
    """The study, for managers of its project. Who rates it is blind until it is closed, also as a manager."""
    found = Study.objects.select_related("release__team").filter(pk=pk).first()
    if found is None or not may_enter(user, found.release.team, Role.MANAGER):
        raise Http404
    if found.state == StudyState.OPEN and found.enrolments.filter(user=user).exists():
        raise Http404
    deny_reserved_readers_of(user, found.release)
    return found


def enrolment_for(user: User, enrolment: uuid.UUID) -> Enrolment:
    """The person's own enrolment at a study that has opened, as long as they are in the project."""
    rows = Enrolment.objects.select_related("study__release__team", "user")
    found = rows.filter(uuid=enrolment, user=user).exclude(study__state=StudyState.DRAFT).first()
    if found is None or not roles_in(user, found.study.release.team):
        raise Http404
    deny_reserved_readers_of(user, found.study.release)
    return found
