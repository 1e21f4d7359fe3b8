"""Set up a study: scores, mappings, numbers of items, raters. Possible only before it opens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from config.accounts.models import Role, User
from config.accounts.selectors import has_role, people_in
from config.errors import ApplicationError
from config.jobs.models import JobState
from config.jobs.queue import enqueue, requeue
from evaluation.metrics.base import Direction
from evaluation.metrics.registry import get
from evaluation.models import PredictionSet, Release
from evaluation.preference.models import (
    Enrolment,
    Item,
    ScoreSource,
    Study,
    StudyPreparation,
    StudyState,
    StudyUnit,
)
from evaluation.preference.score_files import Scores, scores_as_json, scores_from_json
from evaluation.preference.score_mapping import BadMapping, MappingKind, ScoreMapping
from evaluation.preference.services.reserve_figures import release_figures, reserve_figures
from evaluation.preference.study_record import FIRST, GRADER, SECOND

MAX_SEED = 2**63 - 1
RULES = (
    "n_items",
    "n_attention",
    "n_repeats",
    "n_practice",
    "attention_share",
    "decimals",
    "tie_rule",
    "instructions",
)
"""The attributes of a plan that are stored in the study's own row under the same names."""


class StudyNotDraft(ApplicationError):
    """The study is open or closed, so its set-up cannot change."""

    kind = "not_draft"
    msgid = gettext_noop("Nothing was changed: the study is already open and has ratings.")


class CannotRate(ApplicationError):
    """Some of the people chosen cannot be raters: they manage the project, or are not members of it."""

    kind = "cannot_rate"
    msgid = gettext_noop(
        "%(names)s cannot be raters: they manage the project or have left it. Choose other raters."
    )

    def __init__(self, people: Sequence[User]) -> None:
        super().__init__(names=", ".join(user.display_name for user in people))
        self.people = list(people)


class ScoresAreEqual(ApplicationError):
    """Both sides of the comparison are the same score."""

    status, kind = 422, "invalid"
    msgid = gettext_noop("Choose two different scores to compare.")


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """The source of a score: a metric of the registry with its preset, or an uploaded column."""

    metric: str = ""
    preset: str = ""
    column: str = ""

    @property
    def key(self) -> str:
        """Its name in forms and addresses.

        >>> SourceChoice("bleu", "inkbench-1").key, SourceChoice.from_key("column:pink").column
        ('metric:bleu:inkbench-1', 'pink')
        """
        return f"column:{self.column}" if self.column else f"metric:{self.metric}:{self.preset}"

    @classmethod
    def from_key(cls, key: str) -> SourceChoice:
        kind, _, rest = key.partition(":")
        if kind == "column":
            return cls(column=rest)
        metric, _, preset = rest.partition(":")
        return cls(metric, preset)

    @property
    def is_lower_better(self) -> bool | None:
        """None for an uploaded column, whose direction is unknown."""
        return get(self.metric).direction is Direction.LOWER if self.metric else None


