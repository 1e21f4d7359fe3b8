"""A manager asks for another screening, or opens the unredacted page; both stand in the sample's history."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from annotation.models import Event, Sample, Screening
from annotation.services.move_work import ReasonMissing, StaleWork
from annotation.services.screen_page import unredacted_of
from annotation.services.send_to_screening import can_be_sent, is_released, send_to_screening
from config.accounts.models import Role, User
from config.errors import ApplicationError
from config.exposure.services import SeenContent, record_exposure
from config.signed_images import private_image_token


class AlreadyReleased(ApplicationError):
    """A release holds the sample's image; it cannot be called back by screening it again."""

    kind = "released"
    msgid = gettext_noop("This image is part of a release, and releases do not change.")


def screen_again(*, sample: Sample, manager: User, reason: str) -> Screening:
    """Shut the page at once and put it into the screeners' queue; work on it goes back to its annotator.

    Raises ReasonMissing, AlreadyReleased, StaleWork (it is being screened, or excluded).
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        locked = Sample.objects.select_for_update().select_related("project__team").get(pk=sample.pk)
        if is_released(locked):
            raise AlreadyReleased
        if not can_be_sent(locked):
            raise StaleWork
        return send_to_screening(locked, by=manager, reason=reason.strip())


def open_unredacted(*, sample: Sample, manager: User) -> str:
    """A private token for the page as it came, and an event that says who opened it."""
    blob, image_hash = unredacted_of(sample)
    with transaction.atomic():
        Event.objects.create(sample=sample, verb="unredacted_opened", actor=manager)
        for seen in {image_hash, sample.pixel_hash}:
            record_exposure(
                user=manager,
                image_hash=seen,
                role=Role.MANAGER,
                saw=SeenContent.IMAGE,
                place="sample/unredacted",
            )
    return private_image_token(person=manager, blob=blob, team=sample.project.team)
