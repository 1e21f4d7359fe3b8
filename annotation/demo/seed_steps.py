"""The two steps that everybody in the demo repeats: take what the queue gives, hand in what was read."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import Assignment, Draft, Project, Work
from annotation.selectors.work_queue import eligible_work
from annotation.services.claim_work import claim_work
from annotation.services.record_evidence import record_evidence
from annotation.services.submit_label import mark_end_reached, submit_label
from annotation.stages import Stage
from config.accounts.models import User

People = Mapping[str, User]
Truth = Mapping[str, str]  # sample UUID (hex) -> what the page says, as its kind of label


def take(project: Project, person: User, stage: Stage, structure: str = "text") -> Assignment:
    """The person's next assignment. Raises LookupError when nothing waits for them.

    To transcribe, the first page of `structure` is kept for them: a worker may be reading others meanwhile.
    """
    if stage == Stage.LABEL:
        first = eligible_work(person, project, stage).filter(sample__structure=structure, reserved_for=None)
        Work.objects.filter(pk__in=first.order_by("sample__number").values_list("pk", flat=True)[:1]).update(
            reserved_for=person
        )
    assignment = claim_work(person=person, project=project, stage=stage)
    if assignment is None or assignment.sample.structure != structure:
        raise LookupError(f"no {structure} waits for {person} at {stage}")
    return assignment


def truth_of(assignment: Assignment, truth: Truth) -> str:
    return truth[assignment.sample.uuid.hex]


def hand_in(
    assignment: Assignment, text: str, masks: Sequence[dict[str, Any]] = (), mask_reason: str = ""
) -> None:
    """Submit, with what its stage asks for before: the evidence of the first person, the end reached of the second."""
    if assignment.stage == Stage.VERIFY:
        mark_end_reached(assignment=assignment)
    else:
        record_evidence(
            assignment=assignment,
            kind="suggestion",
            link="",
            note="Compared the three readings with the ink.",
        )
    submit_label(
        assignment=assignment,
        text=text,
        masks=list(masks),
        base_version=Draft.objects.get(assignment=assignment).version,
        image_hash=assignment.sample.pixel_hash,
        idempotency_key=secrets.token_hex(16),
        mask_reason=mask_reason,
    )
