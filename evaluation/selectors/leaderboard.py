"""The leaderboard of a release: systems by figures, n/a last, ties stable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from config.jobs.models import JobState
from evaluation.labels import group_name, metric_name
from evaluation.metrics.registry import get, metric_names
from evaluation.models import PredictionSet, Release, ScoreRun, System, SystemKind
from evaluation.selectors.predictions import n_asked
from evaluation.strata import KINDS

Key = tuple[str, str]  # metric, group
ALL = "all"
VIEWS = ("metrics", *KINDS)


@dataclass(frozen=True, slots=True)
class LeaderboardColumn:
    """One figure that systems are compared by."""

    key: Key
    label: str
    is_lower_better: bool

    @property
    def name(self) -> str:
        """How the address names it."""
        return "@".join(self.key)


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    """One system's figure. `value` is None for n/a, and then `reason` says why."""

    value: float | None
    n: int = 0
    n_failed: int = 0
    signature: str = ""
    reason: str = ""
    is_best: bool = False

    @property
    def percent(self) -> str:
        return "" if self.value is None else f"{100 * self.value:.2f}"


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One system. `rank` is None where the ordering figure is n/a; `run` where nothing was scored.

    `n_asked` is how many samples of the release it was asked about: its figures are over these alone.
    """

    system: System
    answers: PredictionSet
    run: ScoreRun | None
    cells: tuple[LeaderboardCell, ...]
    n_asked: int
    rank: int | None = None

    @property
    def is_human(self) -> bool:
        return self.system.kind == SystemKind.HUMAN

    @property
    def is_scored(self) -> bool:
        return self.run is not None and bool(self.run.results)

    @property
    def is_pending(self) -> bool:
        return self.run is not None and self.run.state in (JobState.QUEUED, JobState.RUNNING)

    @property
    def is_outdated(self) -> bool:
        return self.run is not None and is_outdated(self.run)

    @property
    def coverage_percent(self) -> str:
        return f"{100 * self.run.coverage:.1f}" if self.run is not None and self.is_scored else ""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The table: columns, entries in their order, and what the order is by."""

    bundle: str
    view: str
    metric: str  # of the views by language and scenario
    columns: tuple[LeaderboardColumn, ...]
    entries: tuple[LeaderboardRow, ...]
    sort: str
    is_reversed: bool
    metrics: tuple[tuple[str, str], ...]  # name, label: what the views by group can show
    within: str = ""  # the group the view of all metrics is limited to, as `language:en`
    groups: tuple[tuple[str, str], ...] = ()  # name, label: what it can be limited to


def leaderboard(
    release: Release,
    *,
    bundle: str,
    view: str = "metrics",
    metric: str = "",
    within: str = "",
    sort: str = "",
) -> Leaderboard:
    """Each system by its newest prediction set, two queries however many there are; two more where
    people are pooled.

    `view` says what the columns are: the metrics (of the samples `within` one group, as `difficulty:3`), or one
    `metric` by structure, language, scenario or difficulty. `sort` names a column (`edit@all`), with a minus before it
    for the worst first; unknown names mean the first column that has a figure, and all samples.
    """
    newest = newest_sets(release)
    runs = {
        run.prediction_set_id: run
        for run in ScoreRun.objects.filter(prediction_set__in=newest, bundle=bundle)
    }
    figures = {pk: _figures(run) for pk, run in runs.items()}
    known = {
        key: score
        for scores in figures.values()
        for key, score in scores.items()
        # An Overall that no system can have (a release of text alone) would be a column of n/a.
        if score["value"] is not None or not key[0].startswith("overall")
    }
    metrics = _metrics_in(known)
    chosen = metric if metric in metrics else (metrics[0] if metrics else "")
    groups = _groups_in(known)
    within = within if within in groups else ""
    columns = tuple(_columns(known, view, metrics, chosen, within or ALL))
    asked = n_asked(newest)
    entries = [
        LeaderboardRow(
            answers.system,
            answers,
            runs.get(answers.pk),
            tuple(_cell(figures.get(answers.pk, {}).get(column.key)) for column in columns),
            asked[answers.pk],
        )
        for answers in newest
    ]
    wanted, is_reversed = sort.removeprefix("-"), sort.startswith("-")
    sort_index = _sorting_column(columns, entries, wanted)
    ordered = _ranked(_with_best(entries, columns), columns, sort_index, is_reversed)
    return Leaderboard(
        bundle=bundle,
        view=view,
        metric=chosen,
        columns=columns,
        entries=tuple(ordered),
        sort=columns[sort_index].name if sort_index is not None else "",
        is_reversed=is_reversed,
        metrics=tuple((name, metric_name(name)) for name in metrics),
        within=within,
        groups=tuple((name, group_name(name)) for name in groups),
    )


def systems_without_answers(release: Release) -> list[System]:
    """The team's systems that have no prediction set for this release; deleting a set leads here, never away."""
    with_answers = release.prediction_sets.values("system")
    return list(System.objects.filter(team=release.team_id).exclude(pk__in=with_answers).order_by("name"))


