"""What crosses between apps: plain records, no rows.

Annotation hands down gold, baseline and model runs hand down predictions, exports and the command line read
and write the same shapes. One JSON object a line when written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, cast

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.predictions import Failed, Regions, SubmittedPrediction, Text
from evaluation.record_parts import (
    BadPart,
    RecordMask,
    RecordRegion,
    read_difficulty,
    read_masks,
    read_region_latex,
    read_regions,
)

MAX_NUMBER = 2**31 - 1
DOUBLE_VERIFIED, UNVERIFIED, VERIFIED_ELSEWHERE = "double verified", "unverified", "verified elsewhere"
NO_REASON = "no answer"  # of a prediction that failed and does not say why
VERIFICATIONS = (DOUBLE_VERIFIED, UNVERIFIED, VERIFIED_ELSEWHERE)


class BadRecord(LocalizedError, ValueError):
    """A line that is not a record; the message names line, field and mend."""


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """The released ground truth of one sample.

    `id` is the sample's UUID (32 hex digits), `file_name` its released image's name. `text` holds the Markdown of
    a text sample, the HTML of a table, and of a formula page its Markdown, one `$$..$$` paragraph a region in
    reading order; `regions` holds the same formulas with their places. `masks` are the places that are painted over
    in the image. `origins` says for each field, in order, where it came from: agreed, primary, second, new or
    imported. `verification` is one of VERIFICATIONS; empty in records from before it was kept, which were all
    double verified. `difficulty` has mean, spread and n for each rated dimension.
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
    regions: tuple[RecordRegion, ...] = ()
    masks: tuple[RecordMask, ...] = ()
    verification: str = ""
    difficulty: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """What a system gives for one sample. A sample without a record is missing.

    `raw` is the reply that the prediction was read from, `provenance` how it came about (model, version, ...).
    """

    id: str
    prediction: SubmittedPrediction
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
    guideline_text: str = ""  # of version `guideline`; "" where the release was made without it


# Left out where empty, so that the lines of older records stay what they were.
_ONLY_WHEN_THERE = ("regions", "masks", "verification", "difficulty")


def as_object(record: GoldRecord | PredictionRecord) -> dict[str, Any]:
    """The record as JSON can hold it."""
    if isinstance(record, PredictionRecord):
        return _prediction_as_object(record)
    return {
        name: value
        for name, value in asdict(record).items()
        if name not in _ONLY_WHEN_THERE or value not in ((), "", {})
    }


def _prediction_as_object(record: PredictionRecord) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": record.id,
        "text": None,
        "failure": "",
        "raw": record.raw,
        "provenance": dict(record.provenance),
    }
    match record.prediction:
        case Text(text):
            return values | {"text": text}
        case Regions(latex):
            return values | {"regions": dict(latex)}
        case Failed(reason):
            return values | {"failure": reason}


def to_line(record: GoldRecord | PredictionRecord | ReleaseManifest) -> str:
    """Canonical JSON of a record: sorted keys, no spaces, real characters; byte-equal for equal records."""
    values = asdict(record) if isinstance(record, ReleaseManifest) else as_object(record)
    return json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def gold_from_object(values: Mapping[str, Any]) -> GoldRecord:
    """The record that `as_object` made these values of, after a stay in a database. Raises BadRecord."""
    return _gold_from_object(dict(values), 1)


def _bad(line: int, message: str, **facts: object) -> BadRecord:
    return BadRecord(message, **facts).within(_("line %(line)s"), line=line)


def _gold_from_object(obj: object, line: int) -> GoldRecord:
    values = _object_with(obj, ("id", "text", "structure"), GoldRecord.__name__, line)
    text = values["text"]
    if not isinstance(text, str):
        raise _bad(line, _("field 'text' must be a string; got %(found)s."), found=type(text).__name__)
    names = {field.name for field in fields(GoldRecord)}
    unknown = {name: value for name, value in values.items() if name not in names}
    values = {"file_name": "", "language": ""} | {
        name: value for name, value in values.items() if name in names
    }
    _check_types(values, line)
    values["extra"] = {**unknown, **values.get("extra", {})}  # subtask, writer_id, ... as others write them
    if "origins" in values:
        values["origins"] = tuple(values["origins"])
    _read_parts(values, line)
    return GoldRecord(**values)


