"""The only reader of label content for people: an assignment in, a worksheet out.

Every function takes an `Assignment` that `assignment_for` has bound to the person who asks, so there is no id to
change and nothing to forget.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext_noop

from annotation.field_geometry import Areas, areas_of, best_box, box_around
from annotation.models import (
    Assignment,
    Dispute,
    Draft,
    Event,
    Field,
    Label,
    Sample,
    Suggestion,
    SuggestionRequest,
    Work,
)
from annotation.models.label import DiscussionRole
from annotation.models.project import VerificationMode
from annotation.services.claim_work import ROLE_OF_STAGE
from annotation.services.initial_draft import primary_label
from annotation.services.resolve_dispute import discussion_role_of
from annotation.stages import Intake, Stage, Status, Verb
from annotation.worksheets import (
    AssignmentState,
    Box,
    ConsensusSheet,
    FieldSheet,
    LabelSheet,
    MaskSheet,
    OwnEvidence,
    OwnNote,
    OwnQuestion,
    Page,
    SpokenMessage,
    SuggestedLine,
    SuggestionSheet,
    VerifySheet,
)
from config.accounts.models import User
from config.accounts.selectors import has_role
from config.error_messages import render_message
from config.errors import ApplicationError
from config.exposure.reservations import deny_reserved_readers
from config.exposure.services import SeenContent, record_exposure
from config.signed_images import image_token
from evaluation.payloads.fields import FieldKind
from evaluation.payloads.masks import read_masks


class HeldByBlindReviewer(ApplicationError):
    """The manager is at work on the sample as a blind reviewer; its labels stay shut until that is over."""

    kind = "blind"
    msgid = gettext_noop("You are working on this sample blind. Submit or release it first.")


def assignment_for(person: User, enrolment_uuid: uuid.UUID, *stages: Stage) -> Assignment:
    """The person's own assignment.

    Raises Http404 for anybody else's, for another stage, for a role since lost, and while the page is being screened.
    """
    assignment = (
        Assignment.objects.select_related("sample__project__team", "person")
        .filter(uuid=enrolment_uuid, person=person)
        .first()
    )
    if assignment is None or (stages and Stage(assignment.stage) not in stages):
        raise Http404
    if assignment.sample.intake == Intake.SCREENING:  # nobody sees the page before it is screened (again)
        raise Http404
    if not has_role(person, assignment.sample.project.team, ROLE_OF_STAGE[Stage(assignment.stage)]):
        raise Http404
    return assignment


def page_of(assignment: Assignment) -> Page:
    """The image and import facts of an assignment's sample."""
    sample = assignment.sample
    guideline = sample.project.guidelines.first()
    return Page(
        number=sample.number,
        structure=sample.structure,
        language=sample.language,
        scenario=sample.scenario,
        image=image_token(person=assignment.person, blob=sample.full_blob, team=sample.project.team),
        image_hash=sample.pixel_hash,
        width=sample.full_width,
        height=sample.full_height,
        transcript="" if sample.is_evidence_withheld else sample.transcript,
        source_url="" if sample.is_evidence_withheld else sample.source_url,
        licence=sample.licence,
        discussion_links=() if sample.is_evidence_withheld else tuple(sample.discussion_links),
        guideline_number=guideline.number if guideline else 0,
        guideline_text=guideline.text if guideline else "",
    )


def assignment_state_of(assignment: Assignment) -> AssignmentState:
    """The person's own draft, lease, notes and evidence at this assignment."""
    project = assignment.sample.project
    draft = Draft.objects.filter(assignment=assignment).first()
    work = Work.objects.get(sample=assignment.sample)
    mine = (
        work.holder_id == assignment.person_id
        and work.stage == assignment.stage
        and work.round == assignment.round
    )
    return AssignmentState(
        assignment=str(assignment.uuid),
        project_slug=project.slug,
        project_name=project.name,
        text=draft.text if draft else "",
        masks=mask_sheets(draft.masks if draft else []),
        version=draft.version if draft else 0,
        saved_at=draft.saved_at if draft else assignment.opened_at,
        lease_until=work.lease_until if mine else None,
        is_closed=not mine or work.status != Status.HELD,
        notes=tuple(OwnNote(n.pk, n.text, n.at) for n in assignment.notes.order_by("pk")),
        evidence=tuple(
            OwnEvidence(e.pk, e.get_kind_display(), e.link, e.note, e.at, e.kind, e.question_id is not None)
            for e in assignment.evidence.order_by("pk")
        ),
        questions=tuple(
            OwnQuestion(q.pk, q.text, tuple(q.box), q.asked_at, q.answer, q.answered_at)
            for q in assignment.questions.filter(withdrawn_at=None).order_by("pk")
        ),
    )