def is_outdated(run: ScoreRun) -> bool:
    """True when the metrics' present settings are not those that made the run's figures."""
    for score in run.results.get("scores", ()):
        name, preset, *_rest = score["signature"].split("|")
        if _settings_of(name, preset.removeprefix("preset:")) != score["signature"].rsplit("|data:", 1)[0]:
            return True
    return False


@lru_cache(maxsize=256)
def _settings_of(metric: str, preset: str) -> str:
    if metric not in metric_names():
        return ""
    return str(get(metric).make_accumulator(preset).signature)


def newest_sets(release: Release) -> list[PredictionSet]:
    """The newest prediction set of each system, by the system's name."""
    newest: dict[int, PredictionSet] = {}
    rows = release.prediction_sets.select_related("system", "release").order_by("-created_at", "-pk")
    for answers in rows:
        newest.setdefault(answers.system_id, answers)
    return sorted(newest.values(), key=lambda answers: (answers.system.name.casefold(), answers.system_id))


def _figures(run: ScoreRun) -> dict[Key, dict[str, Any]]:
    results = run.results
    overall = {(name, ALL): score for name, score in results.get("overall", {}).items()}
    return overall | {(score["metric"], score["group"]): score for score in results.get("scores", ())}


def _metrics_in(known: dict[Key, Any]) -> list[str]:
    """The metrics that have figures, headline ones first, then as the registry lists them."""
    metrics = {metric for metric, _ in known}
    order = ["overall", "overall_up", "overall_down", *metric_names()]
    return [name for name in order if name in metrics]


def _groups_in(known: dict[Key, Any]) -> list[str]:
    """The strata that have figures, kind by kind."""
    groups = {group for _, group in known}
    return [group for kind in KINDS for group in sorted(groups) if group.startswith(f"{kind}:")]


def _columns(
    known: dict[Key, dict[str, Any]], view: str, metrics: list[str], chosen: str, within: str
) -> list[LeaderboardColumn]:
    if view == "metrics":
        keys = [(metric, within) for metric in metrics if (metric, within) in known]
        return [LeaderboardColumn(key, metric_name(key[0]), _is_lower_better(known[key])) for key in keys]
    groups = sorted(group for metric, group in known if metric == chosen and group.startswith(f"{view}:"))
    keys = [(chosen, group) for group in (ALL, *groups) if (chosen, group) in known]
    return [LeaderboardColumn(key, group_name(key[1]), _is_lower_better(known[key])) for key in keys]


def _is_lower_better(score: dict[str, Any]) -> bool:
    return bool(score["direction"] == "lower")


def _cell(score: dict[str, Any] | None) -> LeaderboardCell:
    if score is None:
        return LeaderboardCell(None)
    return LeaderboardCell(score["value"], score["n"], score["n_failed"], score["signature"], score["reason"])


def _sorting_column(
    columns: Sequence[LeaderboardColumn], entries: Sequence[LeaderboardRow], wanted: str
) -> int | None:
    named = [index for index, column in enumerate(columns) if column.name == wanted]
    filled = [
        index
        for index in range(len(columns))
        if any(entry.cells[index].value is not None for entry in entries)
    ]
    return next(iter([*named, *filled]), 0 if columns else None)


def _with_best(entries: list[LeaderboardRow], columns: Sequence[LeaderboardColumn]) -> list[LeaderboardRow]:
    """Mark the best figure of each column; equal ones are all best, a column of one system has none."""
    best: list[float | None] = []
    for index, column in enumerate(columns):
        values = [value for entry in entries if (value := entry.cells[index].value) is not None]
        pick = min if column.is_lower_better else max
        best.append(pick(values) if len(values) > 1 else None)
    return [
        replace(
            entry,
            cells=tuple(
                replace(cell, is_best=cell.value is not None and cell.value == top)
                for cell, top in zip(entry.cells, best, strict=True)
            ),
        )
        for entry in entries
    ]


def _ranked(
    entries: list[LeaderboardRow],
    columns: Sequence[LeaderboardColumn],
    sort_index: int | None,
    is_reversed: bool,
) -> list[LeaderboardRow]:
    """Best first with competition ranks (1, 1, 3); equal figures by name; n/a at the end, whichever way round."""
    if sort_index is None:
        return entries
    sign = 1 if columns[sort_index].is_lower_better else -1
    scored = [entry for entry in entries if entry.cells[sort_index].value is not None]
    rest = [entry for entry in entries if entry.cells[sort_index].value is None]
    scored.sort(
        key=lambda entry: sign * (entry.cells[sort_index].value or 0.0)
    )  # stable: names stay in order
    ranked: list[LeaderboardRow] = []
    for place, entry in enumerate(scored, start=1):
        is_tied = bool(ranked) and ranked[-1].cells[sort_index].value == entry.cells[sort_index].value
        ranked.append(replace(entry, rank=ranked[-1].rank if is_tied else place))
    if is_reversed:
        ranked.sort(key=lambda entry: -(entry.rank or 0))
    return ranked + rest


def scored_bundles(release: Release) -> list[str]:
    """The bundles with which any system of the release has been scored, by name."""
    runs = ScoreRun.objects.filter(prediction_set__release=release, state=JobState.DONE)
    return sorted(set(runs.values_list("bundle", flat=True)))
