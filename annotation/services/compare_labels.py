"""Hold the two versions against each other, field by field: agreement verifies, anything else is discussed."""

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
    """From which overlap on this project takes two outlines for one, and for agreed."""
    return AgreementThresholds(project.region_pair_iou, project.region_agree_iou)


def pair_fields(sample: Sample, first: Label, second: Label) -> list[FieldPair]:
    """Every field of two labels of one sample: those of the structure, then the masks."""
    limits = agreement_thresholds_of(sample.project)
    fields = payload_for(sample.structure).pair(first.text, second.text, limits)
    return fields + pair_masks(first.masks, second.masks, limits)


def measure_agreement(
    sample: Sample, first: Label, second: Label, pairs: Sequence[FieldPair]
) -> dict[str, Any]:
    """Fields, equal fields and their share (None without fields), the same for each kind, and the distance of the
    versions in the structure's own metric (`distance`)."""
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
    """How far two versions lie apart: {"edit": ...} of texts, {"teds": ...} of tables, {"cdm": ...} of formulas.

    CDM is the mean over the formulas of either version; one that only one version has counts 0. None: undefined.
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
    """Verify the sample when every field is equal, else open the discussion with both versions frozen.

    `reason` is the reviewer's for what they handed in, and stands in the history.
    """
    primary = Label.objects.get(sample=work.sample, stage=Stage.LABEL, round=work.round)
    pairs = pair_fields(work.sample, primary, second)
    report = measure_agreement(work.sample, primary, second, pairs)
    reviewer = second.assignment.person if second.assignment else None
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
    """A stored field as the payloads know it."""
    kind = FieldKind(field.kind)
    return FieldPair(kind, field.key, field.primary_text, field.second_text, not field.is_disputed)


def freeze_agreed_label(
    *, work: Work, settled: Sequence[SettledField], origins: Sequence[Origin], parent: Label
) -> Label:
    """Write the sample's agreed label from its settled fields, and where each field came from.

    What nobody touched is carried as the annotator handed it in.
    """
    content = [at for at, one in enumerate(settled) if one.pair.kind is not FieldKind.MASK]
    covers = [at for at, one in enumerate(settled) if one.pair.kind is FieldKind.MASK]
    made = payload_for(work.sample.structure).assemble([settled[at] for at in content])
    masks, mask_sources = assemble_masks([settled[at] for at in covers])
    sources = [content[at] for at in made.sources] + [covers[at] for at in mask_sources]
    return Label.objects.create(
        sample=work.sample,
        stage=Stage.DONE,
        round=work.round,
        text=made.text,
        masks=masks,
        origins=[str(origins[at]) for at in sources],
        parent=parent,
        guideline=parent.guideline,
        image_hash=work.sample.pixel_hash,
    )
