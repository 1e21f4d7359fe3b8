"""Gold and predictions from JSONL files, paired by id, one sample at a time.

Only where each prediction starts is kept in memory, so files may be larger than it. Every fault of a file is
a `InputFileError` naming file, line and field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluation.metrics.base import Failed
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.records import BadRecord, GoldRecord, PredictionRecord, parse_gold, parse_prediction

Record = TypeVar("Record", GoldRecord, PredictionRecord)

STRUCTURES = ("text", "table", "formula", "grade")


class InputFileError(ValueError):
    """A file that cannot be scored; the message names file, line, field and mend."""


@dataclass(frozen=True, slots=True)
class LineLocation:
    """Where a record is."""

    line: int
    offset: int


class PredictionFile:
    """Predictions by id; `places` says which ids there are, in file order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: dict[str, LineLocation] = {}
        for place, record in _records(path, parse_prediction):
            if record.id in self.places:
                first = self.places[record.id].line
                raise InputFileError(
                    f"{path}: line {place.line}: field 'id': {record.id!r} was already on line {first}; "
                    "keep one prediction a sample."
                )
            self.places[record.id] = place
        self._file = path.open("rb")

    def answer(self, sample_id: str) -> str | None:
        """The prediction's text, `Failed(reason)`, or None where there is none."""
        place = self.places.get(sample_id)
        if place is None:
            return None
        self._file.seek(place.offset)
        record = _parse(self.path, parse_prediction, self._file.readline(), place.line)
        return Failed(record.failure) if record.text is None else record.text

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> PredictionFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_gold_index(path: Path, *, subtasks: Sequence[str] = ()) -> dict[str, LineLocation]:
    """Every gold id and its place; InputFileError for a fault anywhere in the file, before anything is scored.

    `subtasks`: the only ones allowed where a record names one; empty = any.
    """
    places: dict[str, LineLocation] = {}
    for place, record in _records(path, parse_gold):
        if record.id in places:
            raise InputFileError(
                f"{path}: line {place.line}: field 'id': {record.id!r} was already on line "
                f"{places[record.id].line}; give each sample one line."
            )
        if record.structure not in STRUCTURES:
            raise InputFileError(
                f"{path}: line {place.line}: field 'structure' is {record.structure!r}; "
                f"write one of {', '.join(STRUCTURES)}."
            )
        subtask = _text_of(record, "subtask")
        if subtask and subtasks and subtask not in subtasks:
            raise InputFileError(
                f"{path}: line {place.line}: field 'subtask' is {subtask!r}; write one of "
                f"{', '.join(subtasks)}, or leave it out."
            )
        places[record.id] = place
    return places


def read_samples(gold: Path, predictions: PredictionFile) -> Iterator[ScoringSample]:
    """One sample for each gold record, in the gold's order."""
    for _, record in _records(gold, parse_gold):
        yield ScoringSample(
            id=record.id,
            structure=record.structure,
            prediction=predictions.answer(record.id),
            reference=record.text,
            language=record.language,
            subtask=_text_of(record, "subtask"),
            page=_text_of(record, "page"),
        )


def _text_of(record: GoldRecord, name: str) -> str:
    value = record.extra.get(name)
    return value if isinstance(value, str) else ""


def _records(path: Path, parse: Callable[[str, int], Record]) -> Iterator[tuple[LineLocation, Record]]:
    offset = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield LineLocation(number, offset), _parse(path, parse, line, number)
                offset += len(line)
    except OSError as error:
        raise InputFileError(f"{path}: {error.strerror or error}.") from None


def _parse(path: Path, parse: Callable[[str, int], Record], line: bytes, number: int) -> Record:
    try:
        return parse(line.decode("utf-8-sig" if number == 1 else "utf-8"), number)
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{path}: line {number}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8."
        ) from None
    except BadRecord as error:
        raise InputFileError(f"{path}: {error}") from None