def _prediction_from_object(obj: object, line: int) -> PredictionRecord:
    kind = PredictionRecord.__name__
    if isinstance(obj, dict) and obj.get("regions") is not None:
        if obj.get("text") is not None:
            raise _bad(line, _("give either 'text' or 'regions', not both."))
        obj = {**obj, "text": None}
    values = _object_with(obj, ("id", "text"), kind, line)
    text = values["text"]
    if not isinstance(text, str | None):
        raise _bad(line, _("field 'text' must be a string; got %(found)s."), found=type(text).__name__)
    _check_types({name: values[name] for name in _PREDICTION_FIELDS if name in values}, line)
    try:
        latex = read_region_latex(values.get("regions"))
    except BadPart as fault:
        raise BadRecord.from_error(fault).within(_("line %(line)s"), line=line) from None
    prediction: SubmittedPrediction
    if latex is not None:
        prediction = Regions(latex)
    elif text is not None:
        prediction = Text(text)
    else:
        prediction = Failed(values.get("failure") or NO_REASON)
    return PredictionRecord(values["id"], prediction, values.get("raw", ""), values.get("provenance", {}))


def _object_with(obj: object, required: tuple[str, ...], kind: str, line: int) -> dict[str, Any]:
    if not isinstance(obj, dict):
        raise _bad(line, _("expected a JSON object with the fields of a %(kind)s."), kind=kind)
    for name in required:
        if name not in obj:
            raise _bad(line, _("field '%(name)s' is missing; add it."), name=name)
    if not isinstance(obj["id"], str) or not obj["id"]:
        raise _bad(line, _("field 'id' must be a non-empty string."))
    return obj


def _read_parts(values: dict[str, Any], line: int) -> None:
    """Put the records' parts in place of the plain JSON. Raises BadRecord, which names field and entry."""
    try:
        for name, read in (("regions", read_regions), ("masks", read_masks), ("difficulty", read_difficulty)):
            if name in values:
                values[name] = read(values[name])
    except BadPart as fault:
        raise BadRecord.from_error(fault).within(_("line %(line)s"), line=line) from None
    if values.get("verification", "") not in ("", *VERIFICATIONS):
        known = ", ".join(VERIFICATIONS)
        raise _bad(line, _("field 'verification' must be one of: %(known)s."), known=known)


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("file_name", "structure", "language", "failure", "raw", "scenario", "source"), str),
    **dict.fromkeys(("extra", "provenance"), dict),
    **dict.fromkeys(("width", "height", "number", "guideline"), int),
    "image_hash": str,
    "verification": str,
    "origins": list,
}


_PREDICTION_FIELDS = ("failure", "raw", "provenance")


def _check_types(values: Mapping[str, object], line: int) -> None:
    for name, kind in _TYPES.items():
        is_bool = isinstance(values.get(name), bool)  # which Python counts among the numbers
        if name in values and (is_bool or not isinstance(values[name], kind)):
            given = type(values[name]).__name__
            raise _bad(
                line,
                _("field '%(name)s' must be a %(kind)s; got %(found)s."),
                name=name,
                kind=kind.__name__,
                found=given,
            )
        if kind is int and not (0 <= cast(int, values.get(name, 0)) <= MAX_NUMBER):
            raise _bad(
                line, _("field '%(name)s' must be between 0 and %(most)s."), name=name, most=MAX_NUMBER
            )
    if not all(isinstance(origin, str) for origin in cast(list[object], values.get("origins", []))):
        raise _bad(line, _("field 'origins' must contain strings."))


def parse_gold(line: str, number: int) -> GoldRecord:
    """The gold record of one JSONL line; `number` is the line's, for the message of a BadRecord."""
    return _gold_from_object(_read_json(line, number), number)


def parse_prediction(line: str, number: int) -> PredictionRecord:
    """The prediction record of one JSONL line; `number` is the line's, for the message of a BadRecord."""
    return _prediction_from_object(_read_json(line, number), number)


class _NamedTwice(Exception):
    """Two values under one name, of which JSON would keep the last unseen."""


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _value in pairs]
        raise _NamedTwice(next(name for name in values if names.count(name) > 1)[:40])
    return values


def _read_json(line: str, number: int) -> object:
    try:
        return json.loads(line, object_pairs_hook=_named_once)
    except _NamedTwice as error:
        raise _bad(
            number, _("the name '%(name)s' appears twice in one object. Keep one."), name=str(error)
        ) from None
    except json.JSONDecodeError as error:
        raise _bad(number, _("not valid JSON from character %(at)s on."), at=error.pos) from None
    except ValueError:
        raise _bad(number, _("not a record (a number has thousands of digits).")) from None
    except RecursionError:
        raise _bad(number, _("not a record (values are nested too deeply).")) from None
