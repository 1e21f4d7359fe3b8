"""Send pages to the screeners and restrict their images until a screener has looked at them.

Redactions made on one page are looked for on every copy of it: copies that people work on are screened too.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.models import Event, Sample, Screening, Work
from annotation.selectors.redactions import copies_of
from annotation.selectors.releases import was_released
from annotation.selectors.screening_queue import may_be_screened_again
from annotation.services.move_work import ReasonMissing, StaleWork
from annotation.services.return_work import move_work_as_manager
from annotation.stages import Intake, Stage, Status, Verb
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.services import restrict_images
from config.transactions import locked, retries_conflicts


def open_screening(*, sample: Sample, by: User | None = None, reason: str = "") -> Screening:
    """Open the next round of screening and restrict the sample's images.

    Within a transaction; the caller sets the intake.
    """
    last = sample.screenings.aggregate(round=Max("round"))["round"] or 0
    before = sample.screenings.filter(round=last).first()
    restrict_unless_shown(sample, sample.full_blob, sample.released_blob, sample.unredacted_blob)
    return Screening.objects.create(
        sample=sample, round=last + 1, areas=before.areas if before else [], reason=reason, asked_by=by
    )


def restrict_unless_shown(sample: Sample, *blobs: str) -> None:
    """Restrict images, except those of another page that people work on (the same scan imported twice).

    A duplicate that waits for a decision is not shown yet; if it is kept, it is screened first.
    """
    others = Sample.objects.filter(project=sample.project_id).exclude(pk=sample.pk)
    ready = others.filter(intake=Intake.READY)
    shown = {
        blob
        for row in ready.filter(Q(full_blob__in=blobs) | Q(released_blob__in=blobs))
        for blob in (row.full_blob, row.released_blob)
    }
    restrict_images(sample.project.team, set(blobs) - shown)


# The manager's moves that return a sample in progress to its annotator, by its position.
_BACK: dict[tuple[Stage, Status], tuple[Verb, ...]] = {
    (Stage.LABEL, Status.HELD): (Verb.RELEASE,),
    (Stage.VERIFY, Status.OPEN): (Verb.RETURN,),
    (Stage.VERIFY, Status.HELD): (Verb.RELEASE, Verb.RETURN),
    (Stage.ADJUDICATE, Status.OPEN): (Verb.RETURN,),
    (Stage.ADJUDICATE, Status.SUBMITTED): (Verb.WITHDRAW, Verb.RESTORE),
    (Stage.ADJUDICATE, Status.HELD): (Verb.WITHDRAW, Verb.RESTORE),
    (Stage.DONE, Status.SUBMITTED): (Verb.REOPEN,),
}


def send_to_screening(*, sample: Sample, by: User, reason: str, verb: str = "screen_again") -> Screening:
    """Restrict the page and queue it for the screeners; work on it returns to its annotator.

    Within a transaction that has locked the sample, for which `may_be_screened_again` holds.
    """
    work = Work.objects.filter(sample=sample).first()
    if work is not None:
        for move in _BACK.get((Stage(work.stage), Status(work.status)), ()):
            move_work_as_manager(sample=sample, verb=move, manager=by, reason=reason)
    screening = open_screening(sample=sample, by=by, reason=reason)
    Sample.objects.filter(pk=sample.pk).update(intake=Intake.SCREENING)
    Event.objects.create(sample=sample, verb=verb, actor=by, reason=reason, data={"round": screening.round})
    return screening


def send_copies_to_screening(
    *, sample: Sample, images: set[str], areas: list[dict[str, object]], by: User
) -> None:
    """Send the copies of a redacted page to the screeners, as far as people work on them.

    Their screening starts from `areas` where the images are the same. A copy that waits for a duplicate decision is
    screened if it is kept; a released copy cannot be recalled (`selectors.privacy` lists it). Within a transaction,
    before the page's images are restricted.
    """
    reason = _("Names were redacted on sample %(number)s, which shows the same page.") % {
        "number": sample.number
    }
    for copy in locked(copies_of(sample, images=images).select_related("project__team")):
        if copy.intake == Intake.READY and not was_released(copy):
            send_to_screening(sample=copy, by=by, reason=reason, verb="screen_copy")
        if copy.pixel_hash in images and (copy.full_width, copy.full_height) == (
            sample.full_width,
            sample.full_height,
        ):
            copy.screenings.filter(done_at=None, areas=[]).update(areas=areas)


class AlreadyReleased(ApplicationError):
    """A release holds the sample's image, which can no longer be recalled."""

    kind = "released"
    msgid = gettext_noop("This image is part of a release, and releases do not change.")


@retries_conflicts
def rescreen_sample(*, sample: Sample, manager: User, reason: str) -> Screening:
    """Send a sample to the screeners again, as a manager; work on it returns to its annotator.

    Raises ReasonMissing, AlreadyReleased, StaleWork (it is being screened, or excluded).
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        stored = locked(Sample.objects.select_related("project__team")).get(pk=sample.pk)
        if was_released(stored):
            raise AlreadyReleased
        if not may_be_screened_again(stored):
            raise StaleWork
        return send_to_screening(sample=stored, by=manager, reason=reason.strip())
