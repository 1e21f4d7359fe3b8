"""The queues of the three stages: which samples a person may claim, which one they hold, and when one becomes free.

Eligible for LABEL: annotators without an assignment at another stage of the sample. For VERIFY: second reviewers
without a LABEL assignment in any round; where reviews are double-blind, those who have seen label content in their work
(an earlier round's discussion, a review as `verify`) only once no other reviewer is left who has not, and then as
`verify`. For ADJUDICATE: adjudicators without an earlier assignment. Excluded everywhere: people who have seen label
content or ground truth of the image outside their work, and those who are still to read it in a baseline. People who
were asked about the image as a domain expert neither review nor adjudicate it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, Project, Skip, Work
from annotation.models.project import VerificationMode
from annotation.selectors.seen_content import (
    ANY_CONTENT,
    OUTSIDE_WORK,
    asked_about,
    is_seen_by_person,
    seen_by,
)
from annotation.stages import Actor, Intake, Stage, Status
from config.accounts.models import Role, User
from config.accounts.selectors import has_role, people_in
from config.exposure.models import Reservation, ReservedContent, SeenContent
from config.exposure.reservations import reserved_for

ROLE_OF_STAGE = {
    Stage.LABEL: Role.ANNOTATOR,
    Stage.VERIFY: Role.REVIEWER,
    Stage.ADJUDICATE: Role.ADJUDICATOR,
}


ACTOR_OF_STAGE = {
    Stage.LABEL: Actor.ANNOTATOR,
    Stage.VERIFY: Actor.REVIEWER,
    Stage.ADJUDICATE: Actor.ADJUDICATOR,
}


# Where unclaimed work of a stage waits: a dispute waits for the adjudicator only once it was escalated.
WAITING_STATUS = {Stage.LABEL: Status.OPEN, Stage.VERIFY: Status.OPEN, Stage.ADJUDICATE: Status.SUBMITTED}


_CONFLICTS = {
    Stage.LABEL: (Stage.VERIFY, Stage.ADJUDICATE),
    Stage.VERIFY: (Stage.LABEL, Stage.ADJUDICATE),
    Stage.ADJUDICATE: (Stage.LABEL, Stage.VERIFY),
}


def lease_end(project: Project) -> datetime:
    """When a lease that starts now ends."""
    return timezone.now() + timedelta(minutes=project.lease_minutes)


def eligible_work(person: User, project: Project, stage: Stage) -> QuerySet[Work]:
    """Unclaimed or expired work of `stage` that this person may claim. The only place that decides it."""
    waiting = Q(status=WAITING_STATUS[stage]) | Q(status=Status.HELD, lease_until__lt=timezone.now())
    conflicting = Assignment.objects.filter(person=person, stage__in=_CONFLICTS[stage]).values("sample")
    skipped = Skip.objects.filter(person=person, stage=stage).values("sample")
    with_role = people_in(project.team, ROLE_OF_STAGE[stage]).values("pk")
    # Work reserved for somebody who no longer has the role is free again.
    is_for_person = Q(reserved_for=None) | Q(reserved_for=person) | ~Q(reserved_for__in=with_role)
    rows = (
        Work.objects.filter(
            waiting,
            is_for_person,
            stage=stage,
            sample__project=project,
            sample__project__archived_at=None,
            sample__intake=Intake.READY,
        )
        .exclude(sample__in=conflicting)
        .exclude(sample__in=skipped)
        .exclude(seen_by(person, *OUTSIDE_WORK, sample="sample__"))
        .exclude(sample__pixel_hash__in=reserved_for(person))
    )
    if stage is not Stage.LABEL:
        # They have seen the image only, so they may still transcribe it.
        rows = rows.exclude(asked_about(person, sample="sample__"))
    if stage is Stage.VERIFY and project.verification_mode == VerificationMode.DOUBLE_BLIND:
        is_blind = ~seen_by(person, SeenContent.WORK, sample="sample__")
        return rows.filter(is_blind | ~_other_blind_reviewer(person, project))
    return rows


def _other_blind_reviewer(person: User, project: Project) -> Exists:
    """Whether another reviewer could be given this work to review blind.

    The rules of `eligible_work`, for the people of a sample instead of the samples of a person.
    """
    here, pixels = OuterRef(OuterRef("sample")), OuterRef(OuterRef("sample__pixel_hash"))
    of_person = {"person": OuterRef("pk"), "sample": here}
    reserved = Reservation.objects.filter(
        user=OuterRef("pk"), image_hash=pixels, content=ReservedContent.GOLD
    )
    is_barred = (
        Exists(Assignment.objects.filter(**of_person, stage__in=_CONFLICTS[Stage.VERIFY]))
        | Exists(Skip.objects.filter(**of_person, stage=Stage.VERIFY))
        | Exists(reserved)
        | is_seen_by_person(*ANY_CONTENT, sample="sample__")
        | is_seen_by_person(sample="sample__", role=Role.DOMAIN_EXPERT)
    )
    reviewers = people_in(project.team, ROLE_OF_STAGE[Stage.VERIFY]).exclude(pk=person.pk)
    return Exists(reviewers.filter(~is_barred))


def count_waiting_work(person: User, project: Project, stage: Stage) -> int:
    """How many samples this person could claim at `stage` now; 0 without the role."""
    if not has_role(person, project.team, ROLE_OF_STAGE[stage]):
        return 0
    return eligible_work(person, project, stage).count()


def held_assignment(person: User, project: Project, stage: Stage) -> Assignment | None:
    """The assignment the person holds at this stage, if any. An expired lease counts until somebody else claims it."""
    work = (
        Work.objects.filter(sample__project=project, stage=stage, status=Status.HELD, holder=person)
        .select_related("sample")
        .order_by("pk")
        .first()
    )
    if work is None:
        return None
    return Assignment.objects.filter(sample=work.sample, person=person, stage=stage, round=work.round).first()


def next_work_at(project: Project, stage: Stage) -> datetime | None:
    """When the first held sample of this stage becomes free."""
    rows = Work.objects.filter(sample__project=project, stage=stage, status=Status.HELD)
    earliest: datetime | None = rows.aggregate(at=Min("lease_until"))["at"]
    return earliest
