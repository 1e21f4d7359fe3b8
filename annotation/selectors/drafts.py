"""What a new assignment starts from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from annotation.models import Assignment, Label
from annotation.models.project import VerificationMode
from annotation.stages import Stage


@dataclass(frozen=True, slots=True)
class InitialDraft:
    """The text and masks of a draft."""

    text: str = ""
    masks: list[dict[str, Any]] = field(default_factory=list)


def initial_draft(assignment: Assignment) -> InitialDraft:
    """The text and masks a new assignment starts from.

    LABEL: empty in the first round; after a return or a reopening, the newest label that the annotator may see (the
    agreed one, their own last, or the imported one). VERIFY: the primary's in mode `verify`, empty in `double-blind`.
    """
    label: Label | None = None
    if assignment.stage == Stage.VERIFY and assignment.mode == VerificationMode.VERIFY:
        label = primary_label(assignment)
    elif assignment.stage == Stage.LABEL and assignment.round > 1:
        rows = Label.objects.filter(sample=assignment.sample, round__lt=assignment.round).order_by(
            "-round", "-pk"
        )
        agreed = rows.filter(stage=Stage.DONE).first()
        own_or_imported = Q(assignment__person=assignment.person) | Q(assignment=None)
        own = rows.filter(own_or_imported, stage=Stage.LABEL).first()
        label = max((row for row in (agreed, own) if row), key=lambda row: row.pk, default=None)
    return InitialDraft(label.text, label.masks) if label else InitialDraft()


def primary_label(assignment: Assignment) -> Label:
    """The primary's label of this assignment's round."""
    return Label.objects.get(sample=assignment.sample, stage=Stage.LABEL, round=assignment.round)
