"""Rating how hard a page is: places are taken, given back when their lease runs out, and filled once each.

A sample has `raters_per_sample` places. Whoever holds one sees the image and the guideline of the scale, nothing
of labels and nothing of other ratings. An abandoned place falls free; what its holder chose is kept for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Count, ExpressionWrapper, F, Min, Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.difficulty import check_scores
from annotation.models import Assignment, Event, Project, Rating, Sample
from annotation.services.claim_work import lease_end
from annotation.services.move_work import NotAllowed
from annotation.services.save_draft import AssignmentClosed, LeaseLost, WrongImage
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.reservations import reserved_for
from config.exposure.services import SeenContent, exposures_of, record_exposure
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


def taken_places() -> Q:
    """Ratings that take up a place: handed in, or in hand with a lease that runs."""
    return Q(ratings__slot__isnull=False) & (
        Q(ratings__submitted_at__isnull=False) | Q(ratings__lease_until__gte=timezone.now())
    )


def eligible_samples(person: User, project: Project) -> QuerySet[Any]:
    """Samples with a free place that this person may rate, each with `taken` places. One home of who may.

    Not those they rated or passed by, and none whose label content they know: by a second review or an adjudication
    of it, or because they opened it. None that they are still to read in a baseline. The primary annotator may be one
    of the raters.
    """
    knows = Assignment.objects.filter(person=person, stage__in=[Stage.VERIFY, Stage.ADJUDICATE])
    over = Rating.objects.filter(person=person).exclude(submitted_at=None, skipped_at=None)
    seen = exposures_of(person, SeenContent.LABEL, SeenContent.GOLD).values("image_hash")
    return (
        Sample.objects.filter(project=project, project__archived_at=None, intake=Intake.READY)
        .exclude(work__status=Status.WITHDRAWN)
        .exclude(pk__in=knows.values("sample"))
        .exclude(pk__in=over.values("sample"))
        .exclude(pixel_hash__in=seen)
        .exclude(pixel_hash__in=reserved_for(person))
        .annotate(taken=Count("ratings", filter=taken_places()))
        .filter(taken__lt=project.raters_per_sample)
    )


def count_to_rate(person: User, project: Project) -> int:
    """How many samples this person could rate now, without the one in hand; 0 without the role."""
    if not has_role(person, project.team, Role.DIFFICULTY_RATER):
        return 0
    held = Rating.objects.filter(person=person, submitted_at=None, slot__isnull=False)
    return eligible_samples(person, project).exclude(pk__in=held.values("sample")).count()


def rating_in_hand(person: User, project: Project) -> Rating | None:
    """The rating the person has begun and whose place is still theirs."""
    return (
        Rating.objects.filter(
            person=person,
            sample__project=project,
            sample__intake=Intake.READY,
            submitted_at=None,
            slot__isnull=False,
        )
        .select_related("sample")
        .order_by("pk")
        .first()
    )


def next_place_at(project: Project) -> datetime | None:
    """When the earliest place in somebody's hands falls free, for the message of an empty queue."""
    rows = Rating.objects.filter(sample__project=project, submitted_at=None, slot__isnull=False)
    earliest: datetime | None = rows.aggregate(at=Min("lease_until"))["at"]
    return earliest


def claim_rating(*, person: User, project: Project) -> Rating | None:
    """Give the person the rating in hand, or a place at the next sample; None: nothing left.

    Raises NotAllowed without the role. The sample's row is locked while its places are counted, so that exactly
    `raters_per_sample` are given, however many ask at once.
    """
    if not has_role(person, project.team, Role.DIFFICULTY_RATER):
        raise NotAllowed("no rater role")
    held = rating_in_hand(person, project)
    if held is not None and _renew(held):
        return held
    while True:
        with transaction.atomic():
            sample = _pick(person, project)
            if sample is None:
                return None
            slot = _free_slot(sample, project)
            if slot is not None:
                return _take(sample, person, project, slot)


def _pick(person: User, project: Project) -> Sample | None:
    """The next sample in the person's own order, samples that were begun first; its row is locked."""
    digest = hashlib.sha256(f"{project.pk}/{project.queue_seed}/{person.pk}/rate".encode()).digest()
    factor = int.from_bytes(digest[:8], "big") % (_PRIME - 1) + 1
    shuffled = ExpressionWrapper(F("pk") * Value(factor) % Value(_PRIME), output_field=BigIntegerField())
    order = eligible_samples(person, project).annotate(shuffled=shuffled).order_by("-taken", "shuffled")
    # The lock is a second statement: rows that are grouped to count their places cannot be locked.
    first = order.values_list("pk", flat=True).first()
    return None if first is None else Sample.objects.select_for_update().get(pk=first)


def _free_slot(sample: Sample, project: Project) -> int | None:
    """The lowest free place; those whose lease ran out are given back first. The sample's row is locked."""
    Rating.objects.filter(sample=sample, submitted_at=None, lease_until__lt=timezone.now()).update(slot=None)
    taken = set(Rating.objects.filter(sample=sample, slot__isnull=False).values_list("slot", flat=True))
    free = (slot for slot in range(1, project.raters_per_sample + 1) if slot not in taken)
    return next(free, None) if len(taken) < project.raters_per_sample else None


def _take(sample: Sample, person: User, project: Project, slot: int) -> Rating:
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
    """Renew the lease of a place that is still the person's."""
    until = lease_end(rating.sample.project)
    renewed = Rating.objects.filter(
        pk=rating.pk, submitted_at=None, slot__isnull=False, sample__intake=Intake.READY
    ).update(lease_until=until)
    rating.lease_until = until
    return bool(renewed)


def save_rating(*, rating: Rating, scores: Mapping[str, Any], note: str = "") -> None:
    """Keep what was chosen so far, and renew the lease. Raises BadScores, BadText, AssignmentClosed, LeaseLost."""
    checked = check_scores(scores, is_complete=False)
    validate_text(note)
    with transaction.atomic():
        _require_place(rating)
        Rating.objects.filter(pk=rating.pk).update(scores=checked, note=note)


def submit_rating(*, rating: Rating, scores: Mapping[str, Any], note: str = "", image_hash: str) -> Rating:
    """Hand the rating in; it cannot be changed afterwards. The same rating again answers with the first.

    Raises BadScores (a dimension without a score), BadText, WrongImage, AssignmentClosed (handed in with other scores),
    LeaseLost (the place was given to somebody else and none is free).
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


def give_up_rating(*, rating: Rating, for_good: bool) -> None:
    """Give the place back; `for_good` keeps the sample out of the person's own queue. Raises AssignmentClosed."""
    with transaction.atomic():
        _lock_sample(rating)
        changed = Rating.objects.filter(pk=rating.pk, submitted_at=None).update(
            slot=None, lease_until=None, skipped_at=timezone.now() if for_good else None
        )
        if not changed:
            raise RatingClosed


def _require_place(rating: Rating) -> None:
    """Renew the place, or take a free one for a person who comes back to it. Raises AssignmentClosed, LeaseLost."""
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
    Sample.objects.select_for_update().get(pk=rating.sample_id)
