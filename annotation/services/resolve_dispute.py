"""Resolve a dispute between two versions: sign fields, write messages, disclose reasoning, escalate, decide."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import Assignment, Disclosure, Dispute, Field, Label, Message, Sample, Signature, Work
from annotation.models.label import DiscussionRole, Origin
from annotation.selectors.discussions import discussion_role_of, may_speak
from annotation.services.compare_labels import field_pair_of, freeze_agreed_label, measure_distance
from annotation.services.move_work import NotAllowed, Outcome, make_move
from annotation.stages import Actor, Stage, Verb
from config.accounts.models import User
from config.errors import ApplicationError
from config.transactions import locked, retries_conflicts
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
    """The field is settled already."""

    kind = "settled"
    msgid = gettext_noop("This is already settled.")


class NotSettled(ApplicationError):
    """Some disputed field is not settled yet."""

    status, kind = 422, "invalid"
    field = "texts"
    msgid = gettext_noop("First choose a version for every field that is still open.")


_ACTOR_OF_ROLE = {
    DiscussionRole.PRIMARY: Actor.ANNOTATOR,
    DiscussionRole.SECOND: Actor.REVIEWER,
    DiscussionRole.ADJUDICATOR: Actor.ADJUDICATOR,
}


def lock_open_dispute(*, assignment: Assignment) -> Dispute:
    """The assignment's dispute, locked for writing. Raises NotAllowed when its person may not write in it now."""
    work = locked(Work.objects.filter(sample=assignment.sample_id)).get()
    open_disputes = Dispute.objects.filter(
        sample=assignment.sample_id, round=assignment.round, closed_at=None
    )
    dispute = locked(open_disputes).first()
    if dispute is None or work.stage != Stage.ADJUDICATE or not may_speak(assignment, dispute, work):
        raise NotInDiscussion
    return dispute


def check_field_value(*, field: Field, sample: Sample, value: str | None) -> str | None:
    """The canonical form of a value for a field; None leaves the field out. Raises BadPayload.

    A value that equals one of the two versions needs no check, since it was submitted.
    """
    if value in (field.primary_text, field.second_text):
        return value
    width, height = sample.full_width, sample.full_height
    if field.kind == FieldKind.MASK:
        return check_mask_value(value, width, height)
    return payload_for(sample.structure).check_value(field_pair_of(field), value, width, height)


def origin_of(field: Field, text: str | None) -> Origin:
    """Where a settled text came from: one of the two versions, or new."""
    if text == field.primary_text:
        return Origin.PRIMARY
    return Origin.SECOND if text == field.second_text else Origin.NEW


@retries_conflicts
def sign_field(*, assignment: Assignment, position: int, text: str | None) -> Field:
    """Agree to `text` for one field (None: leave the field out).

    When both have agreed to one text the field is settled; when all fields are settled the sample is verified. Raises
    NotAllowed, FieldSettled, BadPayload.
    """
    with transaction.atomic():
        dispute = lock_open_dispute(assignment=assignment)
        field = dispute.fields.get(position=position)
        if field.settled_at is not None:
            raise FieldSettled
        value = check_field_value(field=field, sample=assignment.sample, value=text)
        Signature.objects.create(
            field=field, discussion_role=discussion_role_of(assignment), person=assignment.person, text=value
        )
        newest = {row.discussion_role: row for row in field.signatures.order_by("pk")}
        signatures = [newest.get(DiscussionRole.PRIMARY), newest.get(DiscussionRole.SECOND)]
        if all(row is not None and row.text == value for row in signatures):
            _settle(field, value)
            _settle_moot(dispute, field)
            if not dispute.fields.filter(settled_at=None).exists():
                _close(dispute, verb=Verb.SIGN, actor=assignment.person, role=Actor.BOTH)
    return field


def _settle(field: Field, text: str | None) -> None:
    field.text, field.origin, field.settled_at = text, origin_of(field, text), timezone.now()
    field.save(update_fields=["text", "origin", "settled_at"])


def _settle_moot(dispute: Dispute, decisive: Field) -> None:
    """Leave out the open fields that a settled field rules out, such as the cells of a row that is gone."""
    fields = list(dispute.fields.order_by("position"))
    settled = [
        SettledField(field_pair_of(field), field.text) for field in fields if field.settled_at is not None
    ]
    still_open = {field.key + field.kind: field for field in fields if field.settled_at is None}
    pairs = [field_pair_of(field) for field in still_open.values()]
    for pair in payload_for(dispute.sample.structure).obsolete_fields(settled, pairs):
        field = still_open[pair.key + pair.kind]
        field.text, field.origin, field.settled_at = None, decisive.origin, timezone.now()
        field.save(update_fields=["text", "origin", "settled_at"])


