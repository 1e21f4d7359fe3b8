"""What the editor holds when a person first opens their seat."""

from __future__ import annotations

from annotation.models import Assignment, Label
from annotation.models.project import VerificationMode
from annotation.stages import Stage


def opening_text(seat: Assignment) -> str:
    """The text a new seat starts from.

    LABEL: empty the first time; after a return or a reopening, the newest text of the sample that the annotator may
    see (the agreed one, or their own last). VERIFY: the primary's in mode `verify`, empty in `double-blind`.
    """
    if seat.stage == Stage.VERIFY:
        if seat.mode == VerificationMode.DOUBLE_BLIND:
            return ""
        return primary_label(seat).text
    if seat.stage == Stage.LABEL and seat.round > 1:
        rows = Label.objects.filter(sample=seat.sample, round__lt=seat.round).order_by("-round", "-pk")
        agreed = rows.filter(stage=Stage.DONE).first()
        own = rows.filter(stage=Stage.LABEL, assignment__person=seat.person).first()
        newest = max((label for label in (agreed, own) if label), key=lambda label: label.pk, default=None)
        return newest.text if newest else ""
    return ""


def primary_label(seat: Assignment) -> Label:
    """The primary's frozen label in this seat's round."""
    return Label.objects.get(sample=seat.sample, stage=Stage.LABEL, round=seat.round)
