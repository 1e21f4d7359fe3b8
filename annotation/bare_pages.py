"""Worksheets of people who see a picture and nothing else of a sample: a row of their own in, a worksheet out.

The companion of `visibility.py` for work beside the labels. Every function takes a row that a `..._for` function has
bound to the person who asks.
"""

from __future__ import annotations

import uuid

from django.http import Http404

from annotation.models import Rating, Sample
from annotation.stages import Intake
from annotation.worksheets import BarePage, RatingSheet
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.pictures import picture_token


def bare_page(sample: Sample, person: User) -> BarePage:
    """The picture and its language: no evidence, no file name, no label."""
    return BarePage(
        number=sample.number,
        language=sample.language,
        picture=picture_token(person=person, blob=sample.full_blob, team=sample.project.team),
        image_hash=sample.pixel_hash,
        width=sample.full_width,
        height=sample.full_height,
    )


def rating_for(person: User, rating_uuid: uuid.UUID) -> Rating:
    """The person's own rating. Raises Http404 for anybody else's and for a role since lost."""
    found = (
        Rating.objects.select_related("sample__project__team", "person")
        .filter(uuid=rating_uuid, person=person, sample__intake=Intake.READY)
        .first()
    )
    if found is None or not has_role(person, found.sample.project.team, Role.DIFFICULTY_RATER):
        raise Http404
    return found


def rating_sheet(rating: Rating) -> RatingSheet:
    """What a rater sees: the picture and the own choices."""
    project = rating.sample.project
    return RatingSheet(
        rating=str(rating.uuid),
        project_slug=project.slug,
        project_name=project.name,
        page=bare_page(rating.sample, rating.person),
        scores=dict(rating.scores),
        note=rating.note,
        lease_until=rating.lease_until,
        is_closed=rating.submitted_at is not None,
    )
