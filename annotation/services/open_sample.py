"""A manager opens what is hidden from them: the labels of a sample, or its unredacted image. Both are recorded."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Event, Sample, Work
from annotation.selectors.redactions import unredacted_image_of
from annotation.selectors.seen_content import HeldByBlindReviewer, deny_blind_reviewer
from annotation.stages import Stage
from annotation.visibility.labels import label_history
from config.accounts.models import Role, User
from config.exposure.models import SeenContent
from config.exposure.reservations import deny_reserved_readers
from config.exposure.services import record_exposure
from config.signed_images import private_image_token
from config.transactions import locked, retries_conflicts


@retries_conflicts
def open_labels(*, sample: Sample, manager: User) -> tuple[dict[str, object], ...]:
    """Every label of the sample. Opening them bars the manager from blind work on the image from then on.

    Raises HeldByBlindReviewer while the manager holds the sample as second reviewer or adjudicator, and
    PermissionDenied while they are still to read the image in a baseline.
    """
    deny_reserved_readers(manager, [sample.pixel_hash])
    with transaction.atomic():
        work = locked(Work.objects.filter(sample=sample)).first()
        if work and work.holder_id == manager.pk and work.stage in (Stage.VERIFY, Stage.ADJUDICATE):
            raise HeldByBlindReviewer
        deny_blind_reviewer(manager, sample)
        record_exposure(
            user=manager,
            image_hash=sample.pixel_hash,
            role=Role.MANAGER,
            saw=SeenContent.LABEL,
            place="sample/labels",
        )
        Event.objects.create(sample=sample, verb="labels_opened", actor=manager)
    return label_history(sample)


@retries_conflicts
def open_unredacted_image(*, sample: Sample, manager: User) -> str:
    """A private token for the image as imported. An event records who opened it."""
    blob, image_hash = unredacted_image_of(sample)
    with transaction.atomic():
        Event.objects.create(sample=sample, verb="unredacted_opened", actor=manager)
        for shown_hash in {image_hash, sample.pixel_hash}:
            record_exposure(
                user=manager,
                image_hash=shown_hash,
                role=Role.MANAGER,
                saw=SeenContent.IMAGE,
                place="sample/unredacted",
            )
    return private_image_token(person=manager, blob=blob, team=sample.project.team)
