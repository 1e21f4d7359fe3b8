"""Claim the next sample of a queue (`selectors.work_queue` decides which are eligible).

Work reserved for the person (a returned sample) comes first, then a per-person order shuffled by the project's seed.
"""

from __future__ import annotations

import hashlib

from django.db import connection, transaction
from django.db.models import BigIntegerField, ExpressionWrapper, F, QuerySet, Value

from annotation.models import Assignment, Draft, Project, Work
from annotation.models.project import VerificationMode
from annotation.selectors.drafts import initial_draft
from annotation.selectors.seen_content import OUTSIDE_WORK, has_seen_content
from annotation.selectors.work_queue import (
    ACTOR_OF_STAGE,
    ROLE_OF_STAGE,
    eligible_work,
    held_assignment,
    lease_end,
)
from annotation.services.move_work import NotAllowed, Outcome, StaleWork, make_move
from annotation.stages import Actor, Stage, Status, Verb
from config.accounts.models import User
from config.accounts.services import hold_role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.transactions import locked, retries_conflicts

_PRIME = 2_147_483_647  # n -> (n * factor + shift) mod a prime is a permutation, cheap in any database


@retries_conflicts
def claim_work(*, person: User, project: Project, stage: Stage) -> Assignment | None:
    """The assignment the person holds at `stage`, or a new one for the next eligible sample; None when there is none.

    The move is a compare-and-set, so two people who ask at once never get the same sample: the loser tries again. One
    person who asks several times at once gets one sample: their role is locked meanwhile. Raises NotAllowed without
    the role.
    """
    with transaction.atomic():
        if stage not in ROLE_OF_STAGE or not hold_role(
            team=project.team, user=person, role=ROLE_OF_STAGE[stage]
        ):
            raise NotAllowed(f"no {stage} role")
        held = held_assignment(person, project, stage)
        if held is not None:
            return held
        while True:
            try:
                # A savepoint: a sample that is not taken is unlocked before another one is waited for.
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
        unlocked = rows.select_for_update(skip_locked=True, of=("self",), no_key=True)
        return _first_of(unlocked, person) or _wait_for(_first_of(rows, person), rows)
    return _first_of(rows, person)


def _wait_for(work: Work | None, rows: QuerySet[Work]) -> Work | None:
    """Wait for those who are claiming this sample at this moment, since they may fail. Raises StaleWork if it is gone.

    For this one only: who waits for several, each in their own order, may wait for somebody who waits for them.
    """
    if work is None:
        return None
    locked(Work.objects.filter(pk=work.pk)).get()
    if (still_free := rows.filter(pk=work.pk).first()) is None:
        raise StaleWork
    return still_free


def _first_of(rows: QuerySet[Work], person: User) -> Work | None:
    """The first row, where rows reserved for the person come before all others."""
    return rows.filter(reserved_for=person).first() or rows.first()


def _take(work: Work, person: User, project: Project, stage: Stage) -> Assignment:
    if has_seen_content(person, work.sample, *OUTSIDE_WORK):
        raise StaleWork  # they opened its labels while this waited for the row
    if work.status == Status.HELD:  # its lease ran out
        work = make_move(
            work=work,
            verb=Verb.RELEASE,
            actor=None,
            role=Actor.SYSTEM,
            outcome=Outcome(data={"because": "lease ran out"}),
        )
    work = make_move(
        work=work,
        verb=Verb.CLAIM,
        actor=person,
        role=ACTOR_OF_STAGE[stage],
        outcome=Outcome(holder=person, lease_until=lease_end(project), reserved_for=work.reserved_for),
    )
    mode = _mode_for(person, work, project, stage)
    assignment, created = Assignment.objects.get_or_create(
        sample=work.sample, person=person, stage=stage, round=work.round, defaults={"mode": mode}
    )
    if not created and is_blind(assignment) and mode == VerificationMode.VERIFY:
        # They gave it back and have read of the page since.
        assignment.mode = mode
        assignment.save(update_fields=["mode"])
    if created:
        opening = initial_draft(assignment)
        Draft.objects.create(assignment=assignment, text=opening.text, masks=opening.masks)
    record_exposure(
        user=person,
        image_hash=work.sample.pixel_hash,
        role=ROLE_OF_STAGE[stage],
        saw=SeenContent.IMAGE if is_blind(assignment) else SeenContent.WORK,
        place=f"work/{stage}",
    )
    return assignment


def _mode_for(person: User, work: Work, project: Project, stage: Stage) -> str:
    """Who knows what somebody wrote is asked to verify it: a second reading would not be independent."""
    is_known = stage == Stage.VERIFY and has_seen_content(person, work.sample, SeenContent.WORK)
    return VerificationMode.VERIFY if is_known else project.verification_mode


def is_blind(assignment: Assignment) -> bool:
    """True when the person is shown neither what others wrote nor what recognisers suggest."""
    return assignment.stage == Stage.VERIFY and assignment.mode == VerificationMode.DOUBLE_BLIND
