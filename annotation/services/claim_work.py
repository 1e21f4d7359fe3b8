"""The queues: who gets which sample next.

One queue a stage. Eligible for LABEL: annotators without an assignment at another stage of the sample. For VERIFY: second
reviewers without a LABEL assignment in any round. For ADJUDICATE: adjudicators with no assignment before it. Nobody who saw
label content or gold of the image elsewhere or is still to read it in a baseline, and no second review or
adjudication by who was asked about it as an expert. Order: what is reserved for the person (returned work) first, then
an order shuffled per person by the project's seed.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import BigIntegerField, ExpressionWrapper, F, Min, Q, QuerySet, Value
from django.utils import timezone

from annotation.models import Assignment, Draft, Project, Skip, Work
from annotation.services.initial_draft import initial_draft
from annotation.services.move_work import NotAllowed, Outcome, StaleWork, make_move
from annotation.stages import Actor, Intake, Stage, Status, Verb
from config.accounts.models import Role, User
from config.accounts.selectors import has_role, people_in
from config.exposure.models import Exposure
from config.exposure.reservations import reserved_for
from config.exposure.services import SeenContent, exposures_of, has_seen, record_exposure

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
_PRIME = 2_147_483_647  # n -> (n * factor + shift) mod a prime is a permutation, cheap in any database


def lease_end(project: Project) -> datetime:
    return timezone.now() + timedelta(minutes=project.lease_minutes)


def eligible_work(person: User, project: Project, stage: Stage) -> QuerySet[Work]:
    """Unclaimed or expired work of `stage` that this person may take. One home of the blindness rule."""
    waiting = Q(status=WAITING_STATUS[stage]) | Q(status=Status.HELD, lease_until__lt=timezone.now())
    conflicting = Assignment.objects.filter(person=person, stage__in=_CONFLICTS[stage]).values("sample")
    skipped = Skip.objects.filter(person=person, stage=stage).values("sample")
    seen = exposures_of(person, SeenContent.LABEL, SeenContent.GOLD).values("image_hash")
    able = people_in(project.team, ROLE_OF_STAGE[stage]).values("pk")
    # Work reserved for somebody who has left the role is free again.
    mine_to_take = Q(reserved_for=None) | Q(reserved_for=person) | ~Q(reserved_for__in=able)
    return (
        Work.objects.filter(
            waiting,
            mine_to_take,
            stage=stage,
            sample__project=project,
            sample__project__archived_at=None,
            sample__intake=Intake.READY,
        )
        .exclude(sample__in=conflicting)
        .exclude(sample__in=skipped)
        .exclude(sample__pixel_hash__in=seen)
        .exclude(sample__pixel_hash__in=reserved_for(person))
        .exclude(sample__pixel_hash__in=_asked_about(person, stage))
    )


def _asked_about(person: User, stage: Stage) -> QuerySet[Exposure, str]:
    """Images about which this person was asked as a domain expert: a question tells what its author was unsure of,
    so its sample is not theirs to review or to adjudicate. Transcribing stays open: they saw the image only."""
    rows = exposures_of(person).filter(role=Role.DOMAIN_EXPERT)
    return (rows.none() if stage is Stage.LABEL else rows).values_list("image_hash", flat=True)


def count_waiting(person: User, project: Project, stage: Stage) -> int:
    """How many samples this person could take at `stage` now; 0 without the role."""
    if not has_role(person, project.team, ROLE_OF_STAGE[stage]):
        return 0
    return eligible_work(person, project, stage).count()


def held_assignment(person: User, project: Project, stage: Stage) -> Assignment | None:
    """What the person already has in hand at this stage, if anything (an expired lease nobody took counts)."""
    work = (
        Work.objects.filter(sample__project=project, stage=stage, status=Status.HELD, holder=person)
        .select_related("sample")
        .order_by("pk")
        .first()
    )
    if work is None:
        return None
    return Assignment.objects.filter(sample=work.sample, person=person, stage=stage, round=work.round).first()


def next_free_at(project: Project, stage: Stage) -> datetime | None:
    """When the earliest held sample of this stage falls free, for the message of an empty queue."""
    held = Work.objects.filter(sample__project=project, stage=stage, status=Status.HELD)
    earliest: datetime | None = held.aggregate(at=Min("lease_until"))["at"]
    return earliest


def claim_next(*, person: User, project: Project, stage: Stage) -> Assignment | None:
    """Give the person their next sample at `stage`: the one in hand, or the next eligible one. None: nothing left.

    Raises NotAllowed without the role. Two people asking at once never get the same sample: the move is a
    compare-and-set, and the loser looks again.
    """
    if stage not in ROLE_OF_STAGE or not has_role(person, project.team, ROLE_OF_STAGE[stage]):
        raise NotAllowed(f"no {stage} role")
    held = held_assignment(person, project, stage)
    if held is not None:
        return held
    while True:
        try:
            with transaction.atomic():
                work = _pick(person, project, stage)
                return None if work is None else _take(work, person, project, stage)
        except StaleWork:
            continue


def _pick(person: User, project: Project, stage: Stage) -> Work | None:
    digest = hashlib.sha256(f"{project.pk}/{project.queue_seed}/{person.pk}/{stage}".encode()).digest()
    factor = int.from_bytes(digest[:8], "big") % (_PRIME - 1) + 1
    shift = int.from_bytes(digest[8:12], "big")
    shuffled = ExpressionWrapper(
        (F("sample_id") * Value(factor) + Value(shift)) % Value(_PRIME), output_field=BigIntegerField()
    )
    rows = eligible_work(person, project, stage).annotate(shuffled=shuffled).order_by("shuffled")
    if connection.features.has_select_for_update_skip_locked:
        free = _first_of(rows.select_for_update(skip_locked=True, of=("self",)), person)
        # Nothing: but what others are taking in this moment counts only once they have it, so wait for them.
        return free or _first_of(rows.select_for_update(of=("self",)), person)
    return _first_of(rows, person)


def _first_of(rows: QuerySet[Work], person: User) -> Work | None:
    """The first of these rows in their order; what is reserved for the person comes before all others."""
    return rows.filter(reserved_for=person).first() or rows.first()


def _take(work: Work, person: User, project: Project, stage: Stage) -> Assignment:
    if has_seen(person, work.sample.pixel_hash, SeenContent.LABEL, SeenContent.GOLD):
        raise StaleWork  # opened while this waited for the row: eligibility was read before
    if work.status == Status.HELD:  # expired: put it back in the system's name first
        work = make_move(
            work,
            Verb.RELEASE,
            actor=None,
            role=Actor.SYSTEM,
            outcome=Outcome(data={"because": "lease ran out"}),
        )
    work = make_move(
        work,
        Verb.CLAIM,
        actor=person,
        role=ACTOR_OF_STAGE[stage],
        outcome=Outcome(holder=person, lease_until=lease_end(project), reserved_for=work.reserved_for),
    )
    assignment, created = Assignment.objects.get_or_create(
        sample=work.sample,
        person=person,
        stage=stage,
        round=work.round,
        defaults={"mode": project.verification_mode},
    )
    if created:
        opening = initial_draft(assignment)
        Draft.objects.create(assignment=assignment, text=opening.text, masks=opening.masks)
    record_exposure(
        user=person,
        image_hash=work.sample.pixel_hash,
        role=ROLE_OF_STAGE[stage],
        saw=SeenContent.IMAGE,
        place=f"work/{stage}",
    )
    return assignment
