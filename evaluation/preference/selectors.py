"""Studies for managers and raters: progress while open, the whole record once closed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from config.accounts.models import Team, User
from config.exposure.selectors import exposures_of
from evaluation.models import Release
from evaluation.preference.design import CardSide, Choice, PreferredMetric, TrialKind
from evaluation.preference.models import (
    Enrolment,
    ExpertGrade,
    Item,
    PreferenceVote,
    ScoreSource,
    Study,
    StudyState,
    Trial,
    TrialEvent,
)
from evaluation.preference.score_mapping import MappingKind, ScoreMapping
from evaluation.preference.study_record import (
    FIRST,
    SECOND,
    MetricRow,
    Settings,
    StudyItemRow,
    StudyRecord,
    TrialRow,
    UnitRow,
)
from evaluation.preference.timing import time_spent


class StudyStillOpen(Exception):
    """The study is not closed, so its ratings are not available."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A rater's progress in items; `seen_before` counts items whose image or text they had seen before."""

    rater_number: int
    user: User
    done: int
    total: int
    is_paused: bool
    seen_before: int


@dataclass(frozen=True, slots=True)
class PendingStudy:
    """An open study with items left for a rater; nothing in it reveals what is compared."""

    enrolment: str
    team: Team
    number: int
    done: int
    total: int
    is_paused: bool

    @property
    def left(self) -> int:
        return self.total - self.done


def studies_of(release: Release, user: User) -> QuerySet[Study]:
    """A release's studies, newest first, without open ones that the user rates."""
    own_enrolments = Enrolment.objects.filter(study=OuterRef("pk"), user=user)
    rows = Study.objects.filter(release=release).exclude(Exists(own_enrolments), state=StudyState.OPEN)
    return rows.annotate(n_raters=Count("enrolments", distinct=True)).order_by("-number")


def pending_studies_of(user: User, teams: Iterable[Team]) -> list[PendingStudy]:
    """The open studies of these projects in which the user has items left."""
    enrolments = (
        Enrolment.objects.filter(user=user, study__state=StudyState.OPEN, study__release__team__in=teams)
        .annotate(total=Count("trials"), done=Count("trials", filter=Q(trials__vote__isnull=False)))
        .select_related("study__release__team")
        .order_by("pk")
    )
    return [
        PendingStudy(
            str(enrolment.uuid),
            enrolment.study.release.team,
            enrolment.study.number,
            enrolment.done,
            enrolment.total,
            enrolment.is_paused,
        )
        for enrolment in enrolments
        if enrolment.done < enrolment.total
    ]


def progress_of(study: Study) -> list[Progress]:
    """The progress of each rater, as counts only."""
    enrolments = study.enrolments.select_related("user").annotate(
        total=Count("trials"), done=Count("trials", filter=Q(trials__vote__isnull=False))
    )
    hashes = set(study.items.values_list("gold__pixel_hash", flat=True))
    return [
        Progress(
            enrolment.rater_number,
            enrolment.user,
            enrolment.done,
            enrolment.total,
            enrolment.is_paused,
            _seen_before(study, enrolment.user, hashes),
        )
        for enrolment in enrolments
    ]


def _seen_before(study: Study, user: User, hashes: set[str]) -> int:
    rows = exposures_of(user).filter(image_hash__in=hashes).exclude(place="expert study")
    if study.opened_at:
        rows = rows.filter(at__lt=study.opened_at)
    return rows.values("image_hash").distinct().count()


def build_record(study: Study) -> StudyRecord:
    """The whole record of a closed study. Raises StudyStillOpen."""
    if study.state != StudyState.CLOSED:
        raise StudyStillOpen
    enrolments = {enrolment.pk: f"R{enrolment.rater_number}" for enrolment in study.enrolments.all()}
    units = study.units.select_related("gold").order_by("gold__position", "system")
    return StudyRecord(
        settings=Settings(
            seed=study.seed,
            decimals=study.decimals,
            tie_rule=study.tie_rule,
            attention_share=study.attention_share,
        ),
        measures=tuple(_metric_row(source) for source in study.score_sources.all()),
        items=tuple(_item_row(item) for item in study.items.select_related("gold")),
        raters=tuple(enrolments.values()),
        trials=tuple(_trials(study, enrolments)),
        units=tuple(
            UnitRow(unit.gold.sample_id, unit.system, unit.values)
            for unit in units
            if FIRST in unit.values and SECOND in unit.values
        ),
        left_out=study.draw.get("left_out", {}),
        facts=_facts(study),
    )