def label_sheet(assignment: Assignment) -> LabelSheet:
    """What the primary annotator sees."""
    back = (
        Event.objects.filter(sample=assignment.sample, verb__in=[Verb.RETURN, Verb.REOPEN, Verb.RESTORE])
        .order_by("-pk")
        .first()
    )
    return LabelSheet(
        page=page_of(assignment),
        desk=assignment_state_of(assignment),
        suggestions=suggestions_of(assignment.sample, is_masked=bool(draft_masks(assignment))),
        returned_because=back.reason if back and assignment.round > 1 else "",
    )


def verify_sheet(assignment: Assignment) -> VerifySheet:
    """What the second reviewer sees: the transcription and masks in mode verify, nothing of it in double-blind."""
    primary = primary_label(assignment) if assignment.mode == VerificationMode.VERIFY else None
    return VerifySheet(
        page=page_of(assignment),
        desk=assignment_state_of(assignment),
        mode=assignment.mode,
        primary_text=primary.text if primary else None,
        primary_masks=mask_sheets(primary.masks) if primary else None,
        is_end_reached=assignment.reached_end_at is not None,
    )


def mask_sheets(masks: list[dict[str, Any]]) -> tuple[MaskSheet, ...]:
    """Stored masks as a worksheet shows them."""
    return tuple(
        MaskSheet(mask.id, mask.shape, mask.points, mask.width, mask.reason) for mask in read_masks(masks)
    )


def draft_masks(assignment: Assignment) -> list[dict[str, Any]]:
    """The masks in the assignment's own draft."""
    return list(Draft.objects.filter(assignment=assignment).values_list("masks", flat=True).first() or [])


def suggestions_of(sample: Sample, *, is_masked: bool) -> tuple[SuggestionSheet, ...]:
    """The newest answer of each recogniser in force; a failure as a failure, a pending one as waiting.

    Recognisers get the released image without masks, so with `is_masked` each has seen more than is left to see.
    """
    sheets = []
    requests = (
        SuggestionRequest.objects.filter(sample=sample, recogniser__retired_at=None)
        .select_related("recogniser")
        .order_by("recogniser__slot")
    )
    for request in requests:
        answer = request.answers.order_by("-pk").first()
        sheets.append(_suggestion_sheet(request, answer, sample, is_masked=is_masked))
    return tuple(sheets)


def _suggestion_sheet(
    request: SuggestionRequest, answer: Suggestion | None, sample: Sample, *, is_masked: bool
) -> SuggestionSheet:
    return SuggestionSheet(
        id=answer.pk if answer else 0,
        letter="ABC"[request.recogniser.slot - 1],
        label=request.recogniser.label,
        text=answer.text if answer else "",
        lines=tuple(
            SuggestedLine(
                text=line["text"],
                box=_box_in_image(line.get("box"), sample),
                confidence=line.get("confidence"),
            )
            for line in (answer.lines if answer else [])
        ),
        failure=answer.failure if answer else "",
        message=render_message(answer.message_parts, answer.message) if answer else "",
        is_waiting=answer is None or not request.is_over,
        has_seen_more=is_masked and answer is not None and answer.image_hash == sample.released_blob,
        left_out=answer.provenance.get("left_out", 0) if answer else 0,
    )


def _box_in_image(box: list[float] | None, sample: Sample) -> Box | None:
    """A box of the released image (left, top, right, bottom) in the image that annotators see."""
    if not box:
        return None
    across, down = sample.full_width / sample.released_width, sample.full_height / sample.released_height
    left, top = round(box[0] * across), round(box[1] * down)
    return (left, top, round(box[2] * across) - left, round(box[3] * down) - top)


def dispute_for(assignment: Assignment) -> Dispute:
    """The dispute this assignment belongs to. Raises Http404 while there is none, or for an assignment outside it."""
    dispute = (
        Dispute.objects.filter(sample=assignment.sample, round=assignment.round)
        .select_related("primary", "second")
        .first()
    )
    if dispute is None:
        raise Http404
    who = discussion_role_of(assignment)
    if who is DiscussionRole.PRIMARY and dispute.primary.assignment_id != assignment.pk:
        raise Http404
    if who is DiscussionRole.SECOND and dispute.second.assignment_id != assignment.pk:
        raise Http404
    return dispute


