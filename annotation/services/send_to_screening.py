"""Send a page that is under way to the screeners, and with it every copy of its image."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import Event, Sample, Screening, Work
from annotation.services.restrict_images import request_screening
from annotation.services.return_work import move_as_manager
from annotation.stages import Intake, Stage, Status, Verb
from config.accounts.models import User

# What takes a sample that is under way out of everybody's hands and back to the annotator, from where it stands.
_BACK: dict[tuple[Stage, Status], tuple[Verb, ...]] = {
    (Stage.LABEL, Status.HELD): (Verb.RELEASE,),
    (Stage.VERIFY, Status.OPEN): (Verb.RETURN,),
    (Stage.VERIFY, Status.HELD): (Verb.RELEASE, Verb.RETURN),
    (Stage.ADJUDICATE, Status.OPEN): (Verb.RETURN,),
    (Stage.ADJUDICATE, Status.SUBMITTED): (Verb.WITHDRAW, Verb.RESTORE),
    (Stage.ADJUDICATE, Status.HELD): (Verb.WITHDRAW, Verb.RESTORE),
    (Stage.DONE, Status.SUBMITTED): (Verb.REOPEN,),
}


def can_be_sent(sample: Sample) -> bool:
    """True for a sample that is past screening, not excluded, and in no release."""
    return sample.intake in (Intake.READY, Intake.DUPLICATE) and not is_released(sample)


def is_released(sample: Sample) -> bool:
    return sample.events.filter(verb="released").exists()


def send_to_screening(sample: Sample, *, by: User, reason: str, verb: str = "screen_again") -> Screening:
    """Shut the page and put it into the screeners' queue; work on it goes back to its annotator.

    Within a transaction that has locked the sample, which `can_be_sent`.
    """
    work = Work.objects.filter(sample=sample).first()
    if work is not None:
        for move in _BACK.get((Stage(work.stage), Status(work.status)), ()):
            move_as_manager(sample=sample, verb=move, manager=by, reason=reason)
    screening = request_screening(sample, by=by, reason=reason)
    Sample.objects.filter(pk=sample.pk).update(intake=Intake.SCREENING)
    Event.objects.create(sample=sample, verb=verb, actor=by, reason=reason, data={"round": screening.round})
    return screening


def copies_of(sample: Sample, *, images: set[str]) -> QuerySet[Sample]:
    """Other samples of the project that show one of `images` (pixel hashes) or came as the very same page."""
    same_page = Q(
        original_blob=sample.original_blob, page_number=sample.page_number, unredacted_pixel_hash=""
    )
    return (
        Sample.objects.filter(Q(pixel_hash__in=images) | same_page, project=sample.project_id)
        .exclude(pk=sample.pk)
        .exclude(intake=Intake.EXCLUDED)
    )


def send_copies(sample: Sample, *, images: set[str], areas: list[dict[str, object]], by: User) -> None:
    """What was redacted on a page still stands on its copies: those that people work on are screened too.

    The screener begins with `areas`, the ones of the first page, where the images are the same. A copy that waits for
    a decision is screened if it is kept; a released one cannot be called back (`selectors.privacy` lists it).
    Within a transaction, before the page's images are shut.
    """
    reason = _("Names were redacted on sample %(number)s, which shows the same page.") % {
        "number": sample.number
    }
    copies = copies_of(sample, images=images).select_for_update(of=("self",)).select_related("project__team")
    for copy in copies.order_by("pk"):
        if copy.intake == Intake.READY and not is_released(copy):
            send_to_screening(copy, by=by, reason=reason, verb="screen_copy")
        if copy.pixel_hash in images and (copy.full_width, copy.full_height) == (
            sample.full_width,
            sample.full_height,
        ):
            copy.screenings.filter(done_at=None, areas=[]).update(areas=areas)
