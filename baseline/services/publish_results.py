"""Publish the responses of a baseline as systems: each participant, all pooled, the best, and the consensus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.consensus import consensus_of
from baseline.models import (
    Baseline,
    Part,
    Participation,
    Publication,
    Response,
    ResponseKind,
    Task,
    TaskState,
)
from baseline.responses import as_prediction
from baseline.selectors.responses import CannotRead, compared_text, content_of
from baseline.services.assign_samples import holder_of
from baseline.services.run_clock import settle_open_tasks
from config.accounts.models import User
from config.errors import ApplicationError
from config.exposure.reservations import release_reservations
from evaluation.models import Pooling, PredictionSet, System, SystemKind
from evaluation.predictions import Failed, Text
from evaluation.records import PredictionRecord
from evaluation.services.record_predictions import record_pooled, record_predictions
from evaluation.services.score_predictions import request_score

ORIGIN = "baseline"
CANNOT_READ = "cannot_read"


class NothingToPublish(ApplicationError):
    """Nobody has submitted anything yet."""

    kind = "nothing_to_publish"
    msgid = gettext_noop("No one has submitted anything yet.")


def publish_results(*, baseline: Baseline, by: User) -> list[Publication]:
    """Put new prediction sets in place of what was published before, and queue their scoring.

    A person's set holds what was submitted; "I cannot read this" is a failed answer, a sample whose time ran out
    with nothing received is missing, and a void one was not asked. Whoever withdrew is in none of it. Raises
    NothingToPublish; what was published before stands then.
    """
    settle_open_tasks(baseline)
    with transaction.atomic():
        locked = Baseline.objects.select_for_update().get(pk=baseline.pk)
        by_person = _done_tasks(locked)
        if not by_person:
            raise NothingToPublish
        before = _take_back(locked)
        made = [_publish_person(locked, by, row, tasks) for row, tasks in by_person.items()]
        sets = [publication.prediction_set for publication in made]
        name = locked.system_name
        made.append(_publish_pooled(locked, by, sets, Part.MEAN, Pooling.MEAN, name))
        made.append(_publish_pooled(locked, by, sets, Part.BEST, Pooling.BEST, f"{name} (best person)"))
        made.append(_publish_consensus(locked, by, by_person.values()))
        _forget_names(before)
        for publication in made:
            request_score(prediction_set=publication.prediction_set)
    return made


def unpublish_results(baseline: Baseline) -> None:
    """Take back what was handed down: scores, and the names that stand for nothing any more."""
    _forget_names(_take_back(baseline))


def _take_back(baseline: Baseline) -> list[int]:
    """Delete the answers handed down; the systems they were handed down as."""
    sets = PredictionSet.objects.filter(publication__baseline=baseline)
    systems = list(sets.values_list("system", flat=True))
    sets.delete()
    return systems


def _forget_names(systems: list[int]) -> None:
    System.objects.filter(pk__in=systems, kind=SystemKind.HUMAN, prediction_sets=None).delete()


def _done_tasks(baseline: Baseline) -> dict[Participation, list[Task]]:
    rows = (
        Task.objects.filter(
            participation__baseline=baseline, participation__withdrawn_at=None, state=TaskState.DONE
        )
        .select_related("participation", "item__release", "response")
        .order_by("participation__number", "position")
    )
    done: dict[Participation, list[Task]] = defaultdict(list)
    for task in rows:
        done[task.participation].append(task)
    return dict(done)


def person_name(baseline: Baseline, number: int) -> str:
    """What the leaderboard calls one person; never a name."""
    return f"{baseline.system_name} P{number:02d}"


def _publish_person(baseline: Baseline, by: User, row: Participation, tasks: list[Task]) -> Publication:
    answers = record_predictions(
        release=baseline.release,
        system_name=person_name(baseline, row.number),
        by=by,
        records=[record for task in tasks if (record := record_of(task.response)) is not None],
        origin=ORIGIN,
        kind=SystemKind.HUMAN,
        provenance=_provenance(baseline, Part.PERSON, n_people=1),
        asked=[task.item.sample_id for task in tasks],
    )
    return Publication.objects.create(
        baseline=baseline, part=Part.PERSON, participation=row, prediction_set=answers
    )


def record_of(response: Response) -> PredictionRecord | None:
    """The response as the scorer takes it from any system; None where nothing was received (missing, never empty)."""
    content = content_of(response)
    if content is None:
        return None
    provenance = {"timed_out": response.is_timed_out, "received_at": response.received_at.isoformat()}
    sample_id = response.task.item.sample_id
    if isinstance(content, CannotRead):
        return PredictionRecord(sample_id, Failed(CANNOT_READ), provenance=provenance)
    prediction = as_prediction(content)
    raw = prediction.text if isinstance(prediction, Text) else ""
    return PredictionRecord(sample_id, prediction, raw, provenance)


def _publish_pooled(
    baseline: Baseline, by: User, sets: list[PredictionSet], part: Part, pooling: Pooling, name: str
) -> Publication:
    answers = record_pooled(
        system_name=name,
        by=by,
        members=sets,
        pooling=pooling,
        origin=ORIGIN,
        kind=SystemKind.HUMAN,
        provenance=_provenance(baseline, part, n_people=len(sets)),
    )
    return Publication.objects.create(baseline=baseline, part=part, prediction_set=answers)


def _publish_consensus(baseline: Baseline, by: User, by_person: Iterable[list[Task]]) -> Publication:
    by_sample: dict[str, list[Task]] = defaultdict(list)
    for tasks in by_person:
        for task in tasks:
            by_sample[task.item.sample_id].append(task)
    records = [record for tasks in by_sample.values() if (record := _agreed(tasks)) is not None]
    answers = record_predictions(
        release=baseline.release,
        system_name=f"{baseline.system_name} (consensus)",
        by=by,
        records=records,
        origin=ORIGIN,
        kind=SystemKind.HUMAN,
        provenance=_provenance(baseline, Part.CONSENSUS, n_people=0),
        asked=by_sample,
    )
    return Publication.objects.create(baseline=baseline, part=Part.CONSENSUS, prediction_set=answers)


def _agreed(tasks: list[Task]) -> PredictionRecord | None:
    responses = {
        task.participation.number: task.response
        for task in tasks
        if task.response.kind != ResponseKind.NOTHING
    }
    consensus = consensus_of({number: compared_text(response) for number, response in responses.items()})
    if consensus is None:
        return None
    chosen = record_of(responses[consensus.chosen])
    assert chosen is not None  # of the responses that are something
    provenance = {
        "n": consensus.n,
        "chosen": f"P{consensus.chosen:02d}",
        "mean_distance": consensus.mean_distance,
    }
    return replace(chosen, provenance=provenance)


def _provenance(baseline: Baseline, part: Part, *, n_people: int) -> dict[str, object]:
    """What a reader of the figures has to know of how they came about."""
    return {
        "baseline": baseline.name,
        "part": part.value,
        "people": n_people,
        "method": baseline.method,
        "n": baseline.n,
        "strata": baseline.strata,
        "balance": baseline.balance,
        "seed": baseline.seed,
        "samples": len(baseline.sample_ids),
        "people_per_sample": baseline.people_per_sample,
        "time_limit_seconds": baseline.time_limit_seconds,
        "gap_minutes": baseline.gap_minutes,
    }


def withdraw_participation(*, participation: Participation) -> None:
    """End a person's part and remove what they wrote, what they said of themself, and the events.

    That they agreed, saw the images, and withdrew is kept. What was published is published anew without them, or
    taken back where nobody is left.
    """
    with transaction.atomic():
        row = (
            Participation.objects.select_for_update()
            .select_related("baseline", "person")
            .get(pk=participation.pk)
        )
        if row.withdrawn_at is None:
            row.events.all().delete()
            Response.objects.filter(task__participation=row).delete()
            row.tasks.update(text="", version=0, state=TaskState.VOID, void_reason="withdrawn")
            Participation.objects.filter(pk=row.pk).update(
                step="withdrawn",
                version=row.version + 1,
                withdrawn_at=timezone.now(),
                about={},
                practice_texts={},
                debrief="",
                tab_token="",
            )
            release_reservations(user=row.person, holder=holder_of(row.baseline))
            _publish_again(row.baseline)
    participation.refresh_from_db()


def _publish_again(baseline: Baseline) -> None:
    before = (
        Publication.objects.filter(baseline=baseline).select_related("prediction_set__created_by").first()
    )
    if before is None:
        return
    try:
        publish_results(baseline=baseline, by=before.prediction_set.created_by)
    except NothingToPublish:
        unpublish_results(baseline)