def consensus_sheet(assignment: Assignment) -> ConsensusSheet:
    """Both frozen versions and the discussion, as one of the three assignments sees them."""
    dispute = dispute_for(assignment)
    work = Work.objects.get(sample=assignment.sample)
    who = discussion_role_of(assignment)
    in_discussion = work.stage == Stage.ADJUDICATE and dispute.closed_at is None
    holds = work.status == Status.HELD and work.holder_id == assignment.person_id
    fields = list(dispute.fields.prefetch_related("signatures", "messages").order_by("position"))
    regions = {field.key: field for field in fields if field.kind == FieldKind.REGION}
    lines = [line for sheet in suggestions_of(assignment.sample, is_masked=False) for line in sheet.lines]
    return ConsensusSheet(
        page=page_of(assignment),
        desk=assignment_state_of(assignment),
        discussion_role=who,
        is_open=in_discussion
        and (holds if who is DiscussionRole.ADJUDICATOR else work.status == Status.OPEN),
        is_escalated=dispute.escalated_at is not None,
        escalation_reason=dispute.escalation_reason,
        is_over=dispute.closed_at is not None,
        fields=tuple(_field_sheet(field, who, areas_of(field, regions), lines) for field in fields),
        disclosed=tuple(
            SpokenMessage(d.discussion_role, d.discussion_role == who, d.text, d.at)
            for d in dispute.disclosures.order_by("pk")
        ),
        disclosable=_disclosable(assignment),
    )


def _disclosable(assignment: Assignment) -> tuple[str, ...]:
    notes = [note.text for note in assignment.notes.order_by("pk")]
    entries = [
        " · ".join(part for part in (str(e.get_kind_display()), e.link, e.note) if part)
        for e in assignment.evidence.order_by("pk")
    ]
    return tuple(notes + entries)


def _field_sheet(field: Field, who: DiscussionRole, areas: Areas, lines: list[SuggestedLine]) -> FieldSheet:
    newest = {row.discussion_role: row for row in sorted(field.signatures.all(), key=lambda row: row.pk)}
    mine = newest.get(who)
    theirs = newest.get(DiscussionRole.SECOND if who is DiscussionRole.PRIMARY else DiscussionRole.PRIMARY)
    if who is DiscussionRole.ADJUDICATOR:
        theirs = None
    return FieldSheet(
        position=field.position,
        kind=field.kind,
        key=field.key,
        primary_text=field.primary_text,
        second_text=field.second_text,
        is_disputed=field.is_disputed,
        is_settled=field.settled_at is not None,
        text=field.text,
        origin=field.origin,
        my_signature=mine.text if mine else None,
        have_signed=mine is not None,
        their_signature=theirs.text if theirs else None,
        have_they_signed=theirs is not None,
        box=box_around(areas) or best_box(field, lines),
        primary_area=areas[0],
        second_area=areas[1],
        messages=tuple(
            SpokenMessage(m.discussion_role, m.discussion_role == who, m.text, m.at)
            for m in sorted(field.messages.all(), key=lambda m: m.pk)
        ),
    )


def open_labels(manager: User, sample: Sample) -> tuple[dict[str, object], ...]:
    """A manager opens a sample's label history. It is written down, and bars blind work on the image from then on.

    Raises HeldByBlindReviewer while the manager has the sample in hand as second reviewer or adjudicator, PermissionDenied
    while they are still to read the image in a baseline.
    """
    deny_reserved_readers(manager, [sample.pixel_hash])
    with transaction.atomic():
        work = Work.objects.select_for_update().filter(sample=sample).first()
        if work and work.holder_id == manager.pk and work.stage in (Stage.VERIFY, Stage.ADJUDICATE):
            raise HeldByBlindReviewer
        record_exposure(
            user=manager,
            image_hash=sample.pixel_hash,
            role="manager",
            saw=SeenContent.LABEL,
            place="sample/labels",
        )
        Event.objects.create(sample=sample, verb="labels_opened", actor=manager)
    return tuple(
        {
            "stage": label.stage,
            "round": label.round,
            "text": label.text,
            "masks": mask_sheets(label.masks),
            "origins": tuple(label.origins),
            "at": label.created_at,
            "person": label.assignment.person.display_name if label.assignment else "",
        }
        for label in Label.objects.filter(sample=sample).select_related("assignment__person").order_by("pk")
    )
