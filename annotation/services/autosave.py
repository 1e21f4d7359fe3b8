"""Keep what is being typed: drafts, leases and heartbeats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Assignment, Draft, Work
from annotation.services.claim import lease_end
from annotation.stages import Status
from evaluation.payloads.text import validate_text


class LeaseLost(Exception):
    """The sample is no longer in this person's hands; what was typed must be kept on the device."""


class Closed(Exception):
    """This seat has handed in, or its work has moved on for good."""


class WrongImage(Exception):
    """The text was typed for another picture than this seat's."""


@dataclass(frozen=True, slots=True)
class NewerVersion(Exception):
    """The draft was saved from elsewhere since; both texts are kept, the person chooses."""

    version: int
    text: str
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class Saved:
    version: int
    saved_at: datetime


def check_image(seat: Assignment, image_hash: str) -> None:
    """Raise WrongImage unless the hash is that of the picture this seat shows."""
    if image_hash != seat.sample.pixel_hash:
        raise WrongImage


def renew_lease(seat: Assignment) -> datetime:
    """Hold the sample for another lease. Raises LeaseLost or Closed.

    A lease that ran out is renewed as long as nobody else has taken the sample: typing on is never punished.
    """
    until = lease_end(seat.sample.project)
    renewed = Work.objects.filter(
        sample=seat.sample, stage=seat.stage, round=seat.round, status=Status.HELD, holder=seat.person
    ).update(lease_until=until)
    if renewed:
        return until
    if seat.submitted_at is not None or _is_past(seat):
        raise Closed
    raise LeaseLost


def check_open(seat: Assignment) -> None:
    """Raise Closed for a seat whose work was handed in or has moved on: nothing beside its text changes any more.

    Within a transaction; the seat's row stays locked, so that a submission waits for what is written beside it.
    """
    locked = Assignment.objects.select_for_update().get(pk=seat.pk)
    if locked.submitted_at is not None or _is_past(locked):
        raise Closed


def _is_past(seat: Assignment) -> bool:
    work = Work.objects.get(sample=seat.sample)
    return work.round != seat.round or work.stage != seat.stage


def save_draft(*, seat: Assignment, text: str, base_version: int, image_hash: str) -> Saved:
    """Store `text` as the draft based on `base_version` and renew the lease.

    The version grows if and only if the text changed. Raises WrongImage, BadText, LeaseLost, Closed, NewerVersion;
    nothing is stored then.
    """
    check_image(seat, image_hash)
    validate_text(text)
    with transaction.atomic():
        renew_lease(seat)
        draft = Draft.objects.get(assignment=seat)
        if draft.text == text:
            return Saved(version=draft.version, saved_at=draft.saved_at)
        now = timezone.now()
        stored = Draft.objects.filter(pk=draft.pk, version=base_version).update(
            text=text, version=F("version") + 1, saved_at=now
        )
        if not stored:
            draft.refresh_from_db()
            raise NewerVersion(version=draft.version, text=draft.text, saved_at=draft.saved_at)
    return Saved(version=base_version + 1, saved_at=now)