@dataclass(frozen=True, slots=True)
class ComparedScore:
    """One of the two compared scores: its name in the report, its source, and its mapping to 0..10."""

    label: str
    source: SourceChoice
    mapping: ScoreMapping


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The whole set-up by a manager. `grader`: the raw total of an automatic grader; `beside`: additional scores."""

    first: ComparedScore
    second: ComparedScore
    grader: SourceChoice | None = None
    beside: tuple[SourceChoice, ...] = ()
    n_items: int = 200
    n_attention: int = 4
    n_repeats: int = 10
    n_practice: int = 2
    attention_share: float = 0.75
    decimals: int = 1
    tie_rule: str = "more_than_half"
    instructions: str = ""
    raters: tuple[User, ...] = field(default_factory=tuple)


def create_study(
    *,
    release: Release,
    by: User,
    title: str,
    prediction_sets: Sequence[PredictionSet],
    scores: Scores | None = None,
) -> Study:
    """A new draft. Its random seed determines sample, orders and sides."""
    with transaction.atomic():
        Release.objects.select_for_update().filter(pk=release.pk).first()
        last = Study.objects.filter(release=release).aggregate(last=Max("number"))["last"] or 0
        study = Study.objects.create(
            release=release,
            number=last + 1,
            title=title,
            seed=secrets.randbelow(MAX_SEED),
            uploads=scores_as_json(scores) if scores else {},
            created_by=by,
        )
        study.prediction_sets.set(prediction_sets)
    return study


def configure(*, study: Study, plan: StudyPlan) -> StudyPreparation:
    """Replace the plan of a draft, and queue scoring and drawing of the sample.

    Raises StudyNotDraft, BadMapping, ScoresAreEqual or CannotRate without changing anything.
    """
    for compared in (plan.first, plan.second):
        compared.mapping.check(is_lower_better=compared.source.is_lower_better)
    if plan.first.source == plan.second.source:
        raise ScoresAreEqual
    not_allowed = [user for user in plan.raters if not may_rate(study, user)]
    if not_allowed:
        raise CannotRate(not_allowed)
    with transaction.atomic():
        locked = lock_draft(study)
        for name in RULES:
            setattr(locked, name, getattr(plan, name))
        locked.draw = {}
        locked.save()
        ScoreSource.objects.filter(study=locked).delete()
        ScoreSource.objects.bulk_create(_score_sources(locked, plan))
        Enrolment.objects.filter(study=locked).delete()
        Enrolment.objects.bulk_create(
            Enrolment(study=locked, user=user, rater_number=number)
            for number, user in enumerate(plan.raters, start=1)
        )
        reserve_figures(locked, plan.raters)
        StudyUnit.objects.filter(study=locked).delete()
        return _prepare(locked)


def draw_again(study: Study) -> StudyPreparation:
    """Draw another sample with a new seed. Raises StudyNotDraft."""
    with transaction.atomic():
        locked = lock_draft(study)
        locked.seed = secrets.randbelow(MAX_SEED)
        locked.draw = {}
        locked.save(update_fields=["seed", "draw"])
        return _prepare(locked)


def remove_study(study: Study) -> None:
    """Delete a draft. Raises StudyNotDraft for other studies, which have ratings."""
    with transaction.atomic():
        locked = lock_draft(study)
        release_figures(locked)
        locked.delete()


def may_rate(study: Study, user: User) -> bool:
    """Whether the user is in the project and does not manage it: managers know what is compared."""
    team = study.release.team
    return people_in(team).filter(pk=user.pk).exists() and not has_role(user, team, Role.MANAGER)


def lock_draft(study: Study) -> Study:
    """The row of a draft, locked. Raises StudyNotDraft."""
    locked = Study.objects.select_for_update().filter(pk=study.pk).first()
    if locked is None or locked.state != StudyState.DRAFT:
        raise StudyNotDraft
    return locked


def mapping_for(
    source: SourceChoice,
    *,
    scores: Scores,
    kind: str = "",
    low: float | None = None,
    high: float | None = None,
) -> ScoreMapping:
    """The mapping that a manager chose, with defaults from the metric or the range of the uploaded column.

    Registry metrics range from 0 to 1 and are inverted if lower is better. The upper end of a column is the smallest of
    1, 10 and 100 that is not below its values, otherwise its largest value. Raises BadMapping.
    """
    default = MappingKind.INVERTED if source.is_lower_better else MappingKind.LINEAR
    try:
        chosen = MappingKind(kind) if kind else default
    except ValueError:
        raise BadMapping(gettext_noop("there is no mapping %(kind)s"), kind=repr(kind)) from None
    if high is None:
        high = 1.0 if source.metric else _upper_end(scores, source.column)
    mapping = ScoreMapping(chosen, 0.0 if low is None else low, high)
    mapping.check(is_lower_better=source.is_lower_better)
    return mapping


def scores_of(study: Study) -> Scores:
    return scores_from_json(study.uploads)


def _upper_end(scores: Scores, column: str) -> float:
    largest = max((row[column] for row in scores.values.values() if column in row), default=1.0)
    return next((end for end in (1.0, 10.0, 100.0) if largest <= end), largest)


def _prepare(study: Study) -> StudyPreparation:
    Item.objects.filter(study=study).delete()
    run, is_new = StudyPreparation.objects.get_or_create(study=study)
    if is_new:
        enqueue(run)
    elif run.is_over:
        requeue(run)
    else:  # it runs with the old plan: take it from its worker and start it again
        StudyPreparation.objects.filter(pk=run.pk).update(state=JobState.QUEUED, worker="", attempts=0)
        enqueue(run)
    return run


def _score_sources(study: Study, plan: StudyPlan) -> list[ScoreSource]:
    rows = [
        _score_source(study, 0, FIRST, plan.first.source, plan.first.label, plan.first.mapping),
        _score_source(study, 1, SECOND, plan.second.source, plan.second.label, plan.second.mapping),
    ]
    if plan.grader is not None:
        rows.append(_score_source(study, 2, GRADER, plan.grader, plan.grader.column or plan.grader.metric))
    for number, source in enumerate(plan.beside, start=1):
        rows.append(_score_source(study, 2 + number, f"beside-{number}", source, label_of(source)))
    return rows


def label_of(source: SourceChoice) -> str:
    """The default name of a score."""
    return source.column or f"{get(source.metric).label} ({source.preset})"


def _score_source(
    study: Study,
    position: int,
    key: str,
    source: SourceChoice,
    label: str,
    mapping: ScoreMapping | None = None,
) -> ScoreSource:
    return ScoreSource(
        study=study,
        position=position,
        key=key,
        label=label[:120],
        metric=source.metric,
        preset=source.preset,
        column=source.column,
        is_lower_better=bool(source.is_lower_better),
        mapping=mapping.kind.value if mapping else "",
        low=mapping.low if mapping else 0,
        high=mapping.high if mapping else 1,
    )
