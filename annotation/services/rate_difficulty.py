"""Difficulty ratings. A sample has `raters_per_sample` places: raters claim, release and fill them.

A rater sees the image and the scale, no label and no other rating. A place becomes free when its lease runs out; what
its rater has chosen is kept for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, ExpressionWrapper, F, Value
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.difficulty import check_scores
from annotation.models import Event, Project, Rating, Sample
from annotation.selectors.rating_queue import eligible_samples, held_rating
from annotation.selectors.work_queue import lease_end
from annotation.services.move_work import NotAllowed
from annotation.services.renew_lease import AssignmentClosed, LeaseLost
from annotation.services.save_draft import WrongImage
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.services import hold_role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.transactions import locked, retries_conflicts
from evaluation.payloads.text import validate_text

_PRIME = 2_147_483_647  # n -> (n * factor + shift) mod a prime is a permutation, cheap in any database


class RatingClosed(AssignmentClosed):
    """The rating has been submitted."""

    msgid = gettext_noop("This rating has already been submitted and can no longer be changed.")


class RatingNotNeeded(LeaseLost):
    """The sample has all its ratings, and no place is free."""

    msgid = gettext_noop("This sample now has all the ratings it needs. Yours is no longer needed.")


class RatingImageChanged(WrongImage):
    """The levels were chosen for another image than the sample's."""

    msgid = gettext_noop("The image of this sample has changed. Reload the page and look again.")


@retries_conflicts
def claim_rating(*, person: User, project: Project) -> Rating | None:
    """The rating the person holds, or one for the next eligible sample; None when there is none.

    The sample's row is locked while its places are counted, so no more than `raters_per_sample` people hold one,
    however many ask at once; one person who asks several times at once gets one. Raises NotAllowed without the role.
    """
    with transaction.atomic():
        if not hold_role(team=project.team, user=person, role=Role.DIFFICULTY_RATER):
            raise NotAllowed("no rater role")
        held = held_rating(person, project)
        if held is not None and _renew(held):
            return held
        while True:
            try:
                # A savepoint: a sample without a place is unlocked before another one is waited for.
                with transaction.atomic():
                    return _hold_next(person, project)
            except RatingNotNeeded:
                continue


def _hold_next(person: User, project: Project) -> Rating | None:
    """A rating of the next eligible sample; None without one. Raises RatingNotNeeded when others were faster."""
    sample = _pick(person, project)
    if sample is None:
        return None
    slot = _free_slot(sample, project)
    if slot is None:
        raise RatingNotNeeded
    return _hold(sample, person, project, slot)


def _pick(person: User, project: Project) -> Sample | None:
    """The next sample in the person's own order, samples with ratings first. Its row is locked."""
    digest = hashlib.sha256(f"{project.pk}/{project.queue_seed}/{person.pk}/rate".encode()).digest()
    factor = int.from_bytes(digest[:8], "big") % (_PRIME - 1) + 1
    shuffled = ExpressionWrapper(F("pk") * Value(factor) % Value(_PRIME), output_field=BigIntegerField())
    order = eligible_samples(person, project).annotate(shuffled=shuffled).order_by("-taken", "shuffled")
    # A second statement, since rows that are grouped to count their places cannot be locked.
    first = order.values_list("pk", flat=True).first()
    return None if first is None else locked(Sample.objects.filter(pk=first)).get()


def _free_slot(sample: Sample, project: Project) -> int | None:
    """The lowest free place, after freeing those whose lease ran out. The sample's row must be locked."""
    Rating.objects.filter(sample=sample, submitted_at=None, lease_until__lt=timezone.now()).update(slot=None)
    taken = set(Rating.objects.filter(sample=sample, slot__isnull=False).values_list("slot", flat=True))
    free = (slot for slot in range(1, project.raters_per_sample + 1) if slot not in taken)
    return next(free, None) if len(taken) < project.raters_per_sample else None


def _hold(sample: Sample, person: User, project: Project, slot: int) -> Rating:
    rating, _created = Rating.objects.get_or_create(sample=sample, person=person)
    rating.slot, rating.lease_until = slot, lease_end(project)
    rating.save(update_fields=["slot", "lease_until"])
    record_exposure(
        user=person,
        image_hash=sample.pixel_hash,
        role=Role.DIFFICULTY_RATER,
        saw=SeenContent.IMAGE,
        place="rate",
    )
    return rating


def _renew(rating: Rating) -> bool:
    """Renew the lease. Returns False when the person no longer has the place."""
    until = lease_end(rating.sample.project)
    renewed = Rating.objects.filter(
        pk=rating.pk, submitted_at=None, slot__isnull=False, sample__intake=Intake.READY
    ).update(lease_until=until)
    rating.lease_until = until
    return bool(renewed)


@retries_conflicts
def save_rating(*, rating: Rating, scores: Mapping[str, Any], note: str = "") -> None:
    """Save an unfinished rating and renew the lease. Raises BadScores, BadText, AssignmentClosed, LeaseLost."""
    checked = check_scores(scores, is_complete=False)
    validate_text(note)
    with transaction.atomic():
        _require_place(rating)
        Rating.objects.filter(pk=rating.pk).update(scores=checked, note=note)


@retries_conflicts
def submit_rating(*, rating: Rating, scores: Mapping[str, Any], note: str = "", image_hash: str) -> Rating:
    """Submit a rating, which cannot be changed afterwards. The same rating again returns the first.

    Raises BadScores (a dimension without a score), BadText, WrongImage, AssignmentClosed (submitted with other scores),
    LeaseLost (somebody else has the place and none is free).
    """
    if image_hash != rating.sample.pixel_hash:
        raise RatingImageChanged
    checked = check_scores(scores, is_complete=True)
    validate_text(note)
    with transaction.atomic():
        _lock_sample(rating)
        stored = Rating.objects.get(pk=rating.pk)
        if stored.submitted_at is not None:
            if stored.scores == checked:
                return stored
            raise RatingClosed
        _require_place(rating)
        now = timezone.now()
        Rating.objects.filter(pk=rating.pk).update(scores=checked, note=note, submitted_at=now)
        Event.objects.create(sample=rating.sample, verb="rated", actor=rating.person)
    return Rating.objects.get(pk=rating.pk)


@retries_conflicts
def release_rating(*, rating: Rating, is_skipped: bool) -> None:
    """Release the place; `is_skipped` also removes the sample from the person's own queue. Raises AssignmentClosed."""
    with transaction.atomic():
        _lock_sample(rating)
        changed = Rating.objects.filter(pk=rating.pk, submitted_at=None).update(
            slot=None, lease_until=None, skipped_at=timezone.now() if is_skipped else None
        )
        if not changed:
            raise RatingClosed


def _require_place(rating: Rating) -> None:
    """Renew the place, or take a free one for a person who comes back. Raises AssignmentClosed, LeaseLost."""
    with transaction.atomic():
        _lock_sample(rating)
        stored = Rating.objects.select_related("sample__project").get(pk=rating.pk)
        if stored.submitted_at is not None:
            raise RatingClosed
        if _renew(stored):
            return
        project = stored.sample.project
        slot = _free_slot(stored.sample, project) if stored.sample.intake == Intake.READY else None
        if slot is None:
            raise RatingNotNeeded
        Rating.objects.filter(pk=stored.pk).update(slot=slot, lease_until=lease_end(project), skipped_at=None)


def _lock_sample(rating: Rating) -> None:
    locked(Sample.objects.filter(pk=rating.sample_id)).get()
