"""The whole of a study as one JSON object: what was planned, what was shown, what was answered.

Pure. The analysis reads nothing else, so whoever has this object can compute every figure again. Raters are named
R1, R2, ... ; no account and no name of a person is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.preference.design import CardSide, Choice, PreferredMetric, TrialKind, thing_chosen
from evaluation.preference.score_mapping import MappingKind, ScoreMapping

FORMAT = "inkbench-preference-1"
FIRST, SECOND, GRADER = "first", "second", "grader"


class BadStudyRecord(LocalizedError, ValueError):
    """Not a study's record; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One automatic score. `first` and `second` are the two compared; `grader` is the raw total of an automatic
    grader; all others are told beside. `mapping` None: its own scale."""

    key: str
    label: str
    signature: str
    is_lower_better: bool = False
    mapping: ScoreMapping | None = None

    def oriented(self, value: float) -> float:
        """The value as correlations take it: mapped to 0..10 where it is mapped, else with higher as better."""
        if self.mapping is not None:
            return self.mapping.mapped(value)
        return -value if self.is_lower_better else value


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One answer of the full set with its own-scale values by measure."""

    sample: str
    system: str
    values: Mapping[str, float]
    is_equal: bool = False


@dataclass(frozen=True, slots=True)
class StudyItemRow:
    """One item that raters saw. `shown`: the two scores as written. `expected`: the side-free right answer of an
    attention item."""

    id: int
    kind: TrialKind
    sample: str
    system: str
    values: Mapping[str, float]
    shown: Mapping[str, str]
    expected: PreferredMetric | None = None


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One item at one rater's place: the order shown, the side, the grade, the answer and the thing chosen.

    Grade and choice are None where the rater did not come to them. `seconds` is the time the page was open,
    `seconds_at_work` without the time its window was left and with long pauses cut.
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
        return None if self.choice is None else thing_chosen(self.choice, self.first_is)


@dataclass(frozen=True, slots=True)
class Settings:
    """How the study is analysed; all of it fixed before the first grade."""

    seed: int
    decimals: int
    tie_rule: str
    attention_share: float = 0.75  # of a rater's attention items; who answers fewer of them right fails
    confidence: float = 0.95
    resamples: int = 2000


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """Everything. `facts` is what people want to know beside the figures (release, checksum, dates)."""

    settings: Settings
    measures: tuple[MeasureRow, ...]
    items: tuple[StudyItemRow, ...]
    raters: tuple[str, ...]
    trials: tuple[TrialRow, ...]
    units: tuple[UnitRow, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def measure(self, key: str) -> MeasureRow:
        return next(row for row in self.measures if row.key == key)

    def label(self, key: str) -> str:
        return self.measure(key).label

    def as_json(self) -> dict[str, Any]:
        """Plain JSON-able form, with the thing chosen written out beside side and answer."""
        trials = [asdict(row) | {"chosen": row.chosen} for row in self.trials]
        whole = {"format": FORMAT, **asdict(self), "trials": trials}
        return whole

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StudyRecord:
        """The record of such an object. Raises BadStudyRecord."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise BadStudyRecord(_("not a study record: 'format' must be %(format)s"), format=repr(FORMAT))
        try:
            return cls(
                settings=Settings(**data["settings"]),
                measures=tuple(_measure(row) for row in data["measures"]),
                items=tuple(_item(row) for row in data["items"]),
                raters=tuple(data["raters"]),
                trials=tuple(_trial(row) for row in data["trials"]),
                units=tuple(UnitRow(**row) for row in data["units"]),
                left_out=dict(data["left_out"]),
                facts=dict(data["facts"]),
            )
        except (KeyError, TypeError, ValueError) as fault:
            raise BadStudyRecord(_("not a study record: %(why)s"), why=repr(fault)) from fault


def _measure(row: Mapping[str, Any]) -> MeasureRow:
    mapping = row["mapping"]
    made = None
    if mapping is not None:
        made = ScoreMapping(MappingKind(mapping["kind"]), mapping["low"], mapping["high"])
    return MeasureRow(**{**row, "mapping": made})


def _item(row: Mapping[str, Any]) -> StudyItemRow:
    expected = PreferredMetric(row["expected"]) if row["expected"] else None
    return StudyItemRow(**{**row, "kind": TrialKind(row["kind"]), "expected": expected})


def _trial(row: Mapping[str, Any]) -> TrialRow:
    given = {name: value for name, value in row.items() if name != "chosen"}
    choice = Choice(row["choice"]) if row["choice"] else None
    return TrialRow(
        **{**given, "kind": TrialKind(row["kind"]), "first_is": CardSide(row["first_is"]), "choice": choice}
    )
