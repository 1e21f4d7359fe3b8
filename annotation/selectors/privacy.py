"""Pages that may still show a name that was redacted on another copy of the same page. No content."""

from __future__ import annotations

from django.db.models import Exists, Max, OuterRef

from annotation.models import DuplicatePair, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.stages import Intake

MAX_ROWS = 200


def samples_still_showing(project: Project) -> list[Sample]:
    """Samples that a manager should check and send to the screeners, by number.

    These are samples with the same image as a redacted one (released before the redaction, or found clean by another
    screener), and samples in a pair with a redacted page that were not screened since: two pages that were kept as
    different may contain the same name.
    """
    visible = Sample.objects.filter(project=project).exclude(intake__in=[Intake.SCREENING, Intake.EXCLUDED])
    redacted = Sample.objects.filter(project=project, unredacted_pixel_hash=OuterRef("pixel_hash")).exclude(
        unredacted_pixel_hash=""
    )
    sample_ids = set(visible.filter(Exists(redacted)).values_list("pk", flat=True))
    pairs = DuplicatePair.objects.filter(project=project).exclude(decision=DuplicateDecision.MOOT)
    for side, other in (("first", "second"), ("second", "first")):
        rows = pairs.exclude(**{f"{side}__unredacted_blob": ""}).filter(**{f"{other}__unredacted_blob": ""})
        since = rows.annotate(
            redacted_at=Max(f"{side}__screenings__done_at"), looked_at=Max(f"{other}__screenings__done_at")
        )
        for pk, redacted_at, looked_at in since.values_list(other, "redacted_at", "looked_at"):
            if looked_at is None or (redacted_at is not None and looked_at < redacted_at):
                sample_ids.add(pk)
    return list(visible.filter(pk__in=sample_ids).order_by("number")[:MAX_ROWS])
