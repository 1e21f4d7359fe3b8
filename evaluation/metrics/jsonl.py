"""Ground truth and predictions from JSONL files, paired by id, one sample at a time.

Only the offset of each prediction is kept in memory, so files may be larger than it. Every fault of a file raises
InputFileError with file, line and field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.edge_cases import TooLarge
from evaluation.predictions import MISSING, Content, Failed, PredictionValue, Regions, Text
from evaluation.records import BadRecord, GoldRecord, PredictionRecord, parse_gold, parse_prediction

Record = TypeVar("Record", GoldRecord, PredictionRecord)

STRUCTURES = ("text", "table", "formula", "grade")


class InputFileError(ValueError):
    """A file that cannot be scored; the message names file, line and field and says how to fix it."""


@dataclass(frozen=True, slots=True)
class LineLocation:
    """The position of a record in its file: line from 1, offset in bytes."""

    line: int
    offset: int


class PredictionFile:
    """Predictions by id; `locations` maps each id to its location, in file order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.locations: dict[str, LineLocation] = {}
        for location, record in _records(path, parse_prediction):
            if record.id in self.locations:
                first = self.locations[record.id].line
                raise InputFileError(
                    f"{path}: line {location.line}: field 'id': {record.id!r} was already on line {first}; "
                    "keep one prediction a sample."
                )
            self.locations[record.id] = location
        self._file = path.open("rb")

    def prediction_for(self, sample_id: str) -> PredictionValue:
        """The prediction of this sample; `MISSING` where there is none."""
        location = self.locations.get(sample_id)
        if location is None:
            return MISSING
        self._file.seek(location.offset)
        return _parse(self.path, parse_prediction, self._file.readline(), location.line).prediction

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> PredictionFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_gold_index(path: Path, *, subtasks: Sequence[str] = ()) -> dict[str, LineLocation]:
    """The location of every record by id. Raises InputFileError for a fault anywhere in the file.

    `subtasks` are the ones a record may name; empty = any.
    """
    locations: dict[str, LineLocation] = {}
    for location, record in _records(path, parse_gold):
        if record.id in locations:
            raise InputFileError(
                f"{path}: line {location.line}: field 'id': {record.id!r} was already on line "
                f"{locations[record.id].line}; give each sample one line."
            )
        if record.structure not in STRUCTURES:
            raise InputFileError(
                f"{path}: line {location.line}: field 'structure' is {record.structure!r}; "
                f"write one of {', '.join(STRUCTURES)}."
            )
        subtask = _text_of(record, "subtask")
        if subtask and subtasks and subtask not in subtasks:
            raise InputFileError(
                f"{path}: line {location.line}: field 'subtask' is {subtask!r}; write one of "
                f"{', '.join(subtasks)}, or leave it out."
            )
        locations[record.id] = location
    return locations


def read_samples(gold: Path, predictions: PredictionFile) -> Iterator[ScoringSample]:
    """One sample per record of the ground truth, in file order."""
    for _, record in _records(gold, parse_gold):
        reference, prediction = _same_form(record, predictions.prediction_for(record.id))
        yield ScoringSample(
            id=record.id,
            structure=record.structure,
            prediction=prediction,
            reference=reference,
            language=record.language,
            subtask=_text_of(record, "subtask"),
            page=_text_of(record, "page"),
        )


def _same_form(record: GoldRecord, prediction: PredictionValue) -> tuple[Content, PredictionValue]:
    """Ground truth and prediction as the file format has them.

    A formula page is by region where its ground truth is a JSON object of LaTeX by region id, written as a string, or
    where the record lists its regions and the prediction is by region. Its prediction is then a JSON object too, or
    a page.
    """
    if record.structure != "formula":
        return Text(record.text), _no_regions(prediction)
    by_id = _read_regions(record.text)
    if by_id is not None:
        written = _read_regions(prediction.text) if isinstance(prediction, Text) else None
        return by_id, written or prediction
    if isinstance(prediction, Regions) and record.regions:
        return Regions({str(region.number): region.latex for region in record.regions}), prediction
    return Text(record.text), _no_regions(prediction)


def _no_regions(prediction: PredictionValue) -> PredictionValue:
    is_by_region = isinstance(prediction, Regions)
    return Failed("by region, but the ground truth has no regions") if is_by_region else prediction


def _read_regions(text: str) -> Regions | None:
    """The JSON object of LaTeX by region id that the text is, alone or in one code fence; None where it is none."""
    # Imported here, because matching needs scipy and a file without formulas does not.
    from evaluation.metrics.matching import UnreadablePrediction, read_region_predictions  # noqa: PLC0415

    try:
        return Regions(read_region_predictions(text)) if text.strip() else None
    except (UnreadablePrediction, TooLarge):  # what is too large is refused by the matching of pages
        return None


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
