"""Pages that may still show a name which was redacted on another copy of the same page. Numbers only, no content."""

from __future__ import annotations

from django.db.models import Exists, Max, OuterRef

from annotation.models import DuplicatePair, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.stages import Intake

MOST_ROWS = 200


def still_showing(project: Project) -> list[Sample]:
    """Samples of the project, by number, that a manager should look at and send to the screeners.

    Those that show the very image on which names were redacted elsewhere in it: released before it was known,
    or found clean by another screener. And those in a pair with a redacted page that nobody has screened since it was:
    two pages kept as different ones may hold the same name.
    """
    open_ones = Sample.objects.filter(project=project).exclude(intake__in=[Intake.SCREENING, Intake.EXCLUDED])
    redacted = Sample.objects.filter(project=project, unredacted_pixel_hash=OuterRef("pixel_hash")).exclude(
        unredacted_pixel_hash=""
    )
    found = set(open_ones.filter(Exists(redacted)).values_list("pk", flat=True))
    pairs = DuplicatePair.objects.filter(project=project).exclude(decision=DuplicateDecision.MOOT)
    for one, other in (("first", "second"), ("second", "first")):
        rows = pairs.exclude(**{f"{one}__unredacted_blob": ""}).filter(**{f"{other}__unredacted_blob": ""})
        since = rows.annotate(
            redacted_at=Max(f"{one}__screenings__done_at"), looked_at=Max(f"{other}__screenings__done_at")
        )
        for pk, redacted_at, looked_at in since.values_list(other, "redacted_at", "looked_at"):
            if looked_at is None or (redacted_at is not None and looked_at < redacted_at):
                found.add(pk)
    return list(open_ones.filter(pk__in=found).order_by("number")[:MOST_ROWS])
