"""Return, release, skip, withdraw, restore or reopen work."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.models import Assignment, Dispute, Sample, Skip, Work
from annotation.selectors.work_queue import ACTOR_OF_STAGE
from annotation.services.move_work import Outcome, make_move
from annotation.services.renew_lease import renew_lease
from annotation.services.resolve_dispute import escalate_dispute
from annotation.stages import Actor, IllegalMove, Stage, Verb
from config.accounts.models import User
from config.transactions import retries_conflicts


@retries_conflicts
def release_assignment(*, assignment: Assignment) -> None:
    """Release the sample to the queue unfinished. The draft is kept. Raises LeaseLost, AssignmentClosed."""
    with transaction.atomic():
        renew_lease(assignment=assignment)
        work = Work.objects.get(sample=assignment.sample)
        make_move(
            work=work,
            verb=Verb.RELEASE,
            actor=assignment.person,
            role=ACTOR_OF_STAGE[Stage(assignment.stage)],
            outcome=Outcome(
                reserved_for=work.reserved_for if work.reserved_for_id != assignment.person_id else None
            ),
        )


@retries_conflicts
def skip_sample(*, assignment: Assignment, reason: str = "") -> None:
    """Release the sample and remove it from this person's own queue. Raises LeaseLost, AssignmentClosed."""
    with transaction.atomic():
        release_assignment(assignment=assignment)
        Skip.objects.get_or_create(
            sample=assignment.sample,
            person=assignment.person,
            stage=assignment.stage,
            defaults={"reason": reason[:300]},
        )


@retries_conflicts
def return_to_annotator(*, assignment: Assignment, reason: str) -> None:
    """Return the sample to its primary annotator, who sees the reason and their own text.

    Raises LeaseLost, AssignmentClosed, ReasonMissing.
    """
    with transaction.atomic():
        renew_lease(assignment=assignment)
        work = Work.objects.get(sample=assignment.sample)
        make_move(
            work=work,
            verb=Verb.RETURN,
            actor=assignment.person,
            role=Actor.REVIEWER,
            reason=reason,
            outcome=_back_to_primary(work),
        )
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())


@retries_conflicts
def move_work_as_manager(*, sample: Sample, verb: Verb, manager: User, reason: str = "") -> Work:
    """Return, reopen, withdraw, restore, release or escalate a sample as a manager.

    A move that restarts labelling begins a new round, reserved for the annotator of the last one. Raises IllegalMove,
    ReasonMissing, StaleWork.
    """
    if verb is Verb.ESCALATE:
        dispute = Dispute.objects.filter(sample=sample, closed_at=None).first()
        if dispute is None:
            raise IllegalMove("there is no discussion to escalate")
        escalate_dispute(actor=manager, role=Actor.MANAGER, dispute=dispute, reason=reason)
        return Work.objects.get(sample=sample)
    with transaction.atomic():
        work = Work.objects.get(sample=sample)
        restarts = verb in (Verb.RETURN, Verb.REOPEN, Verb.RESTORE)
        outcome = _back_to_primary(work) if restarts else Outcome()
        moved = make_move(
            work=work, verb=verb, actor=manager, role=Actor.MANAGER, reason=reason, outcome=outcome
        )
        if restarts or verb is Verb.WITHDRAW:
            Dispute.objects.filter(sample=sample, closed_at=None).update(closed_at=timezone.now())
    return moved


def _back_to_primary(work: Work) -> Outcome:
    """A new round, reserved for the last annotator who submitted, if there was one."""
    last = (
        Assignment.objects.filter(sample=work.sample_id, stage=Stage.LABEL)
        .exclude(submitted_at=None)
        .select_related("person")
        .order_by("-round", "-pk")
        .first()
    )
    return Outcome(new_round=True, reserved_for=last.person if last else None)
