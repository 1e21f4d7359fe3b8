"""What a release holds, and what changed since the one before; counts only, never a text."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from config.accounts.models import Team
from evaluation.labels import LANGUAGES, language_name, scenario_name, structure_name
from evaluation.models import GoldItem, PredictionSet, Release


@dataclass(frozen=True, slots=True)
class Crosstab:
    """Counts of items by two keys, with their sums; `heat` is 0..10 of the largest cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[int, int], ...], int], ...]  # name, (count, heat) a column, sum
    sums: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Changes:
    """How a release differs from the one before, in items."""

    previous: Release
    added: int
    removed: int
    changed: int

    @property
    def is_none(self) -> bool:
        return not (self.added or self.removed or self.changed)


def releases_of(team: Team) -> QuerySet[Release]:
    """A team's releases, newest first, each with `n_systems`: how many systems answered it."""
    return (
        Release.objects.filter(team=team)
        .annotate(n_systems=Count("prediction_sets__system", distinct=True))
        .order_by("-number")
    )


def contents_of(release: Release) -> Crosstab:
    """Structure by language, as benchmarks print it."""
    counts = _counts(release, "structure", "language")
    return _crosstab(
        {(structure_name(structure), language_name(language)): n for (structure, language), n in counts}
    )


def scenarios_of(release: Release) -> Crosstab:
    """Scenario by language."""
    counts = _counts(release, "scenario", "language")
    return _crosstab(
        {(scenario_name(scenario), language_name(language)): n for (scenario, language), n in counts}
    )


def _counts(release: Release, *keys: str) -> list[tuple[tuple[str, str], int]]:
    rows = release.items.order_by().values_list(*keys).annotate(n=Count("pk"))
    return sorted(((row[0], row[1]), row[2]) for row in rows)


def _crosstab(counts: dict[tuple[str, str], int]) -> Crosstab:
    columns = tuple(sorted({column for _, column in counts}, key=_place_of_language))
    names = tuple(dict.fromkeys(name for name, _ in counts))
    most = max(counts.values(), default=1)

    def cell(name: str, column: str) -> tuple[int, int]:
        count = counts.get((name, column), 0)
        return count, round(10 * count / most)

    rows = tuple(
        (
            name,
            tuple(cell(name, column) for column in columns),
            sum(counts.get((name, column), 0) for column in columns),
        )
        for name in names
    )
    sums = tuple(sum(counts.get((name, column), 0) for name in names) for column in columns)
    return Crosstab(columns, rows, sums, sum(counts.values()))


def _place_of_language(name: str) -> tuple[int, str]:
    """The order in which every page lists languages; those it does not know come last."""
    known = [str(known) for known in LANGUAGES.values()]
    return (known.index(name), name) if name in known else (len(known), name)


def previous_of(release: Release) -> Release | None:
    """The release before this one, if any."""
    return Release.objects.filter(team=release.team_id, number__lt=release.number).order_by("-number").first()


def changes_of(release: Release) -> Changes | None:
    """What changed since the previous release; None for a first one."""
    previous = previous_of(release)
    if previous is None:
        return None
    items = _beside(release, previous)
    figures = items.aggregate(
        added=Count("pk", filter=Q(was_there=False)),
        changed=Count("pk", filter=Q(was_there=True) & ~Q(now=F("before"))),
    )
    return Changes(previous, figures["added"], gone_from(release, previous).count(), figures["changed"])


def changed_items(release: Release, previous: Release) -> QuerySet[GoldItem]:
    """Items whose text differs from the previous release's (`now`, `before`), and new ones (`was_there` False)."""
    rows = _beside(release, previous)
    return rows.filter(Q(was_there=False) | ~Q(now=F("before"))).order_by("position")


def gone_from(release: Release, previous: Release) -> QuerySet[GoldItem]:
    """Items of the previous release that this one does not hold."""
    here = GoldItem.objects.filter(release=release, sample_id=OuterRef("sample_id"))
    return GoldItem.objects.filter(~Exists(here), release=previous).order_by("position")


def _beside(release: Release, previous: Release) -> QuerySet[GoldItem]:
    there = GoldItem.objects.filter(release=previous, sample_id=OuterRef("sample_id"))
    text = there.annotate(text=_text()).values("text")[:1]
    return GoldItem.objects.filter(release=release).annotate(
        was_there=Exists(there),
        now=_text(),
        before=Subquery(text, output_field=TextField()),
    )


def _text() -> Cast:
    # Cast, or the comparison would take the text for JSON.
    return Cast(KT("record__text"), TextField())


def prediction_sets_of(release: Release) -> QuerySet[PredictionSet]:
    """Newest first, with the system and `n_answers`."""
    return (
        release.prediction_sets.select_related("system", "created_by", "model_run")
        .annotate(
            n_answers=Count("predictions", filter=Q(predictions__failure="")),
            n_failures=Count("predictions", filter=~Q(predictions__failure="")),
        )
        .order_by("-created_at", "-pk")
    )
