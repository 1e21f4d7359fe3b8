"""What a person has seen of an image: the one answer that queues, claims, baselines and pages ask for.

A sample counts as seen with every sample that shows the same pixels, and with those that look alike until a manager has
decided that they are different pages.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from annotation.models import Assignment, DuplicatePair, Sample, Work
from annotation.models.project import VerificationMode
from annotation.models.sample import DuplicateDecision
from annotation.stages import Stage, Status
from config.accounts.models import Role, Team, User
from config.accounts.selectors import people_in
from config.errors import ApplicationError
from config.exposure.models import Exposure, SeenContent
from config.exposure.selectors import exposures_of


class HeldByBlindReviewer(ApplicationError):
    """The person is to review the sample blind; what others wrote of it stays closed until that is over."""

    kind = "blind"
    msgid = gettext_noop("You are working on this sample blind. Submit or release it first.")


OUTSIDE_WORK = (SeenContent.LABEL, SeenContent.GOLD)
"""What bars a person from every stage of the image."""
ANY_CONTENT = (*OUTSIDE_WORK, SeenContent.WORK)
"""What bars a person from a blind second review of the image."""


def seen_by(person: User, *saw: SeenContent, sample: str = "") -> Q:
    """Samples of which the person saw so much (anything when nothing is named); `sample` is the lookup that leads to
    them, with `__` at its end."""
    return _like(exposures_of(person, *saw).values("image_hash"), sample)


def has_seen_content(person: User, sample: Sample, *saw: SeenContent) -> bool:
    return Sample.objects.filter(seen_by(person, *saw), pk=sample.pk).exists()


def seen_hashes(person: User) -> set[str]:
    """The hashes of all images that the person saw, and of those that look like them."""
    hashes = exposures_of(person).values_list("image_hash", flat=True)
    return {*hashes, *Sample.objects.filter(seen_by(person)).values_list("pixel_hash", flat=True)}


def other_blind_reviewer(person: User, team: Team, *, sample: str) -> Exists:
    """Whether a reviewer other than this person could still review a sample blind; `sample` as for `seen_by`."""
    hashes = OuterRef(OuterRef(f"{sample}pixel_hash"))
    has_seen = Exposure.objects.filter(user=OuterRef("pk"), image_hash=hashes, saw__in=ANY_CONTENT)
    has_worked = Assignment.objects.filter(person=OuterRef("pk"), sample=OuterRef(OuterRef(f"{sample}pk")))
    has_worked = has_worked.filter(stage__in=(Stage.LABEL, Stage.ADJUDICATE))
    reviewers = people_in(team, Role.REVIEWER).exclude(pk=person.pk)
    return Exists(reviewers.filter(~Exists(has_seen), ~Exists(has_worked)))


def deny_blind_reviewer(person: User, sample: Sample) -> None:
    """Raise HeldByBlindReviewer while the person holds a blind second review of the image or of a look-alike.

    Everything that shows what others wrote of a sample, outside the work in hand, calls this.
    """
    held = Work.objects.filter(holder=person, status=Status.HELD, stage=Stage.VERIFY)
    held = held.filter(
        Q(sample=sample) | _like(Sample.objects.filter(pk=sample.pk).values("pixel_hash"), "sample__")
    )
    blind = Assignment.objects.filter(
        sample=OuterRef("sample"),
        round=OuterRef("round"),
        stage=Stage.VERIFY,
        person=person,
        mode=VerificationMode.DOUBLE_BLIND,
    )
    if held.filter(Exists(blind)).exists():
        raise HeldByBlindReviewer


def _like(hashes: QuerySet[Any, Any], sample: str) -> Q:
    """Samples that show one of these images, or one that looks like it."""
    pairs = DuplicatePair.objects.exclude(decision=DuplicateDecision.KEEP_BOTH)
    return (
        Q(**{f"{sample}pixel_hash__in": hashes})
        | Q(**{f"{sample}pk__in": pairs.filter(first__pixel_hash__in=hashes).values("second")})
        | Q(**{f"{sample}pk__in": pairs.filter(second__pixel_hash__in=hashes).values("first")})
    )
