"""Submit a transcription: the primary's, or the second reviewer's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Draft, Label, Work
from annotation.models.project import VerificationMode
from annotation.selectors.seen_content import ANY_CONTENT, OUTSIDE_WORK, has_seen_content
from annotation.services.compare_labels import conclude_review
from annotation.services.import_gold import escalate_imported_dispute
from annotation.services.move_work import NotAllowed, Outcome, make_move
from annotation.services.renew_lease import AssignmentClosed, renew_lease
from annotation.services.save_draft import NewerVersion, check_image
from annotation.stages import Actor, Stage, Verb
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.models import SeenContent
from config.transactions import locked, retries_conflicts
from evaluation.payloads.mask_mark import has_mask
from evaluation.payloads.masks import masks_as_json, validate_masks
from evaluation.payloads.registry import payload_for
from evaluation.payloads.text import validate_text


class NoLongerBlind(ApplicationError):
    """The second reviewer has opened labels of this image since claiming it; somebody else must review it."""

    kind = "not_blind"
    msgid = gettext_noop(
        "You have seen what others wrote for this image, so someone else will review it. Release the sample."
    )


class MaskWithoutMark(ApplicationError):
    """There is a mask without a mark in the text, and no reason was given."""

    status, kind, field = 422, "mask_without_mark", "mask_reason"
    msgid = gettext_noop(
        "The image has a mask, but the text has no ⟦masked⟧ mark. Put the mark where the "
        "masked writing is, or give a reason."
    )


class MarkWithoutMask(ApplicationError):
    """The text has the mark of a mask and there is no mask, and no reason was given."""

    status, kind, field = 422, "mark_without_mask", "mask_reason"
    msgid = gettext_noop(
        "The text has a ⟦masked⟧ mark, but nothing is masked in the image. Mask that place, or give a reason."
    )


class EndNotReached(ApplicationError):
    """A second reviewer must scroll to the end of the transcription before accepting it."""

    status, kind = 422, "end_not_reached"
    msgid = gettext_noop("Read the transcription to the end first.")


@retries_conflicts
def submit_label(
    *,
    assignment: Assignment,
    text: str,
    masks: object = None,
    base_version: int,
    image_hash: str,
    idempotency_key: str,
    mask_reason: str = "",
) -> Label:
    """Store `text` and `masks` (None: those of the draft) as this assignment's label and move the sample on, once.

    Masks must have a mark in the text, and marks a mask. Where they do not match on purpose (a stain beside the
    writing, an image that was masked before import) `mask_reason` gives the explanation for the sample's history.

    The same `idempotency_key` again returns the first label and changes nothing, so that a double click or a repeated
    request is one submission. Raises WrongImage, BadPayload, NewerVersion (the draft was saved from elsewhere),
    LeaseLost, AssignmentClosed (submitted under another key), NoLongerBlind, EndNotReached, MaskWithoutMark,
    MarkWithoutMask, Archived, NotAllowed.
    """
    check_image(assignment=assignment, image_hash=image_hash)
    width, height = assignment.sample.full_width, assignment.sample.full_height
    payload = payload_for(assignment.sample.structure)
    payload.validate(text, width, height)
    canonical = payload.canonical(text)
    validate_text(mask_reason)
    with transaction.atomic():
        locked(Work.objects.filter(sample=assignment.sample_id)).get()
        assignment = locked(Assignment.objects.select_related("sample__project")).get(pk=assignment.pk)
        first = Label.objects.filter(assignment=assignment, idempotency_key=idempotency_key).first()
        if first is not None:
            return first
        if assignment.submitted_at is not None:
            raise AssignmentClosed
        if assignment.stage not in (Stage.LABEL, Stage.VERIFY):
            raise NotAllowed("only transcriptions are submitted here")
        renew_lease(assignment=assignment)
        if assignment.stage == Stage.VERIFY and has_seen_content(
            assignment.person, assignment.sample, *_bars_from(assignment)
        ):
            raise NoLongerBlind
        mask_rows = _check_draft(assignment, text, masks, base_version)
        validate_masks(mask_rows, width, height)
        if _must_reach_end(assignment) and assignment.reached_end_at is None:
            raise EndNotReached
        reason = _reason_unmatched(canonical, mask_rows, mask_reason)
        label = Label.objects.create(
            sample=assignment.sample,
            assignment=assignment,
            stage=assignment.stage,
            round=assignment.round,
            text=canonical,
            masks=mask_rows,
            parent=_parent(assignment),
            guideline=assignment.sample.project.guidelines.first(),
            idempotency_key=idempotency_key,
            image_hash=image_hash,
        )
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
        work = Work.objects.select_related("sample__project").get(sample=assignment.sample)
        if assignment.stage == Stage.LABEL:
            make_move(
                work=work,
                verb=Verb.SUBMIT,
                actor=assignment.person,
                role=Actor.ANNOTATOR,
                reason=reason,
                outcome=Outcome(reserved_for=_former_reviewer(assignment)),
            )
        else:
            conclude_review(work=work, second=label, reason=reason)
            escalate_imported_dispute(sample=assignment.sample, reviewer=assignment.person)
    return label


def _reason_unmatched(text: str, masks: Sequence[dict[str, Any]], reason: str) -> str:
    """The reason, if masks and marks do not match; otherwise an empty string."""
    if has_mask(text) == bool(masks):
        return ""
    if not reason.strip():
        raise MaskWithoutMark if masks else MarkWithoutMask
    return reason.strip()


def _bars_from(assignment: Assignment) -> tuple[SeenContent, ...]:
    return ANY_CONTENT if assignment.mode == VerificationMode.DOUBLE_BLIND else OUTSIDE_WORK


def _must_reach_end(assignment: Assignment) -> bool:
    return assignment.stage == Stage.VERIFY and assignment.mode == VerificationMode.VERIFY


def _check_draft(assignment: Assignment, text: str, masks: object, base_version: int) -> list[dict[str, Any]]:
    """Save what the request brings, unless another tab has saved something else (NewerVersion). Returns the masks."""
    draft = Draft.objects.get(assignment=assignment)
    mask_rows = draft.masks if masks is None else masks_as_json(masks)
    if draft.version != base_version and (draft.text != text or draft.masks != mask_rows):
        raise NewerVersion(draft, text)
    Draft.objects.filter(pk=draft.pk).update(text=text, masks=mask_rows)
    return list(mask_rows)


def _parent(assignment: Assignment) -> Label | None:
    if assignment.stage == Stage.VERIFY:
        return Label.objects.get(sample=assignment.sample, stage=Stage.LABEL, round=assignment.round)
    return Label.objects.filter(sample=assignment.sample).order_by("-pk").first()


def _former_reviewer(assignment: Assignment) -> User | None:
    """The last round's reviewer, unless they are to review blind what they have discussed."""
    former = (
        Assignment.objects.filter(sample=assignment.sample, stage=Stage.VERIFY, round=assignment.round - 1)
        .select_related("person")
        .order_by("-pk")
        .first()
    )
    if former is None:
        return None
    must_be_blind = assignment.sample.project.verification_mode == VerificationMode.DOUBLE_BLIND
    is_barred = must_be_blind and has_seen_content(former.person, assignment.sample, SeenContent.WORK)
    return None if is_barred else former.person


def mark_end_reached(*, assignment: Assignment) -> None:
    """Record the first time that the second reviewer scrolled past the last line."""
    Assignment.objects.filter(pk=assignment.pk, reached_end_at=None).update(reached_end_at=timezone.now())
