"""A manager asks for another screening, or opens the unredacted page; both stand in the sample's history."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Event, Sample, Screening, Work
from annotation.services.move import ReasonMissing, Stale
from annotation.services.review import move_as_manager
from annotation.services.screen import unredacted_of
from annotation.services.shutting import ask_for_screening
from annotation.stages import Intake, Stage, Status, Verb
from config.accounts.models import Role, User
from config.exposure.services import Saw, record_exposure
from config.pictures import private_picture_token

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


class AlreadyReleased(Exception):
    """A release holds the sample's picture; it cannot be called back by screening it again."""


def can_screen_again(sample: Sample) -> bool:
    """True for a sample that is past screening, not excluded, and in no release."""
    return sample.intake in (Intake.READY, Intake.DUPLICATE) and not _is_released(sample)


def _is_released(sample: Sample) -> bool:
    return sample.events.filter(verb="released").exists()


def screen_again(*, sample: Sample, manager: User, reason: str) -> Screening:
    """Shut the page at once and put it into the screeners' queue; work on it goes back to its annotator.

    Raises ReasonMissing, AlreadyReleased, Stale (it is being screened, or excluded).
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        locked = Sample.objects.select_for_update().select_related("project__team").get(pk=sample.pk)
        if _is_released(locked):
            raise AlreadyReleased
        if not can_screen_again(locked):
            raise Stale
        work = Work.objects.filter(sample=locked).first()
        if work is not None:
            for verb in _BACK.get((Stage(work.stage), Status(work.status)), ()):
                move_as_manager(sample=locked, verb=verb, manager=manager, reason=reason)
        screening = ask_for_screening(locked, by=manager, reason=reason.strip())
        Sample.objects.filter(pk=locked.pk).update(intake=Intake.SCREENING)
        Event.objects.create(
            sample=locked,
            verb="screen_again",
            actor=manager,
            reason=reason.strip(),
            data={"round": screening.round},
        )
    return screening


def open_unredacted(*, sample: Sample, manager: User) -> str:
    """A private token for the page as it came, and an event that says who opened it."""
    blob, image_hash = unredacted_of(sample)
    with transaction.atomic():
        Event.objects.create(sample=sample, verb="unredacted_opened", actor=manager)
        for seen in {image_hash, sample.pixel_hash}:
            record_exposure(
                user=manager, image_hash=seen, role=Role.MANAGER, saw=Saw.IMAGE, place="sample/unredacted"
            )
    return private_picture_token(person=manager, blob=blob, team=sample.project.team)
