"""The record of a released sample: its label in pixels of the released image, on which masks are painted over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.images.masking import burn_masks
from annotation.models import Label, Sample
from annotation.models.sample import Structure
from annotation.selectors.difficulty import difficulty_record
from annotation.stages import Stage
from config.blobs import put_blob, read_blob
from evaluation.payloads.coordinate_scaling import Size, scale_length, scale_points
from evaluation.payloads.formula import read_regions
from evaluation.payloads.latex import canonical_latex
from evaluation.payloads.masks import read_masks
from evaluation.payloads.registry import payload_for
from evaluation.record_parts import RecordMask, RecordRegion
from evaluation.records import DOUBLE_VERIFIED, GoldRecord

_EXTRA = (
    "problem",
    "reference_answer",
    "subtask",
    "writer_id",
    "split",
    "group",
    "perturbation",
    "source_url",
    "licence",
)


@dataclass(frozen=True, slots=True)
class ReleasedImage:
    """The image that models and participants get: the hash of its bytes, and its size in pixels."""

    blob: str
    width: int
    height: int


def make_released_image(*, sample: Sample, masks: list[dict[str, Any]]) -> ReleasedImage:
    """The sample's released image with `masks` painted over.

    Equal masks give the same bytes, which are stored once. The image without masks stays as it is.
    """
    unmasked = ReleasedImage(sample.released_blob, sample.released_width, sample.released_height)
    if not masks:
        return unmasked
    burned = burn_masks(
        read_blob(sample.released_blob),
        _released_masks(masks, full=_full(sample), released=(unmasked.width, unmasked.height)),
        cap_bytes=sample.project.image_cap_bytes,
    )
    return ReleasedImage(put_blob(burned.data), burned.width, burned.height)


def make_image_for_models(*, sample: Sample) -> ReleasedImage:
    """The released image that recognisers get, with the newest agreed masks painted over."""
    agreed = Label.objects.filter(sample=sample, stage=Stage.DONE).order_by("-round").first()
    return make_released_image(sample=sample, masks=agreed.masks if agreed else [])


def _released_masks(masks: list[dict[str, Any]], *, full: Size, released: Size) -> tuple[RecordMask, ...]:
    """Masks of a label in pixels of the released image."""
    return tuple(
        RecordMask(
            mask.shape,
            scale_points(mask.points, full=full, released=released),
            scale_length(mask.width, full=full, released=released),
            mask.reason,
        )
        for mask in read_masks(masks)
    )


def _released_regions(text: str, *, full: Size, released: Size) -> tuple[RecordRegion, ...]:
    """Regions of a formula page in pixels of the released image, numbered in reading order."""
    return tuple(
        RecordRegion(
            number,
            scale_points(region.polygon, full=full, released=released),
            canonical_latex(region.latex),
        )
        for number, region in enumerate(read_regions(text), start=1)
    )


def build_gold_record(*, sample: Sample, label: Label, image: ReleasedImage | None = None) -> GoldRecord:
    """The record of a sample with this label; `image` saves making the released image again."""
    image = image or make_released_image(sample=sample, masks=label.masks)
    sizes = {"full": _full(sample), "released": (image.width, image.height)}
    is_formula = sample.structure == Structure.FORMULA
    extra = {name: getattr(sample, name) for name in _EXTRA}
    return GoldRecord(
        id=sample.uuid.hex,
        file_name=sample.released_name,
        structure=sample.structure,
        language=sample.language,
        scenario=sample.scenario,
        source=sample.source,
        number=sample.number,
        text=payload_for(sample.structure).released_text(label.text),
        image_hash=image.blob,
        width=image.width,
        height=image.height,
        origins=_origins(label),
        guideline=label.guideline.number if label.guideline else 0,
        extra={name: value for name, value in extra.items() if value},
        regions=_released_regions(label.text, **sizes) if is_formula else (),
        masks=_released_masks(label.masks, **sizes),
        verification=DOUBLE_VERIFIED if label.stage == Stage.DONE else sample.gold_status,
        difficulty=difficulty_record(sample),
    )


def _full(sample: Sample) -> Size:
    return sample.full_width, sample.full_height


def _origins(label: Label) -> tuple[str, ...]:
    """Where each field came from; "imported" for fields that equal the imported ground truth."""
    if label.stage != Stage.DONE:
        return ("imported",) * len(_keys(label))
    primary = Label.objects.filter(sample=label.sample_id, stage=Stage.LABEL, round=label.round).first()
    is_imported = primary is not None and primary.assignment_id is None
    return tuple("imported" if is_imported and origin == "primary" else origin for origin in label.origins)


def _keys(label: Label) -> list[Any]:
    return [*payload_for(label.sample.structure).keys(label.text), *label.masks]
