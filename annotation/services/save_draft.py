"""Keep what is being typed: drafts, leases and heartbeats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Assignment, Draft, Work
from annotation.selectors.work_queue import lease_end
from annotation.stages import Status
from evaluation.payloads.masks import masks_as_json
from evaluation.payloads.registry import payload_for


class LeaseLost(Exception):
    """The sample is no longer in this person's hands; what was typed must be kept on the device."""


class AssignmentClosed(Exception):
    """This assignment has handed in, or its work has moved on for good."""


class WrongImage(Exception):
    """The text was typed for another image than this assignment's."""


@dataclass(frozen=True, slots=True)
class NewerVersion(Exception):
    """The draft was saved from elsewhere since; both versions are kept, the person chooses."""

    version: int
    text: str
    masks: list[dict[str, Any]]
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class SavedDraft:
    version: int
    saved_at: datetime


def check_image(*, assignment: Assignment, image_hash: str) -> None:
    """Raise WrongImage unless the hash is that of the image this assignment shows."""
    if image_hash != assignment.sample.pixel_hash:
        raise WrongImage


def renew_lease(*, assignment: Assignment) -> datetime:
    """Hold the sample for another lease. Raises LeaseLost or AssignmentClosed.

    A lease that ran out is renewed as long as nobody else has taken the sample: typing on is never punished.
    """
    until = lease_end(assignment.sample.project)
    renewed = Work.objects.filter(
        sample=assignment.sample,
        stage=assignment.stage,
        round=assignment.round,
        status=Status.HELD,
        holder=assignment.person,
    ).update(lease_until=until)
    if renewed:
        return until
    if assignment.submitted_at is not None or _is_past(assignment):
        raise AssignmentClosed
    raise LeaseLost


def check_open(*, assignment: Assignment) -> None:
    """Raise AssignmentClosed for an assignment whose work was handed in or has moved on: nothing beside its text changes any more.

    Within a transaction; the assignment's row stays locked, so that a submission waits for what is written beside it.
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if locked.submitted_at is not None or _is_past(locked):
        raise AssignmentClosed


def _is_past(assignment: Assignment) -> bool:
    work = Work.objects.get(sample=assignment.sample)
    return work.round != assignment.round or work.stage != assignment.stage


def newer_version(draft: Draft) -> NewerVersion:
    """What to tell somebody whose version is not the stored one."""
    return NewerVersion(version=draft.version, text=draft.text, masks=draft.masks, saved_at=draft.saved_at)


def save_draft(
    *, assignment: Assignment, text: str, masks: object = None, base_version: int, image_hash: str
) -> SavedDraft:
    """Store `text` and `masks` as the draft based on `base_version` and renew the lease.

    `masks` is a decoded JSON list; None leaves them as they are. The version grows if and only if one of the two
    changed. Raises WrongImage, BadPayload, LeaseLost, AssignmentClosed, NewerVersion; nothing is stored then.
    """
    check_image(assignment=assignment, image_hash=image_hash)
    payload_for(assignment.sample.structure).validate_draft(text)
    covers = None if masks is None else masks_as_json(masks)
    with transaction.atomic():
        renew_lease(assignment=assignment)
        draft = Draft.objects.get(assignment=assignment)
        covers = draft.masks if covers is None else covers
        if draft.text == text and draft.masks == covers:
            return SavedDraft(version=draft.version, saved_at=draft.saved_at)
        now = timezone.now()
        stored = Draft.objects.filter(pk=draft.pk, version=base_version).update(
            text=text, masks=covers, version=F("version") + 1, saved_at=now
        )
        if not stored:
            draft.refresh_from_db()
            raise newer_version(draft)
    return SavedDraft(version=base_version + 1, saved_at=now)
