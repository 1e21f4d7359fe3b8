"""Shut the images of a page until a screener has looked at it."""

from __future__ import annotations

from django.db.models import Max, Q

from annotation.models import Sample, Screening
from annotation.stages import Intake
from config.accounts.models import User
from config.exposure.services import restrict_images


def request_screening(sample: Sample, *, by: User | None = None, reason: str = "") -> Screening:
    """Open the next round and shut the sample's images. Within a transaction; the caller sets the intake."""
    last = sample.screenings.aggregate(round=Max("round"))["round"] or 0
    before = sample.screenings.filter(round=last).first()
    restrict_unless_seen(sample, sample.full_blob, sample.released_blob, sample.unredacted_blob)
    return Screening.objects.create(
        sample=sample, round=last + 1, areas=before.areas if before else [], reason=reason, asked_by=by
    )


def restrict_unless_seen(sample: Sample, *blobs: str) -> None:
    """Shut images, but not what another page shows that people work on: the same scan imported twice.

    A twin that waits for a decision is shown to nobody yet; if it is kept, it is screened first.
    """
    others = Sample.objects.filter(project=sample.project_id).exclude(pk=sample.pk)
    fit = others.filter(intake=Intake.READY)
    shown = {
        blob
        for row in fit.filter(Q(full_blob__in=blobs) | Q(released_blob__in=blobs))
        for blob in (row.full_blob, row.released_blob)
    }
    restrict_images(sample.project.team, set(blobs) - shown)
