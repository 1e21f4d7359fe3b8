"""Imported ground truth: checked like a transcription and stored as the first version, without an author.

It goes to second review like an annotator's transcription, or is released with its stated verification.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from annotation.models import Dispute, Label, Sample, Work
from annotation.models.sample import Structure
from annotation.services.move_work import make_move
from annotation.services.resolve_dispute import escalate_dispute
from annotation.stages import Actor, Stage, Verb
from config.accounts.models import User
from evaluation.files.errors import BadFile, FileProblem
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.geometry import whole_image
from evaluation.payloads.masks import masks_as_json, validate_masks
from evaluation.payloads.registry import payload_for

GOLD_FIELDS = ("ground_truth", "regions", "masks", "verification")


@dataclass(frozen=True, slots=True)
class ImportedGold:
    """A checked label: canonical text, masks as the payload writes them, and the stated verification."""

    text: str
    masks: list[dict[str, Any]]
    status: str


def split_gold(
    fields: Mapping[str, Any], *, width: int, height: int
) -> tuple[dict[str, Any], ImportedGold | None]:
    """The sample's fields, and the ground truth among them, checked for an image of this size. Raises BadFile."""
    sample_fields = {name: value for name, value in fields.items() if name not in GOLD_FIELDS}
    structure = sample_fields.get("structure", Structure.TEXT)
    written = fields.get("ground_truth") or fields.get("regions")
    if not written:
        if fields.get("masks"):
            raise BadFile(FileProblem.NO_GROUND_TRUTH, field="masks")
        return sample_fields, None  # `verification` alone may be a default of the import
    if not fields.get("verification"):
        raise BadFile(FileProblem.NO_VERIFICATION)
    if fields.get("regions") and (structure != Structure.FORMULA or fields.get("ground_truth")):
        raise BadFile(FileProblem.REGIONS_ELSEWHERE)
    try:
        text = _text(structure, fields, width, height)
        masks = masks_as_json(_with_ids(fields.get("masks") or [], "m"))
        payload = payload_for(structure)
        payload.validate(text, width, height)
        validate_masks(masks, width, height)
        return sample_fields, ImportedGold(payload.canonical(text), masks, fields["verification"])
    except BadPayload as fault:
        raise BadFile(FileProblem.BAD_GROUND_TRUTH, why=fault.as_json()) from None


def record_gold(*, sample: Sample, gold: ImportedGold) -> None:
    """Store the version and send the sample to second review, within the transaction that creates the sample."""
    Sample.objects.filter(pk=sample.pk).update(gold_status=gold.status)
    Label.objects.create(
        sample=sample,
        stage=Stage.LABEL,
        round=1,
        text=gold.text,
        masks=gold.masks,
        image_hash=sample.pixel_hash,
    )
    make_move(work=Work.objects.get(sample=sample), verb=Verb.BROUGHT, actor=None, role=Actor.SYSTEM)


def escalate_imported_dispute(*, sample: Sample, reviewer: User) -> None:
    """Send a review that differs from the imported version to the adjudicators: there is no one to discuss it with."""
    dispute = Dispute.objects.filter(sample=sample, closed_at=None).select_related("primary").first()
    if dispute is not None and dispute.primary.assignment_id is None:
        reason = gettext("The first version was imported, so there is no one to discuss it with.")
        escalate_dispute(actor=reviewer, role=Actor.REVIEWER, dispute=dispute, reason=reason)


def _text(structure: str, fields: Mapping[str, Any], width: int, height: int) -> str:
    if structure != Structure.FORMULA:
        return str(fields["ground_truth"])
    regions = fields.get("regions")
    if not regions:  # one formula: the whole image
        regions = [{"polygon": whole_image(width, height), "latex": fields["ground_truth"]}]
    return json.dumps({"regions": _with_ids(regions, "r")})


def _with_ids(entries: list[Any], letter: str) -> list[Any]:
    """The entries with an id each, without the numbers of a record, and with coordinates in whole pixels."""
    identified = []
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, dict):
            entry = {"id": f"{letter}{number}"} | {k: v for k, v in entry.items() if k != "number"}
            for name in ("polygon", "points"):
                if name in entry:
                    entry[name] = _whole(entry[name])
            if isinstance(entry.get("width"), float):
                entry["width"] = max(1, round(entry["width"]))
        identified.append(entry)
    return identified


def _whole(points: Any) -> Any:
    """Points rounded to whole pixels; anything that is not points, as it is."""
    if not isinstance(points, list | tuple):
        return points
    return [
        [round(side) if isinstance(side, float) and abs(side) < 1e9 else side for side in point]
        if isinstance(point, list | tuple)
        else point
        for point in points
    ]
