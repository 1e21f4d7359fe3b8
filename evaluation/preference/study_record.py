"""A whole study as one JSON object: design, items, and ratings.

Pure. The analysis reads nothing else, so this object is enough to compute every result again. Raters are R1, R2, ...;
the object contains no accounts and no names of people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.preference.design import CardSide, Choice, PreferredMetric, TrialKind, preferred_metric
from evaluation.preference.score_mapping import MappingKind, ScoreMapping

FORMAT = "inkbench-preference-1"
FIRST, SECOND, GRADER = "first", "second", "grader"


class BadStudyRecord(LocalizedError, ValueError):
    """The data are not a study record; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One automatic score. `mapping` None: the metric's own scale.

    The keys `first` and `second` are the two compared, `grader` is the raw total of an automatic grader, all others are
    additional.
    """

    key: str
    label: str
    signature: str
    is_lower_better: bool = False
    mapping: ScoreMapping | None = None

    def oriented(self, value: float) -> float:
        """The value for correlations: mapped to 0..10 if there is a mapping, otherwise with a sign so that higher is
        better."""
        if self.mapping is not None:
            return self.mapping.mapped(value)
        return -value if self.is_lower_better else value


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One prediction of the full set with its values, on their own scales, by score."""

    sample: str
    system: str
    values: Mapping[str, float]
    is_equal: bool = False


@dataclass(frozen=True, slots=True)
class StudyItemRow:
    """One item that raters saw: `shown` are its two formatted scores, `expected` is the right choice for an attention
    item."""

    id: int
    kind: TrialKind
    sample: str
    system: str
    values: Mapping[str, float]
    shown: Mapping[str, str]
    expected: PreferredMetric | None = None


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One trial: one item shown to one rater at a position, with the side of the first metric and the rating.

    Grade and choice are None if the rater did not get to them. `seconds` is the time from opening to choice;
    `seconds_at_work` excludes time outside the window and counts at most MAX_IDLE_SECONDS between two events.
    """

    rater: str
    position: int
    kind: TrialKind
    item: int
    first_is: CardSide
    grade: int | None = None
    marks: Mapping[str, int] = field(default_factory=dict)
    choice: Choice | None = None
    comment: str = ""
    seconds: float | None = None
    seconds_at_work: float | None = None
    times_left: int = 0

    @property
    def chosen(self) -> PreferredMetric | None:
        return None if self.choice is None else preferred_metric(self.choice, self.first_is)


@dataclass(frozen=True, slots=True)
class Settings:
    """How the study is analysed, fixed before the first rating."""

    seed: int
    decimals: int
    tie_rule: str
    attention_share: float = 0.75  # of a rater's attention items; a rater with fewer right choices fails
    confidence: float = 0.95
    resamples: int = 2000


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """The whole study. `facts` are details for people (release, checksum, dates)."""

    settings: Settings
    measures: tuple[MetricRow, ...]
    items: tuple[StudyItemRow, ...]
    raters: tuple[str, ...]
    trials: tuple[TrialRow, ...]
    units: tuple[UnitRow, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def metric(self, key: str) -> MetricRow:
        return next(row for row in self.measures if row.key == key)

    def label(self, key: str) -> str:
        return self.metric(key).label

    def as_json(self) -> dict[str, Any]:
        """The JSON-able form; trials also have the chosen metric."""
        trials = [asdict(row) | {"chosen": row.chosen} for row in self.trials]
        return {"format": FORMAT, **asdict(self), "trials": trials}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StudyRecord:
        """The record from its JSON form. Raises BadStudyRecord."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise BadStudyRecord(_("not a study record: 'format' must be %(format)s"), format=repr(FORMAT))
        try:
            return cls(
                settings=Settings(**data["settings"]),
                measures=tuple(_metric(row) for row in data["measures"]),
                items=tuple(_item(row) for row in data["items"]),
                raters=tuple(data["raters"]),
                trials=tuple(_trial(row) for row in data["trials"]),
                units=tuple(UnitRow(**row) for row in data["units"]),
                left_out=dict(data["left_out"]),
                facts=dict(data["facts"]),
            )
        except (KeyError, TypeError, ValueError) as fault:
            raise BadStudyRecord(_("not a study record: %(why)s"), why=repr(fault)) from fault


def _metric(row: Mapping[str, Any]) -> MetricRow:
    mapping = row["mapping"]
    score_mapping = None
    if mapping is not None:
        score_mapping = ScoreMapping(MappingKind(mapping["kind"]), mapping["low"], mapping["high"])
    return MetricRow(**{**row, "mapping": score_mapping})


def _item(row: Mapping[str, Any]) -> StudyItemRow:
    expected = PreferredMetric(row["expected"]) if row["expected"] else None
    return StudyItemRow(**{**row, "kind": TrialKind(row["kind"]), "expected": expected})


def _trial(row: Mapping[str, Any]) -> TrialRow:
    fields = {name: value for name, value in row.items() if name != "chosen"}
    choice = Choice(row["choice"]) if row["choice"] else None
    return TrialRow(
        **{**fields, "kind": TrialKind(row["kind"]), "first_is": CardSide(row["first_is"]), "choice": choice}
    )
