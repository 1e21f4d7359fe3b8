"""Find pages that are in a project twice, and settle each pair by a person's decision.

Nothing is dropped unseen: a page that looks like an older one waits (intake DUPLICATE) until somebody decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.images import fingerprint as prints
from annotation.images.fingerprint import Fingerprint
from annotation.models import DuplicatePair, Event, FingerprintWord, Sample, SampleFingerprint
from annotation.models.sample import DuplicateDecision, DuplicateKind
from annotation.services.preannotate_sample import request_suggestions
from annotation.services.restrict_images import request_screening
from annotation.stages import Intake
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.services import is_restricted

MOST_PAIRS = 3  # that one new page waits for; the rest of a cluster is reached through these


class AlreadyDecided(ApplicationError):
    """Somebody decided this pair before; nothing was changed."""

    kind = "decided"
    msgid = gettext_noop("Someone else has already decided this pair. Nothing was changed.")


class NothingToUndo(AlreadyDecided):
    """The pair waits for a decision, or its decision cannot be undone."""

    msgid = gettext_noop("There is nothing left to undo.")


class WorkWouldBeLost(ApplicationError):
    """People have worked on the page that this decision sets aside; it must be said that this is meant."""

    kind = "worked_on"
    field = "decision"
    msgid = gettext_noop(
        "Someone has worked on the page you are setting aside. If you want to set it "
        "aside anyway, tick the box below; the work is kept."
    )


def remember_page(sample: Sample, print_: Fingerprint) -> None:
    """Put a page into the index, so that later ones are compared with it."""
    SampleFingerprint.objects.create(sample=sample, version=prints.VERSION, shape=print_.to_bytes())
    FingerprintWord.objects.bulk_create(
        [
            FingerprintWord(project_id=sample.project_id, sample=sample, word=word)
            for word in sorted(set(print_.words.tolist()))
        ]
    )


def record_duplicates(sample: Sample, print_: Fingerprint) -> list[DuplicatePair]:
    """Pair a new page with the older ones it repeats, at most `MOST_PAIRS`, and let it wait if there are any."""
    found = find_duplicates(sample, print_)[:MOST_PAIRS]
    pairs = [
        DuplicatePair(
            project_id=sample.project_id, first_id=other, second=sample, kind=kind, distance=distance
        )
        for kind, distance, other in found
    ]
    DuplicatePair.objects.bulk_create(pairs)
    if pairs and sample.intake == Intake.READY:
        sample.intake = Intake.DUPLICATE
        sample.save(update_fields=["intake"])
    return pairs


def find_duplicates(sample: Sample, print_: Fingerprint) -> list[tuple[DuplicateKind, float, int]]:
    """(kind, distance 0..1, id) of older pages of the project that this one repeats, likest first."""
    others = _others(sample)
    found: dict[int, tuple[DuplicateKind, float, int]] = {}
    same_bytes = Q(original_blob=sample.original_blob, page_number=sample.page_number)
    same_pixels = Q(pixel_hash=sample.pixel_hash) | Q(unredacted_pixel_hash=sample.pixel_hash)
    for pk, blob in others.filter(same_bytes | same_pixels).values_list("pk", "original_blob"):
        kind = DuplicateKind.BYTES if blob == sample.original_blob else DuplicateKind.PIXELS
        found[pk] = (kind, 0.0, pk)
    shape = print_.to_bytes()
    candidates = [pk for pk in find_candidates(sample.project_id, print_) if pk not in found]
    rows = SampleFingerprint.objects.filter(
        sample__in=others.filter(pk__in=candidates), version=prints.VERSION
    ).values_list("sample_id", "shape")
    for pk, other in rows:
        if share := prints.likeness(shape, bytes(other)):
            found[pk] = (DuplicateKind.NEAR, round(1 - share, 4), pk)
    order = list(DuplicateKind)
    return sorted(found.values(), key=lambda entry: (order.index(entry[0]), entry[1], entry[2]))


def find_candidates(project_id: int, print_: Fingerprint) -> list[int]:
    """Ids of the pages that share the most index words with a print. Reads the index, never all pages."""
    asked: dict[int, list[int]] = defaultdict(list)
    for corner, probes in enumerate(print_.probes.tolist()):
        for word in set(probes):
            asked[word].append(corner)
    rows = FingerprintWord.objects.filter(project_id=project_id)
    telling = list(
        rows.filter(word__in=asked)
        .values("word")
        .annotate(pages=Count("pk"))
        .filter(pages__lte=prints.COMMON_WORD)
        .values_list("word", flat=True)
    )
    shared: dict[int, set[int]] = defaultdict(set)
    for word, pk in rows.filter(word__in=telling).values_list("word", "sample_id"):
        shared[pk].update(asked[word])
    ranked = sorted(shared, key=lambda pk: (-len(shared[pk]), pk))
    return [pk for pk in ranked[: prints.MOST_COMPARED] if len(shared[pk]) >= prints.MIN_SHARED]


def decide_duplicate(
    *, pair: DuplicatePair, decision: DuplicateDecision, by: User, even_if_worked_on: bool = False
) -> None:
    """Settle a pair. The page that is not kept is excluded, with the reason; its files and work stay.

    Raises AlreadyDecided, and WorkWouldBeLost unless `even_if_worked_on`.
    """
    kept, dropped = _sides(pair, decision)
    with transaction.atomic():
        changed = DuplicatePair.objects.filter(pk=pair.pk, decision=DuplicateDecision.PENDING).update(
            decision=decision, decided_by=by, decided_at=timezone.now()
        )
        if not changed:
            raise AlreadyDecided
        if dropped is not None:
            if is_worked_on(dropped) and not even_if_worked_on:
                raise WorkWouldBeLost
            _exclude(dropped, in_favour_of=kept, pair=pair, by=by)
        else:
            _note(kept, "kept_with_duplicate", by, pair, other=pair.first)
        _settle_intake(sample_ids=[pair.first_id, pair.second_id])


def undo_decision(*, pair: DuplicatePair, by: User) -> None:
    """Put a settled pair back to be decided; a page it excluded comes back. Raises NothingToUndo."""
    decision = DuplicateDecision(pair.decision)
    with transaction.atomic():
        changed = (
            DuplicatePair.objects.filter(pk=pair.pk, decision=decision)
            .exclude(decision__in=[DuplicateDecision.PENDING, DuplicateDecision.MOOT])
            .update(decision=DuplicateDecision.PENDING, decided_by=None, decided_at=None)
        )
        if not changed:
            raise NothingToUndo
        kept, dropped = _sides(pair, decision)
        if dropped is None:
            _settle_intake(sample_ids=[pair.first_id, pair.second_id])
            _note(kept, "duplicate_undone", by, pair, other=pair.first)
            return
        Sample.objects.filter(pk=dropped.pk).update(intake=_intake_of(dropped), excluded_reason="")
        touched = _reopen_moot_pairs(dropped)
        _settle_intake(sample_ids=[dropped.pk, kept.pk, *touched])
        _note(dropped, "duplicate_undone", by, pair, other=kept)


def is_worked_on(sample: Sample) -> bool:
    """True when a person has taken the page up: an assignment was opened on it."""
    return sample.assignments.exists()


def suggested_decision(pair: DuplicatePair) -> DuplicateDecision:
    """What the page offers first: the one people worked on survives, then the larger image, then the older one."""

    def worth(sample: Sample) -> tuple[bool, int]:
        return is_worked_on(sample), sample.full_width * sample.full_height

    is_second = worth(pair.second) > worth(pair.first)
    return DuplicateDecision.KEEP_SECOND if is_second else DuplicateDecision.KEEP_FIRST


def _others(sample: Sample) -> QuerySet[Sample]:
    """The pages of the project that a new one may repeat. Pages of its own file are other pages, except when the
    very pixels are the same."""
    return (
        Sample.objects.filter(project_id=sample.project_id)
        .exclude(pk=sample.pk)
        .exclude(intake=Intake.EXCLUDED)
    )


def _sides(pair: DuplicatePair, decision: DuplicateDecision) -> tuple[Sample, Sample | None]:
    """(kept, excluded); with both kept, the newer one and None."""
    if decision == DuplicateDecision.KEEP_FIRST:
        return pair.first, pair.second
    if decision == DuplicateDecision.KEEP_SECOND:
        return pair.second, pair.first
    return pair.second, None


def _exclude(dropped: Sample, *, in_favour_of: Sample, pair: DuplicatePair, by: User) -> None:
    Sample.objects.filter(pk=dropped.pk).update(
        intake=Intake.EXCLUDED, excluded_reason=f"duplicate of {in_favour_of.number}"
    )
    _note(dropped, "excluded_as_duplicate", by, pair, other=in_favour_of)
    waiting = _pairs_of(dropped.pk).filter(decision=DuplicateDecision.PENDING)
    partners = [
        (other, row.kind, row.distance)
        for row in waiting
        for other in (row.first_id, row.second_id)
        if other not in (dropped.pk, in_favour_of.pk)
    ]
    waiting.update(decision=DuplicateDecision.MOOT)
    # What the excluded page looked like, the kept one looks like too: that question stays open.
    for other, kind, distance in partners:
        first, second = sorted((other, in_favour_of.pk))
        DuplicatePair.objects.get_or_create(
            first_id=first,
            second_id=second,
            defaults={"project_id": pair.project_id, "kind": kind, "distance": distance},
        )
    _settle_intake(sample_ids=[other for other, _, _ in partners])


def _reopen_moot_pairs(sample: Sample) -> list[int]:
    """Pairs that became pointless when `sample` was excluded are open again; returns the ids of the other pages."""
    live = Q(first__intake=Intake.EXCLUDED) | Q(second__intake=Intake.EXCLUDED)
    rows = list(_pairs_of(sample.pk).filter(decision=DuplicateDecision.MOOT).exclude(live))
    DuplicatePair.objects.filter(pk__in=[row.pk for row in rows]).update(decision=DuplicateDecision.PENDING)
    return [other for row in rows for other in (row.first_id, row.second_id)]


def _pairs_of(sample_id: int) -> QuerySet[DuplicatePair]:
    return DuplicatePair.objects.filter(Q(first_id=sample_id) | Q(second_id=sample_id))


def _intake_of(sample: Sample) -> Intake:
    """Where a page that comes back stands until it is settled: a screening that is not over comes first."""
    return Intake.SCREENING if sample.screenings.filter(done_at=None).exists() else Intake.DUPLICATE


def settle_after_screening(sample: Sample) -> None:
    """A page has been screened: it waits for a decision about a duplicate, or goes on to the recognisers."""
    Sample.objects.filter(pk=sample.pk, intake=Intake.SCREENING).update(intake=Intake.DUPLICATE)
    _settle_intake(sample_ids=[sample.pk])


def _settle_intake(*, sample_ids: Iterable[int]) -> None:
    """A page waits exactly as long as a pair with an older page is undecided and nobody has worked on it."""
    freed: list[Sample] = []
    for sample in Sample.objects.filter(pk__in=set(sample_ids)).exclude(intake=Intake.EXCLUDED):
        is_waiting = DuplicatePair.objects.filter(
            second=sample, decision=DuplicateDecision.PENDING
        ).exists() and not is_worked_on(sample)
        wanted = Intake.DUPLICATE if is_waiting else Intake.READY
        if wanted == Intake.READY and sample.intake == Intake.DUPLICATE and _shows_what_is_shut(sample):
            request_screening(sample)
            wanted = Intake.SCREENING
        Sample.objects.filter(pk=sample.pk, intake__in=[Intake.DUPLICATE, Intake.READY]).update(intake=wanted)
        if wanted == Intake.READY and sample.intake == Intake.DUPLICATE:
            freed.append(sample)
    if freed:
        request_suggestions(project=freed[0].project, samples=freed)


def _shows_what_is_shut(sample: Sample) -> bool:
    """The same image was, or is being, searched for names on another page."""
    return is_restricted(sample.project.team_id, sample.full_blob)


def _note(sample: Sample, verb: str, by: User, pair: DuplicatePair, *, other: Sample) -> None:
    Event.objects.create(
        sample=sample,
        verb=verb,
        actor=by,
        data={"pair": pair.pk, "other": str(other.uuid), "number": other.number},
    )
