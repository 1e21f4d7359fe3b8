"""Worksheets of people who see the image of a sample and no label: a row of their own in, a worksheet out.

The row comes from a `..._for` function, which binds it to the person who asks.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence

from django.http import Http404

from annotation.models import Question, Rating, Sample, Screening
from annotation.selectors.redactions import Redaction, redactions_of_copies, uncovered, unredacted_image_of
from annotation.stages import Intake
from annotation.worksheets import (
    ImageOnlyPage,
    MaskSheet,
    QuestionSheet,
    RatingSheet,
    RedactedCopy,
    ScreeningSheet,
)
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.signed_images import image_token, private_image_token
from evaluation.payloads.masks import read_masks


def image_only_page(sample: Sample, person: User) -> ImageOnlyPage:
    """The image and its language, without evidence, file name or label."""
    return ImageOnlyPage(
        number=sample.number,
        language=sample.language,
        image=image_token(person=person, blob=sample.full_blob, team=sample.project.team),
        image_hash=sample.pixel_hash,
        width=sample.full_width,
        height=sample.full_height,
    )


def question_for(expert: User, question_uuid: uuid.UUID) -> Question:
    """A question that this expert holds or has answered.

    Raises Http404 for anybody else's, for a role since lost, for a withdrawn question, and while the page is being
    screened.
    """
    question = (
        Question.objects.select_related("sample__project__team", "expert")
        .filter(uuid=question_uuid, expert=expert, withdrawn_at=None, sample__intake=Intake.READY)
        .first()
    )
    if question is None or not has_role(expert, question.sample.project.team, Role.DOMAIN_EXPERT):
        raise Http404
    return question


def question_sheet(question: Question, expert: User) -> QuestionSheet:
    """The worksheet of the expert."""
    project = question.sample.project
    return QuestionSheet(
        question=str(question.uuid),
        project_slug=project.slug,
        project_name=project.name,
        page=image_only_page(question.sample, expert),
        text=question.text,
        box=tuple(question.box),
        answer=question.answer,
        is_closed=question.answered_at is not None,
    )


def screening_for(person: User, screening_uuid: uuid.UUID) -> Screening:
    """The person's own screening. Raises Http404 for anybody else's and for a role since lost."""
    screening = (
        Screening.objects.select_related("sample__project__team", "person")
        .filter(uuid=screening_uuid, person=person)
        .first()
    )
    if screening is None or not has_role(person, screening.sample.project.team, Role.SCREENER):
        raise Http404
    return screening


def screening_sheet(screening: Screening) -> ScreeningSheet:
    """The worksheet of a screener: the unredacted page by a private token, until the screening is finished."""
    sample, project = screening.sample, screening.sample.project
    blob, image_hash = unredacted_image_of(sample)
    is_closed = screening.done_at is not None or sample.intake != Intake.SCREENING
    token = ""
    if screening.person is not None and not is_closed:
        token = private_image_token(person=screening.person, blob=blob, team=project.team)
    page = ImageOnlyPage(
        number=sample.number,
        language=sample.language,
        image=token,
        image_hash=image_hash,
        width=sample.full_width,
        height=sample.full_height,
    )
    return ScreeningSheet(
        screening=str(screening.uuid),
        project_slug=project.slug,
        project_name=project.name,
        page=page,
        areas=json.dumps([] if is_closed else screening.areas),
        because=screening.reason,
        copies=()
        if is_closed
        else redacted_copy_sheets(uncovered(redactions_of_copies(sample), screening.areas)),
        transcript="" if is_closed else sample.transcript,
        source_url="" if is_closed else sample.source_url,
        discussion_links=() if is_closed else tuple(sample.discussion_links),
        is_evidence_withheld=sample.is_evidence_withheld,
        is_closed=is_closed,
    )


def redacted_copy_sheets(redactions: Sequence[Redaction]) -> tuple[RedactedCopy, ...]:
    """Redactions for a worksheet."""
    return tuple(
        RedactedCopy(
            number=redaction.number,
            areas=tuple(
                MaskSheet(mask.id, mask.shape, mask.points, mask.width, mask.reason)
                for mask in read_masks(list(redaction.areas))
            ),
        )
        for redaction in redactions
    )


def rating_for(person: User, rating_uuid: uuid.UUID) -> Rating:
    """The person's own rating. Raises Http404 for anybody else's and for a role since lost."""
    rating = (
        Rating.objects.select_related("sample__project__team", "person")
        .filter(uuid=rating_uuid, person=person, sample__intake=Intake.READY)
        .first()
    )
    if rating is None or not has_role(person, rating.sample.project.team, Role.DIFFICULTY_RATER):
        raise Http404
    return rating


def rating_sheet(rating: Rating) -> RatingSheet:
    """The worksheet of a difficulty rater: the image and their own choices."""
    project = rating.sample.project
    return RatingSheet(
        rating=str(rating.uuid),
        project_slug=project.slug,
        project_name=project.name,
        page=image_only_page(rating.sample, rating.person),
        scores=dict(rating.scores),
        note=rating.note,
        lease_until=rating.lease_until,
        is_closed=rating.submitted_at is not None,
    )
