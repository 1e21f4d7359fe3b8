"""Read our own export back: every text byte for byte, the checksum proved, every picture what its record says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, cast

from evaluation.exports.inkbench import GOLD, IMAGES, MANIFEST, SUMS
from evaluation.files.archives import Archive, open_archive
from evaluation.files.limits import Limits
from evaluation.files.problems import BadFile
from evaluation.payloads.text import is_storable_json
from evaluation.records import BadRecord, GoldRecord, as_object, parse_gold, to_line

TITLE_LENGTH = 200
LENGTHS = {  # in characters, as a release keeps them
    "id": 32,
    "file_name": 200,
    "image_hash": 64,
    "structure": 8,
    "language": 35,
    "scenario": 60,
}


class BadExport(ValueError):
    """The archive is not an export of ours, or not as it left us; the message names the place and the mend."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export that was proved: its manifest, its records in order, and where each picture is in the archive."""

    manifest: dict[str, Any]
    records: tuple[GoldRecord, ...]
    _archive: Archive
    _positions: dict[str, int]

    def picture(self, record: GoldRecord) -> bytes:
        """The record's picture. Raises BadExport when it is not the one that was exported."""
        data = _read(self._archive, self._positions, IMAGES + record.file_name)
        if sha256(data).hexdigest() != record.image_hash:
            raise BadExport(
                f"{IMAGES}{record.file_name}: not the picture that record {record.id} names by its hash. "
                "Download the archive again."
            )
        return data


@contextmanager
def open_export(file: IO[bytes], *, limits: Limits) -> Iterator[Export]:
    """An export whose records match its checksum. Raises BadExport, which names the record that differs."""
    try:
        with open_archive(cast(BinaryIO, file), limits=limits) as archive:
            members = list(archive.members())
            bad = next((member for member in members if member.fault), None)
            if bad is not None:
                raise BadExport(f"{bad.name}: cannot be unpacked ({bad.fault}). Export it again.")
            positions = {member.name: member.position for member in members}
            manifest = _manifest(_read(archive, positions, MANIFEST))
            gold, sums = _read(archive, positions, GOLD), _read(archive, positions, SUMS)
            records = tuple(_records(gold, sums, manifest))
            yield Export(manifest, records, archive, positions)
    except BadFile as fault:
        raise BadExport(f"the archive cannot be read ({fault}). Download it again.") from None


def _read(archive: Archive, positions: dict[str, int], name: str) -> bytes:
    if name not in positions:
        raise BadExport(f"{name} is missing. Give an archive of the format inkbench, as it was exported.")
    return archive.read(positions[name])


def _manifest(data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
        count, checksum = manifest["count"], manifest["checksum"]
    except (ValueError, TypeError, KeyError) as error:
        raise BadExport(f"{MANIFEST}: not a manifest of ours ({error}). Export it again.") from None
    if not isinstance(count, int) or not isinstance(checksum, str):
        raise BadExport(f"{MANIFEST}: count and checksum are not what they should be. Export it again.")
    told = manifest.get("title", ""), manifest.get("notes", ""), manifest.get("settings", {})
    is_plain = all(isinstance(value, kind) for value, kind in zip(told, (str, str, dict), strict=True))
    if not is_plain or len(told[0]) > TITLE_LENGTH or not is_storable_json(manifest):
        raise BadExport(f"{MANIFEST}: title, notes or settings are not what they should be. Export it again.")
    return cast(dict[str, Any], manifest)


def _records(data: bytes, sums: bytes, manifest: dict[str, Any]) -> Iterator[GoldRecord]:
    lines = data.split(b"\n")
    if lines.pop():
        raise BadExport(f"{GOLD}: the last line is cut off. Download the archive again.")
    _prove_lines(lines, sums)
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        record = _record(line, number)
        if record.id in seen:
            raise BadExport(
                f"{GOLD} line {number}: record {record.id} was already on line {seen[record.id]}."
            )
        seen[record.id] = number
        yield record
    if len(lines) != manifest["count"]:
        raise BadExport(
            f"{GOLD}: {len(lines)} records, the manifest says {manifest['count']}. Download it again."
        )
    if sha256(data).hexdigest() != manifest["checksum"]:
        raise BadExport(
            f"{GOLD}: the checksum is not that of the manifest, so records were changed after the export. "
            "Download the archive again."
        )


def _check_lengths(record: GoldRecord, number: int) -> None:
    for name, limit in LENGTHS.items():
        if len(getattr(record, name)) > limit:
            raise BadExport(f"{GOLD} line {number}: field '{name}' has more than {limit} characters.")


def _prove_lines(lines: list[bytes], sums: bytes) -> None:
    """Name the first record that is not as it was exported."""
    told = [line.partition("  ") for line in sums.decode("utf-8", "replace").splitlines()]
    for number, (line, (checksum, _, sample_id)) in enumerate(zip(lines, told, strict=False), start=1):
        if sha256(line + b"\n").hexdigest() != checksum:
            raise BadExport(
                f"{GOLD} line {number}: record {sample_id} is not as it was exported (wrong checksum). "
                "Download the archive again."
            )


def _record(line: bytes, number: int) -> GoldRecord:
    try:
        record = parse_gold(line.decode("utf-8"), number)
    except UnicodeDecodeError as error:
        raise BadExport(f"{GOLD} line {number}: not UTF-8 (byte {error.start + 1}).") from None
    except BadRecord as error:
        raise BadExport(f"{GOLD} {error}") from None
    if not is_storable_json(as_object(record)):
        raise BadExport(f"{GOLD} line {number}: the record holds a character or number that cannot be kept.")
    _check_lengths(record, number)
    if to_line(record).encode("utf-8") != line:
        raise BadExport(f"{GOLD} line {number}: record {record.id} is not as it was exported.")
    name = PurePosixPath(record.file_name)
    if len(name.parts) != 1 or name.name in ("", ".", "..") or "\\" in record.file_name:
        raise BadExport(
            f"{GOLD} line {number}: field 'file_name' of record {record.id} must be a plain name."
        )
    return record
