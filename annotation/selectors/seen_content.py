"""What a person has seen of an image: the one answer that queues, claims, baselines and pages ask for.

A sample counts as seen with every sample that shows the same pixels, and with those that look alike until a manager has
decided that they are different pages.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from annotation.models import Assignment, DuplicatePair, Sample, Work
from annotation.models.project import VerificationMode
from annotation.models.sample import DuplicateDecision
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
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


def with_look_alikes(hashes: Collection[str]) -> set[str]:
    """The hashes of these images, and of those that look like them."""
    like = Sample.objects.filter(_like(list(hashes), "")).values_list("pixel_hash", flat=True)
    return {*hashes, *like}


def is_seen_by_person(*saw: SeenContent, sample: str, role: Role | None = None) -> Exists:
    """For a query of people inside one of samples: whether the person saw so much of the sample, or saw it in a role;
    `sample` as for `seen_by`."""
    rows = Exposure.objects.filter(user=OuterRef("pk"))
    rows = rows.filter(saw__in=saw) if saw else rows
    rows = rows.filter(role=role) if role else rows
    # Two queries up from the log, three up from the pairs.
    pixels = OuterRef(OuterRef(f"{sample}pixel_hash"))
    here = OuterRef(OuterRef(OuterRef(f"{sample}pk")))
    pairs = _pairs()
    return Exists(
        rows.filter(
            Q(image_hash=pixels)
            | Q(image_hash__in=pairs.filter(first=here).values("second__pixel_hash"))
            | Q(image_hash__in=pairs.filter(second=here).values("first__pixel_hash"))
        )
    )


def asked_about(person: User, *, sample: str = "") -> Q:
    """Samples of which the person was shown the image, or a look-alike, as a domain expert."""
    rows = exposures_of(person).filter(role=Role.DOMAIN_EXPERT)
    return _like(rows.values("image_hash"), sample)


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


def _like(hashes: QuerySet[Any, Any] | list[str], sample: str) -> Q:
    """Samples that show one of these images, or one that looks like it."""
    pairs = _pairs()
    return (
        Q(**{f"{sample}pixel_hash__in": hashes})
        | Q(**{f"{sample}pk__in": pairs.filter(first__pixel_hash__in=hashes).values("second")})
        | Q(**{f"{sample}pk__in": pairs.filter(second__pixel_hash__in=hashes).values("first")})
    )


def _pairs() -> QuerySet[DuplicatePair]:
    """Samples that look alike, but for those that a manager has called different pages."""
    return DuplicatePair.objects.exclude(decision=DuplicateDecision.KEEP_BOTH)
