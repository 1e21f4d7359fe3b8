"""What crosses between apps: plain records, no rows.

Annotation hands down gold, baseline and model runs hand down predictions, exports and the command line read
and write the same shapes. One JSON object a line when written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TextIO, cast

MAX_NUMBER = 2**31 - 1


class BadRecord(ValueError):
    """A line that is not a record; the message names line, field and mend."""


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """The released ground truth of one sample.

    `id` is the sample's UUID (32 hex digits), `file_name` its released image's name. `text` holds the
    Markdown of a text sample. `origins` says for each line, in order, where it came from: agreed, primary,
    second or new.
    """

    id: str
    file_name: str
    structure: str
    language: str
    text: str
    image_hash: str = ""
    width: int = 0
    height: int = 0
    scenario: str = ""
    source: str = ""
    number: int = 0
    origins: tuple[str, ...] = ()
    guideline: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)  # problem, writer_id, split, group, subtask, ...


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """A system's answer to one sample: a text, or the reason there is none.

    `text` None with an empty `failure` never occurs: a system that was not asked simply has no record.
    """

    id: str
    text: str | None
    failure: str = ""
    raw: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReleaseManifest:
    """The head of a release: what it is, what it holds, and how to check that it is unchanged."""

    team: str
    number: int
    title: str
    created_at: str  # ISO 8601, UTC
    count: int
    checksum: str  # SHA-256 over the records' canonical lines, in order
    previous: int | None = None
    notes: str = ""
    guideline: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


def to_line(record: GoldRecord | PredictionRecord | ReleaseManifest) -> str:
    """Canonical JSON of a record: sorted keys, no spaces, real characters; byte-equal for equal records."""
    return json.dumps(asdict(record), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _from_object(kind: type[Any], obj: object, line: int) -> Any:
    if not isinstance(obj, dict):
        raise BadRecord(f"line {line}: expected a JSON object with the fields of a {kind.__name__}.")
    known = {f.name: f for f in fields(kind)}
    required = ("id", "text") if kind is PredictionRecord else ("id", "text", "structure")
    for name in required:
        if name not in obj:
            raise BadRecord(f"line {line}: field '{name}' is missing; add it.")
    if not isinstance(obj["id"], str) or not obj["id"]:
        raise BadRecord(f"line {line}: field 'id' must be a non-empty string.")
    text = obj["text"]
    if not isinstance(text, str) and not (kind is PredictionRecord and text is None):
        raise BadRecord(f"line {line}: field 'text' must be a string; got {type(text).__name__}.")
    values = {name: value for name, value in obj.items() if name in known}
    _check_types(values, line)
    if kind is GoldRecord:  # what others write beside our fields (subtask, writer_id, ...) is kept
        unknown = {name: value for name, value in obj.items() if name not in known}
        values["extra"] = {**unknown, **values.get("extra", {})}
        values.setdefault("file_name", "")
    if "origins" in values:
        values["origins"] = tuple(values["origins"])
    if kind is GoldRecord:
        values.setdefault("language", "")
    if kind is PredictionRecord and text is None and not values.get("failure"):
        values["failure"] = "no answer"
    return kind(**values)


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("file_name", "structure", "language", "failure", "raw", "scenario", "source"), str),
    **dict.fromkeys(("extra", "provenance"), dict),
    **dict.fromkeys(("width", "height", "number", "guideline"), int),
    "image_hash": str,
    "origins": list,
}


def _check_types(values: Mapping[str, object], line: int) -> None:
    for name, kind in _TYPES.items():
        is_bool = isinstance(values.get(name), bool)  # which Python counts among the numbers
        if name in values and (is_bool or not isinstance(values[name], kind)):
            found = type(values[name]).__name__
            raise BadRecord(f"line {line}: field '{name}' must be a {kind.__name__}; got {found}.")
        if kind is int and not (0 <= cast(int, values.get(name, 0)) <= MAX_NUMBER):
            raise BadRecord(f"line {line}: field '{name}' must be from 0 to {MAX_NUMBER}.")
    if not all(isinstance(origin, str) for origin in cast(list[object], values.get("origins", []))):
        raise BadRecord(f"line {line}: field 'origins' must hold strings.")


def parse_gold(line: str, number: int) -> GoldRecord:
    """The gold record of one JSONL line; `number` is the line's, for the message of a BadRecord."""
    record: GoldRecord = _parse(GoldRecord, line, number)
    return record


def parse_prediction(line: str, number: int) -> PredictionRecord:
    """The prediction record of one JSONL line; `number` is the line's, for the message of a BadRecord."""
    record: PredictionRecord = _parse(PredictionRecord, line, number)
    return record


def read_gold(file: TextIO) -> Iterator[GoldRecord]:
    """Gold records of a JSONL file, in order. Raises BadRecord; blank lines are passed over."""
    yield from _read(GoldRecord, file)


def read_predictions(file: TextIO) -> Iterator[PredictionRecord]:
    """Prediction records of a JSONL file, in order. Raises BadRecord; blank lines are passed over."""
    yield from _read(PredictionRecord, file)


def _read(kind: type[Any], file: TextIO) -> Iterator[Any]:
    for number, line in enumerate(file, start=1):
        if line.strip():
            yield _parse(kind, line, number)


def _parse(kind: type[Any], line: str, number: int) -> Any:
    try:
        obj = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {number}: not JSON ({error.msg} at character {error.pos}).") from None
    except ValueError:
        raise BadRecord(f"line {number}: not a record (a number has thousands of digits).") from None
    except RecursionError:
        raise BadRecord(f"line {number}: not a record (values are nested too deep).") from None
    return _from_object(kind, obj, number)
