"""Hold the two versions against each other, field by field: agreement verifies, anything else is discussed."""

from __future__ import annotations

from django.utils import timezone

from annotation.models import Dispute, Field, Label, Work
from annotation.models.label import Origin
from annotation.services.move import Outcome, make_move
from annotation.stages import Actor, Stage, Verb
from evaluation.metrics import edit
from evaluation.payloads.fields import FieldPair
from evaluation.payloads.text import join_lines, pair_lines


def agreement(pairs: list[FieldPair], first: str, second: str) -> dict[str, float | int | None]:
    """Fields, equal fields, their share (None without fields), and the edit distance between the versions."""
    equal = sum(pair.is_equal for pair in pairs)
    return {
        "fields": len(pairs),
        "equal": equal,
        "share": equal / len(pairs) if pairs else None,
        "edit": edit(second, first, preset="none").value,
    }


def agree_or_dispute(*, work: Work, second: Label) -> None:
    """Verify the sample when every line is equal, else open the discussion with both versions frozen."""
    primary = Label.objects.get(sample=work.sample, stage=Stage.LABEL, round=work.round)
    pairs = pair_lines(primary.text, second.text)
    report = agreement(pairs, primary.text, second.text)
    reviewer = second.assignment.person if second.assignment else None
    if all(pair.is_equal for pair in pairs):
        make_move(work, Verb.AGREE, actor=reviewer, role=Actor.REVIEWER, outcome=Outcome(data=report))
        freeze_agreed(
            work=work,
            lines=[pair.first or "" for pair in pairs],
            origins=[Origin.AGREED] * len(pairs),
            parent=second,
        )
        return
    make_move(work, Verb.DISPUTE, actor=reviewer, role=Actor.REVIEWER, outcome=Outcome(data=report))
    dispute = Dispute.objects.create(
        sample=work.sample, round=work.round, primary=primary, second=second, agreement_before=report
    )
    now = timezone.now()
    Field.objects.bulk_create(
        Field(
            dispute=dispute,
            position=position,
            primary_text=pair.first,
            second_text=pair.second,
            text=pair.first if pair.is_equal else None,
            origin=Origin.AGREED if pair.is_equal else "",
            is_disputed=not pair.is_equal,
            settled_at=now if pair.is_equal else None,
        )
        for position, pair in enumerate(pairs)
    )


def freeze_agreed(*, work: Work, lines: list[str], origins: list[Origin], parent: Label) -> Label:
    """Write the sample's agreed label: its lines in order, and where each came from."""
    return Label.objects.create(
        sample=work.sample,
        stage=Stage.DONE,
        round=work.round,
        text=join_lines(lines),
        origins=[str(origin) for origin in origins],
        parent=parent,
        guideline=parent.guideline,
        image_hash=work.sample.pixel_hash,
    )
