"""What was redacted on other samples that show the same page: for the screener who has this one in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Sample
from annotation.stages import Intake
from evaluation.payloads.iou import iou
from evaluation.payloads.masks import read_masks

ALIKE = 0.5  # from which overlap (IoU) on an area of one's own stands for one of a copy


@dataclass(frozen=True, slots=True)
class Redaction:
    """The areas of one copy, on an image of the same size."""

    number: int  # of the sample
    areas: tuple[dict[str, Any], ...]


def redactions_of_copies(sample: Sample) -> list[Redaction]:
    """What the newest screening of each redacted copy painted over, by the samples' numbers.

    Copies show the very pixels that this page has, redacted or not, or came as the very same page. Those that were set
    aside count too: where a name stands they tell all the same.
    """
    images = {sample.pixel_hash, sample.unredacted_pixel_hash} - {""}
    same = Q(pixel_hash__in=images) | Q(unredacted_pixel_hash__in=images)
    same |= Q(original_blob=sample.original_blob, page_number=sample.page_number)
    copies = Sample.objects.filter(
        same, project=sample.project_id, full_width=sample.full_width, full_height=sample.full_height
    ).exclude(pk=sample.pk)
    found = []
    for copy in copies.exclude(unredacted_blob="").order_by("number"):
        last = copy.screenings.exclude(done_at=None).order_by("-round").first()
        if last is not None and last.areas:
            found.append(Redaction(copy.number, tuple(last.areas)))
    return found


def left_open(redactions: Sequence[Redaction], areas: Sequence[dict[str, Any]]) -> list[Redaction]:
    """Of these redactions what `areas` do not cover, each area once."""
    covered = [mask.area() for mask in read_masks(list(areas))]
    found = []
    for redaction in redactions:
        open_ones = []
        for listed, mask in zip(redaction.areas, read_masks(list(redaction.areas)), strict=True):
            if all(iou(mask.area(), area) < ALIKE for area in covered):
                open_ones.append(listed)
                covered.append(mask.area())
        if open_ones:
            found.append(Redaction(redaction.number, tuple(open_ones)))
    return found


def with_copies(areas: Sequence[dict[str, Any]], redactions: Sequence[Redaction]) -> list[dict[str, Any]]:
    """The areas and those that the redactions have besides, under names that are free."""
    taken = list(areas)
    for redaction in left_open(redactions, areas):
        for area in redaction.areas:
            names = {one["id"] for one in taken}
            name = next(name for at in range(len(names) + 1) if (name := f"c{at + 1}") not in names)
            taken.append(area | {"id": name})
    return taken


def unredacted_image_of(sample: Sample) -> tuple[str, str]:
    """(blob, pixel hash) of the page as it was before anything was redacted."""
    if sample.unredacted_blob:
        return sample.unredacted_blob, sample.unredacted_pixel_hash
    return sample.full_blob, sample.pixel_hash


def copies_of(sample: Sample, *, images: set[str]) -> QuerySet[Sample]:
    """Other samples of the project that show one of `images` (pixel hashes) or came as the very same page."""
    same_page = Q(
        original_blob=sample.original_blob, page_number=sample.page_number, unredacted_pixel_hash=""
    )
    return (
        Sample.objects.filter(Q(pixel_hash__in=images) | same_page, project=sample.project_id)
        .exclude(pk=sample.pk)
        .exclude(intake=Intake.EXCLUDED)
    )
