"""The only reader of label content for people: an assignment in, a worksheet out.

The assignment comes from `assignment_for`, which binds it to the person who asks.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404

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
from annotation.selectors.discussions import discussion_role_of, may_speak
from annotation.selectors.drafts import primary_label
from annotation.selectors.seen_content import deny_blind_reviewer
from annotation.selectors.work_queue import ROLE_OF_STAGE
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
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.signed_images import image_token
from evaluation.payloads.fields import FieldKind
from evaluation.payloads.masks import read_masks


def assignment_for(person: User, assignment_uuid: uuid.UUID, *stages: Stage) -> Assignment:
    """The person's own assignment.

    Raises Http404 for anybody else's, for another stage, for a role since lost, and while the page is being screened.
    """
    assignment = (
        Assignment.objects.select_related("sample__project__team", "person")
        .filter(uuid=assignment_uuid, person=person)
        .first()
    )
    if assignment is None or (stages and Stage(assignment.stage) not in stages):
        raise Http404
    if assignment.sample.intake == Intake.SCREENING:  # hidden until it is screened
        raise Http404
    if not has_role(person, assignment.sample.project.team, ROLE_OF_STAGE[Stage(assignment.stage)]):
        raise Http404
    return assignment


def page_of(assignment: Assignment) -> Page:
    """The image of an assignment's sample, and the facts given at import."""
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
    is_holder = (
        work.holder_id == assignment.person_id
        and work.stage == assignment.stage
        and work.round == assignment.round
    )
    return AssignmentState(
        uuid=str(assignment.uuid),
        project_slug=project.slug,
        project_name=project.name,
        text=draft.text if draft else "",
        masks=mask_sheets(draft.masks if draft else []),
        version=draft.version if draft else 0,
        saved_at=draft.saved_at if draft else assignment.opened_at,
        lease_until=work.lease_until if is_holder else None,
        is_closed=not is_holder or work.status != Status.HELD,
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
    """The worksheet of the primary annotator. It has suggestions, so it is closed once submitted while they review the
    page or a look-alike blind."""
    if assignment.submitted_at is not None:
        deny_blind_reviewer(assignment.person, assignment.sample)
    last_return = (
        Event.objects.filter(sample=assignment.sample, verb__in=[Verb.RETURN, Verb.REOPEN, Verb.RESTORE])
        .order_by("-pk")
        .first()
    )
    return LabelSheet(
        page=page_of(assignment),
        assignment=assignment_state_of(assignment),
        suggestions=suggestions_of(assignment.sample, is_masked=bool(draft_masks(assignment))),
        returned_because=last_return.reason if last_return and assignment.round > 1 else "",
    )


def verify_sheet(assignment: Assignment) -> VerifySheet:
    """The worksheet of the second reviewer, with the primary's text and masks in mode `verify` only."""
    primary = None
    if assignment.mode == VerificationMode.VERIFY:
        if assignment.submitted_at is not None:
            deny_blind_reviewer(assignment.person, assignment.sample)
        primary = primary_label(assignment)
    return VerifySheet(
        page=page_of(assignment),
        assignment=assignment_state_of(assignment),
        mode=assignment.mode,
        primary_text=primary.text if primary else None,
        primary_masks=mask_sheets(primary.masks) if primary else None,
        is_end_reached=assignment.reached_end_at is not None,
        is_not_blind=assignment.mode
        != assignment.sample.project.verification_mode
        == VerificationMode.DOUBLE_BLIND,
    )


def mask_sheets(masks: list[dict[str, Any]]) -> tuple[MaskSheet, ...]:
    """Stored masks for a worksheet."""
    return tuple(
        MaskSheet(mask.id, mask.shape, mask.points, mask.width, mask.reason) for mask in read_masks(masks)
    )


def draft_masks(assignment: Assignment) -> list[dict[str, Any]]:
    """The masks in the assignment's draft."""
    return list(Draft.objects.filter(assignment=assignment).values_list("masks", flat=True).first() or [])


def suggestions_of(sample: Sample, *, is_masked: bool) -> tuple[SuggestionSheet, ...]:
    """The newest suggestion of each current recogniser, including failures and those still waiting.

    Recognisers get the released image without a draft's masks, so with `is_masked` they may have read what is masked.
    """
    sheets = []
    requests = (
        SuggestionRequest.objects.filter(sample=sample, recogniser__retired_at=None)
        .select_related("recogniser")
        .order_by("recogniser__slot")
    )
    for request in requests:
        suggestion = request.answers.order_by("-pk").first()
        sheets.append(_suggestion_sheet(request, suggestion, sample, is_masked=is_masked))
    return tuple(sheets)


def _suggestion_sheet(
    request: SuggestionRequest, suggestion: Suggestion | None, sample: Sample, *, is_masked: bool
) -> SuggestionSheet:
    return SuggestionSheet(
        id=suggestion.pk if suggestion else 0,
        letter="ABC"[request.recogniser.slot - 1],
        label=request.recogniser.label,
        text=suggestion.text if suggestion else "",
        lines=tuple(
            SuggestedLine(
                text=line["text"],
                box=_box_in_image(line.get("box"), sample),
                confidence=line.get("confidence"),
            )
            for line in (suggestion.lines if suggestion else [])
        ),
        failure=suggestion.failure if suggestion else "",
        message=render_message(suggestion.message_parts, suggestion.message) if suggestion else "",
        is_waiting=suggestion is None or not request.is_over,
        has_seen_more=is_masked and suggestion is not None and suggestion.image_hash == sample.released_blob,
        left_out=suggestion.provenance.get("left_out", 0) if suggestion else 0,
    )


def _box_in_image(box: list[float] | None, sample: Sample) -> Box | None:
    """A box of the released image (left, top, right, bottom) in pixels of the full image."""
    if not box:
        return None
    x_scale, y_scale = sample.full_width / sample.released_width, sample.full_height / sample.released_height
    left, top = round(box[0] * x_scale), round(box[1] * y_scale)
    return (left, top, round(box[2] * x_scale) - left, round(box[3] * y_scale) - top)


def dispute_for(assignment: Assignment) -> Dispute:
    """The dispute of this assignment. Raises Http404 while there is none, and for an assignment outside it."""
    dispute = (
        Dispute.objects.filter(sample=assignment.sample, round=assignment.round)
        .select_related("primary", "second")
        .first()
    )
    if dispute is None:
        raise Http404
    role = discussion_role_of(assignment)
    if role is DiscussionRole.PRIMARY and dispute.primary.assignment_id != assignment.pk:
        raise Http404
    if role is DiscussionRole.SECOND and dispute.second.assignment_id != assignment.pk:
        raise Http404
    return dispute


def consensus_sheet(assignment: Assignment) -> ConsensusSheet:
    """Both submitted versions and the discussion, for one of its three assignments. That they were read is recorded."""
    deny_blind_reviewer(assignment.person, assignment.sample)
    record_exposure(
        user=assignment.person,
        image_hash=assignment.sample.pixel_hash,
        role=ROLE_OF_STAGE[Stage(assignment.stage)],
        saw=SeenContent.WORK,
        place="discussion",
    )
    dispute = dispute_for(assignment)
    work = Work.objects.get(sample=assignment.sample)
    role = discussion_role_of(assignment)
    is_disputed = work.stage == Stage.ADJUDICATE and dispute.closed_at is None
    fields = list(dispute.fields.prefetch_related("signatures", "messages").order_by("position"))
    regions = {field.key: field for field in fields if field.kind == FieldKind.REGION}
    lines = [line for sheet in suggestions_of(assignment.sample, is_masked=False) for line in sheet.lines]
    return ConsensusSheet(
        page=page_of(assignment),
        assignment=assignment_state_of(assignment),
        discussion_role=role,
        is_open=is_disputed and may_speak(assignment, dispute, work),
        is_escalated=dispute.escalated_at is not None,
        escalation_reason=dispute.escalation_reason,
        is_over=dispute.closed_at is not None,
        fields=tuple(_field_sheet(field, role, areas_of(field, regions), lines) for field in fields),
        disclosed=tuple(
            SpokenMessage(d.discussion_role, d.discussion_role == role, d.text, d.at)
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


def _field_sheet(field: Field, role: DiscussionRole, areas: Areas, lines: list[SuggestedLine]) -> FieldSheet:
    newest = {row.discussion_role: row for row in sorted(field.signatures.all(), key=lambda row: row.pk)}
    own = newest.get(role)
    other = newest.get(DiscussionRole.SECOND if role is DiscussionRole.PRIMARY else DiscussionRole.PRIMARY)
    if role is DiscussionRole.ADJUDICATOR:
        other = None
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
        my_signature=own.text if own else None,
        have_signed=own is not None,
        their_signature=other.text if other else None,
        have_they_signed=other is not None,
        box=box_around(areas) or best_box(field, lines),
        primary_area=areas[0],
        second_area=areas[1],
        messages=tuple(
            SpokenMessage(m.discussion_role, m.discussion_role == role, m.text, m.at)
            for m in sorted(field.messages.all(), key=lambda m: m.pk)
        ),
    )


def label_history(sample: Sample) -> tuple[dict[str, object], ...]:
    """Every label of a sample, oldest first, with its author. For `open_labels`, which records who reads it."""
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
