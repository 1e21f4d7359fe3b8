"""Save drafts and renew leases."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Draft
from annotation.services.renew_lease import renew_lease
from config.errors import ApplicationError
from config.transactions import retries_conflicts
from evaluation.payloads.masks import masks_as_json
from evaluation.payloads.registry import payload_for


class WrongImage(ApplicationError):
    """The text was typed for another image than the assignment's."""

    kind = "wrong_image"
    msgid = gettext_noop("This text was typed for another image. Nothing was saved.")


class NewerVersion(ApplicationError):
    """The draft was saved from elsewhere since; the person chooses between the two versions."""

    kind = "newer_version"
    msgid = gettext_noop(
        "The draft has been saved elsewhere in the meantime. Choose one of the two texts and save it."
    )

    def __init__(self, draft: Draft, sent_text: str) -> None:
        super().__init__()
        self.version, self.text, self.masks, self.saved_at = (
            draft.version,
            draft.text,
            draft.masks,
            draft.saved_at,
        )
        self.sent_text = sent_text

    def extra(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "stored_text": self.text,
            "stored_masks": self.masks,
            "sent_text": self.sent_text,
            "saved_at": self.saved_at,
        }


@dataclass(frozen=True, slots=True)
class SavedDraft:
    version: int
    saved_at: datetime


def check_image(*, assignment: Assignment, image_hash: str) -> None:
    """Raise WrongImage unless the hash is that of the image this assignment shows."""
    if image_hash != assignment.sample.pixel_hash:
        raise WrongImage


@retries_conflicts
def save_draft(
    *, assignment: Assignment, text: str, masks: object = None, base_version: int, image_hash: str
) -> SavedDraft:
    """Save `text` and `masks` as the draft based on `base_version`, and renew the lease.

    `masks` is a decoded JSON list; None keeps the stored ones. The version grows if and only if text or masks changed.
    Raises WrongImage, BadPayload, LeaseLost, AssignmentClosed, NewerVersion; nothing is saved then.
    """
    check_image(assignment=assignment, image_hash=image_hash)
    payload_for(assignment.sample.structure).validate_draft(text)
    mask_rows = None if masks is None else masks_as_json(masks)
    with transaction.atomic():
        renew_lease(assignment=assignment)
        draft = Draft.objects.get(assignment=assignment)
        mask_rows = draft.masks if mask_rows is None else mask_rows
        if draft.text == text and draft.masks == mask_rows:
            return SavedDraft(version=draft.version, saved_at=draft.saved_at)
        now = timezone.now()
        stored = Draft.objects.filter(pk=draft.pk, version=base_version).update(
            text=text, masks=mask_rows, version=F("version") + 1, saved_at=now
        )
        if not stored:
            draft.refresh_from_db()
            raise NewerVersion(draft, text)
    return SavedDraft(version=base_version + 1, saved_at=now)
