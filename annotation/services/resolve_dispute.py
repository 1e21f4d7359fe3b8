"""From two versions to one text: sign, talk, disclose, escalate, decide."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Disclosure, Dispute, Field, Label, Message, Sample, Signature, Work
from annotation.models.label import DiscussionRole, Origin
from annotation.services.compare_labels import distance, freeze_agreed, pair_of
from annotation.services.move_work import NotAllowed, Outcome, make_move
from annotation.stages import Actor, Stage, Status, Verb
from config.accounts.models import User
from config.errors import ApplicationError
from evaluation.payloads.fields import FieldKind, SettledField
from evaluation.payloads.masks import check_mask_value
from evaluation.payloads.registry import payload_for
from evaluation.payloads.text import BadText, validate_text


class NotInDiscussion(NotAllowed):
    """This assignment has no part in the discussion now."""

    msgid = gettext_noop(
        "You cannot take part in this discussion now. Reload the page to see its current state."
    )


class NotOwnReasoning(ApplicationError):
    """Only one's own notes and evidence entries can be disclosed."""

    status, kind, field = 422, "invalid", "text"
    msgid = gettext_noop("Choose one of your own notes or evidence entries.")


class FieldSettled(ApplicationError):
    """This field has its text already."""

    kind = "settled"
    msgid = gettext_noop("This is already settled.")


class NotSettled(ApplicationError):
    """Some disputed field has no text yet."""

    status, kind = 422, "invalid"
    field = "texts"
    msgid = gettext_noop("First choose a version for every field that is still open.")


_DISCUSSION_ROLE_OF_STAGE = {
    Stage.LABEL: DiscussionRole.PRIMARY,
    Stage.VERIFY: DiscussionRole.SECOND,
    Stage.ADJUDICATE: DiscussionRole.ADJUDICATOR,
}
_ACTOR_OF_SEAT = {
    DiscussionRole.PRIMARY: Actor.ANNOTATOR,
    DiscussionRole.SECOND: Actor.REVIEWER,
    DiscussionRole.ADJUDICATOR: Actor.ADJUDICATOR,
}


def discussion_role_of(assignment: Assignment) -> DiscussionRole:
    """The pseudonym under which this discussion_role speaks."""
    return _DISCUSSION_ROLE_OF_STAGE[Stage(assignment.stage)]


def open_dispute(assignment: Assignment) -> Dispute:
    """The dispute this discussion_role takes part in, locked for writing. Raises NotAllowed when there is none for it now.

    Primary and second speak while the discussion is open; the adjudicator only while holding it.
    """
    # The work first, as every move does: two that lock in opposite orders would wait for each other.
    work = Work.objects.select_for_update().get(sample=assignment.sample)
    dispute = (
        Dispute.objects.select_for_update()
        .filter(sample=assignment.sample, round=assignment.round, closed_at=None)
        .first()
    )
    if dispute is None or work.stage != Stage.ADJUDICATE or not _may_speak(assignment, dispute, work):
        raise NotInDiscussion
    return dispute


def _may_speak(assignment: Assignment, dispute: Dispute, work: Work) -> bool:
    discussion_role = discussion_role_of(assignment)
    if discussion_role is DiscussionRole.ADJUDICATOR:
        return work.status == Status.HELD and work.holder_id == assignment.person_id
    version = dispute.primary if discussion_role is DiscussionRole.PRIMARY else dispute.second
    return work.status == Status.OPEN and version.assignment_id == assignment.pk


def check_value(field: Field, sample: Sample, value: str | None) -> str | None:
    """The canonical form of what somebody stands behind for a field; None leaves it out. Raises BadPayload.

    One of the two versions to the letter needs no check: it was handed in.
    """
    if value in (field.primary_text, field.second_text):
        return value
    width, height = sample.full_width, sample.full_height
    if field.kind == FieldKind.MASK:
        return check_mask_value(value, width, height)
    return payload_for(sample.structure).check_value(pair_of(field), value, width, height)


def origin_of(field: Field, text: str | None) -> Origin:
    """Where a settled text came from: one of the two versions to the letter, or new."""
    if text == field.primary_text:
        return Origin.PRIMARY
    return Origin.SECOND if text == field.second_text else Origin.NEW


def sign_field(*, assignment: Assignment, position: int, text: str | None) -> Field:
    """Put this discussion_role's name to `text` for one field (None: leave it out).

    When both assignments stand behind one text the field is settled; when the last one is, the sample is verified.
    Raises NotAllowed, FieldSettled, BadPayload.
    """
    with transaction.atomic():
        dispute = open_dispute(assignment)
        field = dispute.fields.get(position=position)
        if field.settled_at is not None:
            raise FieldSettled
        value = check_value(field, assignment.sample, text)
        Signature.objects.create(
            field=field, discussion_role=discussion_role_of(assignment), person=assignment.person, text=value
        )
        newest = {row.discussion_role: row for row in field.signatures.order_by("pk")}
        both = [newest.get(DiscussionRole.PRIMARY), newest.get(DiscussionRole.SECOND)]
        if all(row is not None and row.text == value for row in both):
            _settle(field, value)
            _settle_moot(dispute, field)
            if not dispute.fields.filter(settled_at=None).exists():
                _close(dispute, verb=Verb.SIGN, actor=assignment.person, role=Actor.BOTH)
    return field


