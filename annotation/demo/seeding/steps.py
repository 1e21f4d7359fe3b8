"""The steps that everybody in the demo repeats: claim a sample, submit a text."""

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
GroundTruth = Mapping[str, str]  # sample UUID (hex) -> the page's label, in the form of its structure


def claim_sample(project: Project, person: User, stage: Stage, structure: str = "text") -> Assignment:
    """The person's next assignment. Raises LookupError when nothing waits for them.

    For transcription the first page of `structure` is reserved for them, since a worker may be adding others meanwhile.
    """
    if stage == Stage.LABEL:
        rows = eligible_work(person, project, stage).filter(sample__structure=structure, reserved_for=None)
        first = rows.order_by("sample__number").values_list("pk", flat=True)[:1]
        Work.objects.filter(pk__in=first).update(reserved_for=person)
    assignment = claim_work(person=person, project=project, stage=stage)
    if assignment is None or assignment.sample.structure != structure:
        raise LookupError(f"no {structure} waits for {person} at {stage}")
    return assignment


def ground_truth_of(assignment: Assignment, truth: GroundTruth) -> str:
    return truth[assignment.sample.uuid.hex]


def submit_text(
    assignment: Assignment, text: str, masks: Sequence[dict[str, Any]] = (), mask_reason: str = ""
) -> None:
    """Submit. Before that an annotator logs evidence, and a second reviewer reaches the end of the text."""
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
