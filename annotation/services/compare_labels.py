"""Compare two versions of a label field by field: equal versions are verified, others are discussed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from django.utils import timezone

from annotation.models import Dispute, Field, Label, Project, Sample, Work
from annotation.models.label import Origin
from annotation.services.move_work import Outcome, make_move
from annotation.stages import Actor, Stage, Verb
from evaluation.metrics import edit, teds
from evaluation.metrics.cdm import cdm
from evaluation.payloads.fields import AgreementThresholds, FieldKind, FieldPair, SettledField
from evaluation.payloads.masks import assemble_masks, pair_masks
from evaluation.payloads.registry import payload_for


def agreement_thresholds_of(project: Project) -> AgreementThresholds:
    """The overlaps from which two outlines of this project are the same region, and agree."""
    return AgreementThresholds(project.region_pair_iou, project.region_agree_iou)


def pair_fields(sample: Sample, first: Label, second: Label) -> list[FieldPair]:
    """The fields of two labels of a sample in pairs: those of the structure, then the masks."""
    thresholds = agreement_thresholds_of(sample.project)
    fields = payload_for(sample.structure).pair(first.text, second.text, thresholds)
    return fields + pair_masks(first.masks, second.masks, thresholds)


def measure_agreement(
    sample: Sample, first: Label, second: Label, pairs: Sequence[FieldPair]
) -> dict[str, Any]:
    """Number of fields, of equal fields, and their share 0..1 (None without fields), in all and by kind; and the
    distance of the versions (`measure_distance`).
    """
    kinds = {
        str(kind): _count([pair for pair in pairs if pair.kind is kind])
        for kind in FieldKind
        if any(pair.kind is kind for pair in pairs)
    }
    return {**_count(pairs), "kinds": kinds, **measure_distance(sample, first.text, second.text)}


def _count(pairs: Sequence[FieldPair]) -> dict[str, float | int | None]:
    equal = sum(pair.is_equal for pair in pairs)
    return {"fields": len(pairs), "equal": equal, "share": equal / len(pairs) if pairs else None}


def measure_distance(sample: Sample, first: str, second: str) -> dict[str, float | None]:
    """The distance of two versions, 0..1: {"edit": ...} of texts, {"teds": ...} of tables, {"cdm": ...} of formulas.

    CDM is the mean over the formulas of either version, with 0 for a formula that only one of them has. None where the
    metric is undefined.
    """
    match sample.structure:
        case "table":
            return {"teds": teds(second, first).value}
        case "formula":
            return {
                "cdm": _mean_cdm(
                    payload_for("formula").pair(first, second, agreement_thresholds_of(sample.project))
                )
            }
        case _:
            return {"edit": edit(second, first, preset="none").value}


def _mean_cdm(pairs: Sequence[FieldPair]) -> float | None:
    shares = []
    for pair in pairs:
        if pair.kind is FieldKind.LATEX:
            shares.append(1.0 if pair.is_equal else cdm(pair.second, pair.first).value or 0.0)
        elif pair.kind is FieldKind.REGION and (pair.first is None or pair.second is None):
            shares.append(0.0)
    return fmean(shares) if shares else None


def conclude_review(*, work: Work, second: Label, reason: str = "") -> None:
    """Verify the sample when every field is equal; otherwise open the discussion of both versions.

    `reason` is the reviewer's explanation of unmatched masks (`submit_label`), kept in the history.
    """
    primary = Label.objects.get(sample=work.sample, stage=Stage.LABEL, round=work.round)
    pairs = pair_fields(work.sample, primary, second)
    report = measure_agreement(work.sample, primary, second, pairs)
    reviewer = second.assignment.person if second.assignment else None
    if second.assignment:
        report["mode"] = second.assignment.mode
    if all(pair.is_equal for pair in pairs):
        make_move(
            work=work,
            verb=Verb.AGREE,
            actor=reviewer,
            role=Actor.REVIEWER,
            reason=reason,
            outcome=Outcome(data=report),
        )
        settled = [SettledField(pair, pair.first) for pair in pairs]
        freeze_agreed_label(work=work, settled=settled, origins=[Origin.AGREED] * len(pairs), parent=second)
        return
    make_move(
        work=work,
        verb=Verb.DISPUTE,
        actor=reviewer,
        role=Actor.REVIEWER,
        reason=reason,
        outcome=Outcome(data=report),
    )
    dispute = Dispute.objects.create(
        sample=work.sample, round=work.round, primary=primary, second=second, agreement_before=report
    )
    now = timezone.now()
    Field.objects.bulk_create(
        Field(
            dispute=dispute,
            position=position,
            kind=pair.kind,
            key=pair.key,
            primary_text=pair.first,
            second_text=pair.second,
            text=pair.first if pair.is_equal else None,
            origin=Origin.AGREED if pair.is_equal else "",
            is_disputed=not pair.is_equal,
            settled_at=now if pair.is_equal else None,
        )
        for position, pair in enumerate(pairs)
    )


def field_pair_of(field: Field) -> FieldPair:
    """A stored field as a pair for the payloads."""
    kind = FieldKind(field.kind)
    return FieldPair(kind, field.key, field.primary_text, field.second_text, not field.is_disputed)


def freeze_agreed_label(
    *, work: Work, settled: Sequence[SettledField], origins: Sequence[Origin], parent: Label
) -> Label:
    """Write the sample's agreed label from its settled fields, with the origin of each.

    Fields that nobody changed are as the annotator submitted them.
    """
    text_fields = [i for i, field in enumerate(settled) if field.pair.kind is not FieldKind.MASK]
    mask_fields = [i for i, field in enumerate(settled) if field.pair.kind is FieldKind.MASK]
    assembled = payload_for(work.sample.structure).assemble([settled[i] for i in text_fields])
    masks, mask_sources = assemble_masks([settled[i] for i in mask_fields])
    sources = [text_fields[i] for i in assembled.sources] + [mask_fields[i] for i in mask_sources]
    return Label.objects.create(
        sample=work.sample,
        stage=Stage.DONE,
        round=work.round,
        text=assembled.text,
        masks=masks,
        origins=[str(origins[i]) for i in sources],
        parent=parent,
        guideline=parent.guideline,
        image_hash=work.sample.pixel_hash,
    )
