"""Draw the samples, see who is left for them, and give them out when a baseline opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.selectors.seen_content import seen_hashes, with_look_alikes
from baseline.models import Baseline, Participation, State, Task
from baseline.sampling import ImpossiblePlan, Method, TooFew, allocate, draw, order_for, share_for
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.reservations import reserve
from evaluation.models import GoldItem


class NotDraft(ApplicationError):
    """The baseline is open or closed; what decides who reads what stands fast."""

    kind = "not_draft"
    msgid = gettext_noop(
        "The baseline has been opened in the meantime, so its rules can no longer be changed."
    )


class NotEnoughParticipants(ApplicationError):
    """The plan cannot be kept with the samples and participants there are."""

    kind = "not_enough_participants"
    msgid = gettext_noop(
        "Not enough participants or samples yet; the reason is on this page. The baseline was not opened."
    )


class NoConsentText(ApplicationError):
    """Nobody can agree to nothing: write the consent text first."""

    kind = "no_consent_text"
    msgid = gettext_noop("Write the consent text first.")


class NobodyThere(ApplicationError):
    """No person is named and the link is closed."""

    kind = "no_participants"
    msgid = gettext_noop("No one could take part. Add participants, or open the link.")


@dataclass(frozen=True, slots=True)
class SamplesLeft:
    """How many of the drawn samples one person may still read."""

    person: User
    n_seen: int
    n_left: int


def holder_of(baseline: Baseline) -> str:
    """How the exposure log names the baseline."""
    return f"baseline {baseline.pk}"


def draw_samples(baseline: Baseline) -> list[str]:
    """The ids of the samples by the baseline's settings and seed; practice samples take no part. Raises TooFew."""
    rows = GoldItem.objects.filter(release=baseline.release_id).exclude(number__in=baseline.practice)
    records = dict(rows.values_list("sample_id", "record"))
    return draw(
        records,
        method=Method(baseline.method),
        seed=baseline.seed,
        n=baseline.n or 0,
        strata=baseline.strata,
        balance=baseline.balance,
    )


def may_read(person: User, baseline: Baseline, sample_ids: Collection[str]) -> set[str]:
    """Those of the samples whose image the person has seen in no role, study or page.

    A release may hold one image twice; of two samples with the same pixels only the first may be read.
    """
    rows = GoldItem.objects.filter(release=baseline.release_id, sample_id__in=sample_ids)
    seen = seen_hashes(person)
    may: set[str] = set()
    for sample, pixels in rows.order_by("position").values_list("sample_id", "pixel_hash"):
        if not pixels or pixels not in seen:
            may.add(sample)
            seen.add(pixels)
    return may


def who_is_left(baseline: Baseline, sample_ids: Collection[str]) -> list[SamplesLeft]:
    """For each named person, how many of these samples are left to read."""
    rows = baseline.participations.filter(withdrawn_at=None).select_related("person")
    counted = [(row.person, len(may_read(row.person, baseline, sample_ids))) for row in rows]
    return [SamplesLeft(person, len(sample_ids) - left, left) for person, left in counted]


def check_plan(baseline: Baseline, sample_ids: Collection[str]) -> dict[int, set[str]]:
    """Who would read what, by participation. Raises ImpossiblePlan unless the link can still bring the rest."""
    rows = list(baseline.participations.filter(withdrawn_at=None).select_related("person"))
    eligible = {str(row.pk): may_read(row.person, baseline, sample_ids) for row in rows}
    limits = {"per_sample": baseline.people_per_sample or 0, "per_person": baseline.samples_per_person or 0}
    try:
        given: Mapping[str, set[str]] = allocate(eligible, sample_ids, seed=baseline.seed, **limits)
    except ImpossiblePlan:
        if not baseline.is_link_open:
            raise
        given = _one_by_one(rows, eligible, baseline)
    return {int(pk): samples for pk, samples in given.items()}


def _one_by_one(
    rows: Iterable[Participation], eligible: Mapping[str, set[str]], baseline: Baseline
) -> dict[str, set[str]]:
    readings: Counter[str] = Counter()
    given = {}
    for row in rows:
        given[str(row.pk)] = _share(baseline, row, eligible[str(row.pk)], readings)
        readings.update(given[str(row.pk)])
    return given


def _share(
    baseline: Baseline, row: Participation, may: Collection[str], readings: Mapping[str, int]
) -> set[str]:
    return share_for(
        may,
        readings,
        seed=baseline.seed,
        number=row.number,
        per_sample=baseline.people_per_sample or 0,
        per_person=baseline.samples_per_person or 0,
    )


def open_baseline(*, baseline: Baseline) -> None:
    """Draw, give out and open. Raises NotDraft, NoConsentText, NobodyThere, NotEnoughParticipants; nothing
    changes then."""
    with transaction.atomic():
        locked = Baseline.objects.select_for_update().get(pk=baseline.pk)
        if locked.state != State.DRAFT:
            raise NotDraft
        if not locked.consents.exists():
            raise NoConsentText
        if not locked.is_link_open and not locked.participations.filter(withdrawn_at=None).exists():
            raise NobodyThere
        try:
            sample_ids = draw_samples(locked)
            given = check_plan(locked, sample_ids)
        except (TooFew, ImpossiblePlan) as error:
            raise NotEnoughParticipants(str(error)) from error
        Baseline.objects.filter(pk=locked.pk).update(
            sample_ids=sample_ids, state=State.OPEN, opened_at=timezone.now()
        )
        locked.sample_ids = sample_ids
        for row in locked.participations.filter(pk__in=given).select_related("person"):
            _hand_out(locked, row, given[row.pk])
    baseline.refresh_from_db()


def give_share(baseline: Baseline, row: Participation) -> int:
    """Give somebody who came after the opening their samples; how many there were. Within a transaction that holds
    the baseline's row."""
    counted = Task.objects.filter(participation__baseline=baseline, participation__withdrawn_at=None)
    readings = Counter(counted.exclude(state="void").values_list("item__sample_id", flat=True))
    share = _share(baseline, row, may_read(row.person, baseline, baseline.sample_ids), readings)
    _hand_out(baseline, row, share)
    return len(share)


def _hand_out(baseline: Baseline, row: Participation, samples: Collection[str]) -> None:
    items = {
        item.sample_id: item
        for item in GoldItem.objects.filter(release=baseline.release_id, sample_id__in=samples).defer(
            "record"
        )
    }
    order = order_for(samples, seed=baseline.seed, number=row.number)
    Task.objects.bulk_create(
        Task(participation=row, item=items[sample], position=position)
        for position, sample in enumerate(order)
    )
    practice = GoldItem.objects.filter(release=baseline.release_id, number__in=baseline.practice)
    hashes = {item.pixel_hash for item in [*items.values(), *practice.defer("record")]} - {""}
    reserve(user=row.person, image_hashes=with_look_alikes(hashes), holder=holder_of(baseline))