def _settle(field: Field, text: str | None) -> None:
    field.text, field.origin, field.settled_at = text, origin_of(field, text), timezone.now()
    field.save(update_fields=["text", "origin", "settled_at"])


def _settle_moot(dispute: Dispute, decisive: Field) -> None:
    """Leave out the open fields that what was just settled has no place for (cells of a row that is gone, ...)."""
    fields = list(dispute.fields.order_by("position"))
    settled = [SettledField(pair_of(field), field.text) for field in fields if field.settled_at is not None]
    still_open = {field.key + field.kind: field for field in fields if field.settled_at is None}
    pairs = [pair_of(field) for field in still_open.values()]
    for pair in payload_for(dispute.sample.structure).obsolete_fields(settled, pairs):
        field = still_open[pair.key + pair.kind]
        field.text, field.origin, field.settled_at = None, decisive.origin, timezone.now()
        field.save(update_fields=["text", "origin", "settled_at"])


def _close(dispute: Dispute, *, verb: Verb, actor: User, role: Actor) -> None:
    fields = list(dispute.fields.order_by("position"))
    work = Work.objects.select_related("sample").get(sample=dispute.sample)
    label = freeze_agreed(
        work=work,
        settled=[SettledField(pair_of(field), field.text) for field in fields],
        origins=[Origin(field.origin) for field in fields],
        parent=dispute.second,
    )
    report = _after(dispute, label)
    dispute.agreement_after, dispute.closed_at = report, timezone.now()
    dispute.save(update_fields=["agreement_after", "closed_at"])
    make_move(work, verb, actor=actor, role=role, outcome=Outcome(data=report))


def _after(dispute: Dispute, label: Label) -> dict[str, float | int | None]:
    """How far the agreed text lies from each version, and how many fields ended where."""
    origins = list(dispute.fields.values_list("origin", flat=True))
    counts: dict[str, float | int | None] = {str(origin): origins.count(origin) for origin in Origin}
    for name, version in (("primary", dispute.primary), ("second", dispute.second)):
        measured = distance(dispute.sample, label.text, version.text)
        counts |= {f"{metric}_{name}": value for metric, value in measured.items()}
    return counts


def post_message(*, assignment: Assignment, position: int, text: str) -> Message:
    """Say something about one field, under the discussion_role's pseudonym. Raises NotAllowed, BadText."""
    if not text.strip():
        raise BadText(gettext_noop("The message is empty. Write what you read there, and why."))
    validate_text(text)
    with transaction.atomic():
        dispute = open_dispute(assignment)
        return Message.objects.create(
            field=dispute.fields.get(position=position),
            discussion_role=discussion_role_of(assignment),
            person=assignment.person,
            text=text.strip(),
        )


def disclose_reasoning(*, assignment: Assignment, text: str) -> Disclosure:
    """Show the other side a piece of the own reasoning, as a copy. Raises NotAllowed, BadText."""
    if not text.strip():
        raise BadText(gettext_noop("Nothing to share. Choose a note or an entry in the evidence log."))
    validate_text(text)
    with transaction.atomic():
        return Disclosure.objects.create(
            dispute=open_dispute(assignment),
            discussion_role=discussion_role_of(assignment),
            text=text.strip(),
        )


def escalate_dispute(*, actor: User, role: Actor, dispute: Dispute, reason: str) -> None:
    """Hand a stalemate to the adjudicators, with both arguments. Raises ReasonMissing, NotAllowed, Stale."""
    with transaction.atomic():
        work = Work.objects.get(sample=dispute.sample)
        make_move(work, Verb.ESCALATE, actor=actor, role=role, reason=reason)
        Dispute.objects.filter(pk=dispute.pk).update(escalated_at=timezone.now(), escalation_reason=reason)


def escalate_as_participant(*, assignment: Assignment, reason: str) -> None:
    """The same, asked for by one of the two annotators."""
    with transaction.atomic():
        dispute = open_dispute(assignment)
        escalate_dispute(
            actor=assignment.person,
            role=_ACTOR_OF_SEAT[discussion_role_of(assignment)],
            dispute=dispute,
            reason=reason,
        )


def decide_dispute(*, assignment: Assignment, texts: Mapping[int, str | None]) -> None:
    """The adjudicator's word on every field that is still open: position -> text (None: leave it out).

    Fields the two had settled stay as they are, and what loses its place by a decision needs none. Raises NotSettled
    when one is left out, NotAllowed, BadPayload.
    """
    with transaction.atomic():
        if discussion_role_of(assignment) is not DiscussionRole.ADJUDICATOR:
            raise NotInDiscussion
        dispute = open_dispute(assignment)
        while field := dispute.fields.filter(settled_at=None).order_by("position").first():
            if field.position not in texts:
                raise NotSettled
            value = check_value(field, assignment.sample, texts[field.position])
            Signature.objects.create(
                field=field, discussion_role=DiscussionRole.ADJUDICATOR, person=assignment.person, text=value
            )
            _settle(field, value)
            _settle_moot(dispute, field)
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
        _close(dispute, verb=Verb.DECIDE, actor=assignment.person, role=Actor.ADJUDICATOR)
