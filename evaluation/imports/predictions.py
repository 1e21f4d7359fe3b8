"""Predictions from files as people have them: JSONL, a folder of `.md` files named like the samples, or zips of these.

One bad line or file never stops the rest: each is a `RefusedPrediction` that says where and why.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, cast

from evaluation.files.archives import is_junk, open_archive
from evaluation.files.errors import BadFile
from evaluation.files.limits import FileLimits
from evaluation.payloads.text import MAX_CHARACTERS, is_storable_json
from evaluation.predictions import Text, content_size
from evaluation.records import BadRecord, PredictionRecord, as_object, parse_prediction

LINES = (".jsonl", ".ndjson")
PAGES = (".md", ".markdown", ".txt")
LINE_BYTES = 16 * 2**20  # longest line that is read


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where something stood: the file, and the line in it (0 = the file as a whole)."""

    file: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class LocatedPrediction:
    """A prediction, and where it came from."""

    record: PredictionRecord
    place: SourceLocation


@dataclass(frozen=True, slots=True)
class RefusedPrediction:
    """Something that is not a prediction. `facts` are what the words for `problem` need."""

    place: SourceLocation
    problem: str
    facts: Mapping[str, Any]


Given = tuple[str, IO[bytes]]  # name with its path, bytes


def read_prediction_files(
    files: Iterable[Given], *, ids_by_stem: Mapping[str, str], limits: FileLimits
) -> Iterator[LocatedPrediction | RefusedPrediction]:
    """Every prediction and every fault, in order. `ids_by_stem` gives the sample of an image's name without ending.

    A stem that is a sample's id is taken too; a stem nobody knows is passed on as an id, so that it is reported with
    the other unknown samples.
    """
    for name, file in files:
        ending = PurePosixPath(name).suffix.lower()
        if is_junk(name):
            continue
        if ending == ".zip":
            yield from _read_zip(name, file, ids_by_stem, limits)
        else:
            yield from _read_one(name, file, ids_by_stem)


def _read_zip(
    name: str, file: IO[bytes], ids_by_stem: Mapping[str, str], limits: FileLimits
) -> Iterator[LocatedPrediction | RefusedPrediction]:
    try:
        with open_archive(cast(BinaryIO, file), limits=limits) as archive:
            for member in archive.members():
                place = f"{name}/{member.name}"
                try:
                    yield from _read_one(place, io.BytesIO(archive.read(member.position)), ids_by_stem)
                except BadFile as fault:
                    yield RefusedPrediction(SourceLocation(place), fault.problem, fault.facts)
    except BadFile as fault:
        yield RefusedPrediction(SourceLocation(name), fault.problem, fault.facts)


def _read_one(
    name: str, file: IO[bytes], ids_by_stem: Mapping[str, str]
) -> Iterator[LocatedPrediction | RefusedPrediction]:
    path = PurePosixPath(name)
    if path.suffix.lower() in LINES:
        yield from _read_lines(name, file)
    elif path.suffix.lower() in PAGES:
        yield _read_page(name, file, ids_by_stem.get(path.stem, path.stem))
    else:
        yield RefusedPrediction(SourceLocation(name), "not_predictions", {})


def _read_page(name: str, file: IO[bytes], sample_id: str) -> LocatedPrediction | RefusedPrediction:
    data = file.read(4 * MAX_CHARACTERS + 4)  # a character has at most four bytes
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start < 4 * MAX_CHARACTERS:
            return RefusedPrediction(SourceLocation(name), "not_utf8", {"byte": error.start + 1})
        text = data[: error.start].decode("utf-8-sig")
    return _checked(LocatedPrediction(PredictionRecord(sample_id, Text(text)), SourceLocation(name)))


def _read_lines(name: str, file: IO[bytes]) -> Iterator[LocatedPrediction | RefusedPrediction]:
    number = 0
    while line := file.readline(LINE_BYTES + 1):
        number += 1
        place = SourceLocation(name, number)
        if len(line) > LINE_BYTES:
            yield RefusedPrediction(place, "line_too_long", {"limit": LINE_BYTES})
            while line and not line.endswith(b"\n"):
                line = file.readline(LINE_BYTES)
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            yield RefusedPrediction(place, "not_utf8", {"byte": error.start + 1})
            continue
        if text.strip():
            try:
                yield _checked(LocatedPrediction(parse_prediction(text, number), place))
            except BadRecord as error:
                yield RefusedPrediction(place, "bad_line", {"why": error.as_json()[1:]})


def _checked(located: LocatedPrediction) -> LocatedPrediction | RefusedPrediction:
    """Refuse what no database can hold and what no page can be; leave the rest as it is."""
    record = located.record
    if content_size(record.prediction) > MAX_CHARACTERS:
        return RefusedPrediction(
            located.place, "too_long", {"id": shown_id(record.id), "limit": MAX_CHARACTERS}
        )
    values = as_object(record)
    for name in ("id", "text", "regions", "failure", "raw"):
        if not is_storable_json(values.get(name)):
            return RefusedPrediction(located.place, "unprintable", {"id": shown_id(record.id), "field": name})
    if record.provenance and not is_storable_json(record.provenance):
        return LocatedPrediction(replace(record, provenance={}), located.place)
    return located


def shown_name(name: str) -> str:
    """A file's name as a report can hold it: printable."""
    return "".join(char if char.isprintable() else "?" for char in name)


def shown_id(sample_id: str) -> str:
    """An id as a report can hold it: printable, and not endless."""
    shown = shown_name(sample_id)
    return shown if len(shown) <= 100 else shown[:100] + "..."