def distributions_of(
    study: Study,
) -> dict[str, tuple[str, list[float], list[float], dict[str, float] | None]]:
    """By compared score: its name, its mapped values of all predictions and of the sample, and their comparison.

    Empty without a sample.
    """
    comparisons = study.draw.get("mirror", {})
    distributions = {}
    for source in study.score_sources.filter(key__in=(FIRST, SECOND)):
        row = _metric_row(source)
        units = [
            values
            for values in study.units.values_list("values", flat=True)
            if {FIRST, SECOND} <= set(values)
        ]
        items = study.items.filter(kind=TrialKind.MAIN).values_list("values", flat=True)
        mapped = [[row.oriented(values[row.key]) for values in rows] for rows in (units, items)]
        distributions[row.key] = (row.label, mapped[0], mapped[1], comparisons.get(row.key))
    return distributions if comparisons else {}


def _facts(study: Study) -> dict[str, object]:
    def timestamp(moment: datetime | None) -> str:
        return moment.isoformat(timespec="seconds") if moment else ""

    return {
        "title": study.title,
        "number": study.number,
        "release": {
            "team": study.release.team.slug,
            "number": study.release.number,
            "checksum": study.release.checksum,
        },
        "opened_at": timestamp(study.opened_at),
        "closed_at": timestamp(study.closed_at),
        "planned": {
            name: getattr(study, name) for name in ("n_items", "n_attention", "n_repeats", "n_practice")
        },
        "draw": study.draw,
        "instructions": study.instructions,
    }


def _metric_row(source: ScoreSource) -> MetricRow:
    mapping = ScoreMapping(MappingKind(source.mapping), source.low, source.high) if source.mapping else None
    return MetricRow(source.key, source.label, source.signature, source.is_lower_better, mapping)


def _item_row(item: Item) -> StudyItemRow:
    return StudyItemRow(
        id=item.number,
        kind=TrialKind(item.kind),
        sample=item.gold.sample_id,
        system=item.system,
        values=item.values,
        shown={FIRST: item.shown_first, SECOND: item.shown_second},
        expected=PreferredMetric(item.expected) if item.expected else None,
    )


def _trials(study: Study, enrolments: dict[int, str]) -> list[TrialRow]:
    trials = Trial.objects.filter(enrolment__study=study)
    grades = {row.trial_id: row for row in ExpertGrade.objects.filter(trial__in=trials)}
    votes = {row.trial_id: row for row in PreferenceVote.objects.filter(trial__in=trials)}
    events: dict[int, list[tuple[str, datetime]]] = {}
    for event in TrialEvent.objects.filter(trial__in=trials).order_by("pk"):
        events.setdefault(event.trial_id, []).append((event.kind, event.at))
    rows = []
    for trial in trials.select_related("item").order_by("enrolment__rater_number", "position"):
        grade, vote = grades.get(trial.pk), votes.get(trial.pk)
        spent = time_spent(events.get(trial.pk, []))
        rows.append(
            TrialRow(
                rater=enrolments[trial.enrolment_id],
                position=trial.position,
                kind=TrialKind(trial.kind),
                item=trial.item.number,
                first_is=CardSide(trial.first_is),
                grade=grade.value if grade else None,
                marks=grade.marks if grade else {},
                choice=Choice(vote.choice) if vote else None,
                comment=vote.comment if vote else "",
                seconds=spent.seconds,
                seconds_at_work=spent.seconds_at_work,
                times_left=spent.times_left,
            )
        )
    return rows


def current_trial(enrolment: Enrolment) -> Trial | None:
    """The first trial without a vote; None if all are done. It is at step 2 if it has a `grade`."""
    return (
        enrolment.trials.filter(vote=None).select_related("item__gold", "grade").order_by("position").first()
    )
