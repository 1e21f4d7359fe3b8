"""Copies of a page within its project, and what was redacted on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Sample
from annotation.stages import Intake
from evaluation.payloads.iou import iou
from evaluation.payloads.masks import read_masks

MIN_OVERLAP = 0.5  # intersection over union from which an area covers an area of a copy


@dataclass(frozen=True, slots=True)
class Redaction:
    """The areas redacted on one copy, whose image has the same size."""

    number: int  # of the sample
    areas: tuple[dict[str, Any], ...]


def redactions_of_copies(sample: Sample) -> list[Redaction]:
    """The areas of the newest screening of each redacted copy, in the order of the samples' numbers.

    A copy has the same pixels as this page, redacted or not, or was imported from the same page of the same file.
    Excluded samples count too, since they show where a name is.
    """
    images = {sample.pixel_hash, sample.unredacted_pixel_hash} - {""}
    is_copy = Q(pixel_hash__in=images) | Q(unredacted_pixel_hash__in=images)
    is_copy |= Q(original_blob=sample.original_blob, page_number=sample.page_number)
    copies = Sample.objects.filter(
        is_copy, project=sample.project_id, full_width=sample.full_width, full_height=sample.full_height
    ).exclude(pk=sample.pk)
    redactions = []
    for copy in copies.exclude(unredacted_blob="").order_by("number"):
        last = copy.screenings.exclude(done_at=None).order_by("-round").first()
        if last is not None and last.areas:
            redactions.append(Redaction(copy.number, tuple(last.areas)))
    return redactions


def uncovered(redactions: Sequence[Redaction], areas: Sequence[dict[str, Any]]) -> list[Redaction]:
    """The areas of `redactions` that `areas` do not cover, each area once."""
    covered = [mask.area() for mask in read_masks(list(areas))]
    left = []
    for redaction in redactions:
        areas_left = []
        for stored, mask in zip(redaction.areas, read_masks(list(redaction.areas)), strict=True):
            if all(iou(mask.area(), area) < MIN_OVERLAP for area in covered):
                areas_left.append(stored)
                covered.append(mask.area())
        if areas_left:
            left.append(Redaction(redaction.number, tuple(areas_left)))
    return left


def add_uncovered(areas: Sequence[dict[str, Any]], redactions: Sequence[Redaction]) -> list[dict[str, Any]]:
    """`areas` and those of `redactions` that they do not cover, under unused ids."""
    merged = list(areas)
    for redaction in uncovered(redactions, areas):
        for area in redaction.areas:
            ids = {row["id"] for row in merged}
            free_id = next(name for name in (f"c{n}" for n in range(1, len(ids) + 2)) if name not in ids)
            merged.append(area | {"id": free_id})
    return merged


def unredacted_image_of(sample: Sample) -> tuple[str, str]:
    """(blob, pixel hash) of the page before anything was redacted."""
    if sample.unredacted_blob:
        return sample.unredacted_blob, sample.unredacted_pixel_hash
    return sample.full_blob, sample.pixel_hash


def copies_of(sample: Sample, *, images: set[str]) -> QuerySet[Sample]:
    """Other samples of the project that show one of `images` (pixel hashes) or are the same page of the same file."""
    same_page = Q(
        original_blob=sample.original_blob, page_number=sample.page_number, unredacted_pixel_hash=""
    )
    return (
        Sample.objects.filter(Q(pixel_hash__in=images) | same_page, project=sample.project_id)
        .exclude(pk=sample.pk)
        .exclude(intake=Intake.EXCLUDED)
    )
