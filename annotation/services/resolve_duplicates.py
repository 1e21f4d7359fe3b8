"""Pages that are in a project twice: record the pairs of a new page, and carry out people's decisions.

A page that looks like an older one waits (intake DUPLICATE) until a manager decides; none is dropped automatically.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.images import fingerprint as prints
from annotation.images.fingerprint import Fingerprint
from annotation.models import DuplicatePair, Event, FingerprintWord, Sample, SampleFingerprint
from annotation.models.sample import DuplicateDecision
from annotation.selectors.duplicate_search import find_duplicates
from annotation.selectors.duplicates import is_worked_on
from annotation.services.preannotate_sample import request_suggestions
from annotation.services.request_screening import open_screening
from annotation.stages import Intake
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.selectors import is_restricted
from config.transactions import locked, retries_conflicts

MAX_PAIRS = 3  # of one new page; the rest of a cluster is reached through these


class AlreadyDecided(ApplicationError):
    """The pair has been decided already; nothing was changed."""

    kind = "decided"
    msgid = gettext_noop("Someone else has already decided this pair. Nothing was changed.")


class NothingToUndo(AlreadyDecided):
    """The pair waits for a decision, or its decision cannot be undone."""

    msgid = gettext_noop("There is nothing left to undo.")


class WorkWouldBeLost(ApplicationError):
    """People have worked on the page that this decision excludes; it needs `even_if_worked_on`."""

    kind = "worked_on"
    field = "decision"
    msgid = gettext_noop(
        "Someone has worked on the page you are setting aside. If you want to set it "
        "aside anyway, tick the box below; the work is kept."
    )


def index_page(*, sample: Sample, print_: Fingerprint) -> None:
    """Add a page to the fingerprint index, so that later pages are compared with it."""
    SampleFingerprint.objects.create(sample=sample, version=prints.VERSION, shape=print_.to_bytes())
    FingerprintWord.objects.bulk_create(
        [
            FingerprintWord(project_id=sample.project_id, sample=sample, word=word)
            for word in sorted(set(print_.words.tolist()))
        ]
    )


def record_duplicates(*, sample: Sample, print_: Fingerprint) -> list[DuplicatePair]:
    """Pair a new page with at most `MAX_PAIRS` older ones that it repeats; it then waits for a decision."""
    matches = find_duplicates(sample, print_)[:MAX_PAIRS]
    pairs = [
        DuplicatePair(
            project_id=sample.project_id, first_id=other, second=sample, kind=kind, distance=distance
        )
        for kind, distance, other in matches
    ]
    DuplicatePair.objects.bulk_create(pairs)
    if pairs and sample.intake == Intake.READY:
        sample.intake = Intake.DUPLICATE
        sample.save(update_fields=["intake"])
    return pairs


@retries_conflicts
def decide_duplicate(
    *, pair: DuplicatePair, decision: DuplicateDecision, by: User, even_if_worked_on: bool = False
) -> None:
    """Decide a pair. The page that is not kept is excluded, with the reason; its files and work stay.

    Raises AlreadyDecided, and WorkWouldBeLost unless `even_if_worked_on`.
    """
    kept, dropped = _sides(pair, decision)
    with transaction.atomic():
        list(locked(Sample.objects.filter(pk__in=[pair.first_id, pair.second_id])))
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
            _record_event(kept, "kept_with_duplicate", by, pair, other=pair.first)
        _settle_intake(sample_ids=[pair.first_id, pair.second_id])


@retries_conflicts
def undo_duplicate_decision(*, pair: DuplicatePair, by: User) -> None:
    """Undo a decision: the pair waits again, and an excluded page comes back. Raises NothingToUndo."""
    decision = DuplicateDecision(pair.decision)
    with transaction.atomic():
        list(locked(Sample.objects.filter(pk__in=[pair.first_id, pair.second_id])))
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
            _record_event(kept, "duplicate_undone", by, pair, other=pair.first)
            return
        Sample.objects.filter(pk=dropped.pk).update(intake=_intake_of(dropped), excluded_reason="")
        touched = _reopen_moot_pairs(dropped)
        _settle_intake(sample_ids=[dropped.pk, kept.pk, *touched])
        _record_event(dropped, "duplicate_undone", by, pair, other=kept)


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
    _record_event(dropped, "excluded_as_duplicate", by, pair, other=in_favour_of)
    waiting = _pairs_of(dropped.pk).filter(decision=DuplicateDecision.PENDING)
    partners = [
        (other, row.kind, row.distance)
        for row in waiting
        for other in (row.first_id, row.second_id)
        if other not in (dropped.pk, in_favour_of.pk)
    ]
    waiting.update(decision=DuplicateDecision.MOOT)
    # The kept page looks like the same pages as the excluded one, so those pairs stay open for it.
    for other, kind, distance in partners:
        first, second = sorted((other, in_favour_of.pk))
        DuplicatePair.objects.get_or_create(
            first_id=first,
            second_id=second,
            defaults={"project_id": pair.project_id, "kind": kind, "distance": distance},
        )
    _settle_intake(sample_ids=[other for other, _, _ in partners])


def _reopen_moot_pairs(sample: Sample) -> list[int]:
    """Reopen the pairs that became moot when `sample` was excluded. Returns the ids of their pages."""
    is_excluded = Q(first__intake=Intake.EXCLUDED) | Q(second__intake=Intake.EXCLUDED)
    rows = list(_pairs_of(sample.pk).filter(decision=DuplicateDecision.MOOT).exclude(is_excluded))
    DuplicatePair.objects.filter(pk__in=[row.pk for row in rows]).update(decision=DuplicateDecision.PENDING)
    return [other for row in rows for other in (row.first_id, row.second_id)]


def _pairs_of(sample_id: int) -> QuerySet[DuplicatePair]:
    return DuplicatePair.objects.filter(Q(first_id=sample_id) | Q(second_id=sample_id))


def _intake_of(sample: Sample) -> Intake:
    """The intake of a page that comes back: an unfinished screening comes first."""
    return Intake.SCREENING if sample.screenings.filter(done_at=None).exists() else Intake.DUPLICATE


def settle_screened_sample(*, sample: Sample) -> None:
    """After screening a sample waits for a duplicate decision, or goes on to the recognisers."""
    Sample.objects.filter(pk=sample.pk, intake=Intake.SCREENING).update(intake=Intake.DUPLICATE)
    _settle_intake(sample_ids=[sample.pk])


def _settle_intake(*, sample_ids: Iterable[int]) -> None:
    """Let each page wait while a pair with an older page is undecided and nobody has worked on it."""
    ready: list[Sample] = []
    for sample in Sample.objects.filter(pk__in=set(sample_ids)).exclude(intake=Intake.EXCLUDED):
        is_waiting = DuplicatePair.objects.filter(
            second=sample, decision=DuplicateDecision.PENDING
        ).exists() and not is_worked_on(sample)
        wanted = Intake.DUPLICATE if is_waiting else Intake.READY
        if wanted == Intake.READY and sample.intake == Intake.DUPLICATE and _shows_restricted_image(sample):
            open_screening(sample=sample)
            wanted = Intake.SCREENING
        Sample.objects.filter(pk=sample.pk, intake__in=[Intake.DUPLICATE, Intake.READY]).update(intake=wanted)
        if wanted == Intake.READY and sample.intake == Intake.DUPLICATE:
            ready.append(sample)
    if ready:
        request_suggestions(project=ready[0].project, samples=ready)


def _shows_restricted_image(sample: Sample) -> bool:
    """True when another page with the same image was screened, or is being screened."""
    return is_restricted(sample.project.team_id, sample.full_blob)


def _record_event(sample: Sample, verb: str, by: User, pair: DuplicatePair, *, other: Sample) -> None:
    Event.objects.create(
        sample=sample,
        verb=verb,
        actor=by,
        data={"pair": pair.pk, "other": str(other.uuid), "number": other.number},
    )