def _close(dispute: Dispute, *, verb: Verb, actor: User, role: Actor) -> None:
    fields = list(dispute.fields.order_by("position"))
    work = Work.objects.select_related("sample").get(sample=dispute.sample)
    label = freeze_agreed_label(
        work=work,
        settled=[SettledField(field_pair_of(field), field.text) for field in fields],
        origins=[Origin(field.origin) for field in fields],
        parent=dispute.second,
    )
    report = _measure_outcome(dispute, label)
    dispute.agreement_after, dispute.closed_at = report, timezone.now()
    dispute.save(update_fields=["agreement_after", "closed_at"])
    make_move(work=work, verb=verb, actor=actor, role=role, outcome=Outcome(data=report))


def _measure_outcome(dispute: Dispute, label: Label) -> dict[str, float | int | None]:
    """The distance of the agreed text from each version, and the number of fields by origin."""
    origins = list(dispute.fields.values_list("origin", flat=True))
    counts: dict[str, float | int | None] = {str(origin): origins.count(origin) for origin in Origin}
    for name, version in (("primary", dispute.primary), ("second", dispute.second)):
        measured = measure_distance(dispute.sample, label.text, version.text)
        counts |= {f"{metric}_{name}": value for metric, value in measured.items()}
    return counts


@retries_conflicts
def post_message(*, assignment: Assignment, position: int, text: str) -> Message:
    """Write a message about one field, under a pseudonym. Raises NotAllowed, BadText."""
    if not text.strip():
        raise BadText(gettext_noop("The message is empty. Write what you read there, and why."))
    validate_text(text)
    with transaction.atomic():
        dispute = lock_open_dispute(assignment=assignment)
        return Message.objects.create(
            field=dispute.fields.get(position=position),
            discussion_role=discussion_role_of(assignment),
            person=assignment.person,
            text=text.strip(),
        )


@retries_conflicts
def disclose_reasoning(*, assignment: Assignment, text: str) -> Disclosure:
    """Show the others a copy of one note or evidence entry. Raises NotAllowed, BadText."""
    if not text.strip():
        raise BadText(gettext_noop("Nothing to share. Choose a note or an entry in the evidence log."))
    validate_text(text)
    with transaction.atomic():
        return Disclosure.objects.create(
            dispute=lock_open_dispute(assignment=assignment),
            discussion_role=discussion_role_of(assignment),
            text=text.strip(),
        )


@retries_conflicts
def escalate_dispute(*, actor: User, role: Actor, dispute: Dispute, reason: str) -> None:
    """Send a dispute to the adjudicators. Raises ReasonMissing, NotAllowed, StaleWork."""
    with transaction.atomic():
        work = Work.objects.get(sample=dispute.sample)
        make_move(work=work, verb=Verb.ESCALATE, actor=actor, role=role, reason=reason)
        Dispute.objects.filter(pk=dispute.pk).update(escalated_at=timezone.now(), escalation_reason=reason)


@retries_conflicts
def escalate_discussion(*, assignment: Assignment, reason: str) -> None:
    """Escalate as one of the two people in the discussion. Raises ReasonMissing, NotAllowed, StaleWork."""
    with transaction.atomic():
        dispute = lock_open_dispute(assignment=assignment)
        escalate_dispute(
            actor=assignment.person,
            role=_ACTOR_OF_ROLE[discussion_role_of(assignment)],
            dispute=dispute,
            reason=reason,
        )


@retries_conflicts
def decide_dispute(*, assignment: Assignment, texts: Mapping[int, str | None]) -> None:
    """Decide every open field as the adjudicator: position -> text (None: leave the field out).

    Fields that were settled in the discussion stay, and fields that a decision rules out need none. Raises NotSettled
    when a text is missing, NotAllowed, BadPayload.
    """
    with transaction.atomic():
        if discussion_role_of(assignment) is not DiscussionRole.ADJUDICATOR:
            raise NotInDiscussion
        dispute = lock_open_dispute(assignment=assignment)
        while field := dispute.fields.filter(settled_at=None).order_by("position").first():
            if field.position not in texts:
                raise NotSettled
            value = check_field_value(field=field, sample=assignment.sample, value=texts[field.position])
            Signature.objects.create(
                field=field, discussion_role=DiscussionRole.ADJUDICATOR, person=assignment.person, text=value
            )
            _settle(field, value)
            _settle_moot(dispute, field)
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
        _close(dispute, verb=Verb.DECIDE, actor=assignment.person, role=Actor.ADJUDICATOR)
