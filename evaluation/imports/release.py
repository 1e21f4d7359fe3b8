"""Read our own export back: every text byte for byte, the checksum proved, every image what its record says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, cast

from django.utils.functional import lazy

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.exports.inkbench import GOLD, IMAGES, MANIFEST, SUMS
from evaluation.files.archives import Archive, open_archive
from evaluation.files.errors import BadFile
from evaluation.files.limits import FileLimits
from evaluation.import_messages import explain
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


class BadExport(LocalizedError, ValueError):
    """The archive is not an export of ours, or not as it left us; the message names the place and the mend."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export that was proved: its manifest, its records in order, and where each image is in the archive."""

    manifest: dict[str, Any]
    records: tuple[GoldRecord, ...]
    _archive: Archive
    _positions: dict[str, int]

    def image(self, record: GoldRecord) -> bytes:
        """The record's image. Raises BadExport when it is not the one that was exported."""
        data = _read(self._archive, self._positions, IMAGES + record.file_name)
        if sha256(data).hexdigest() != record.image_hash:
            raise BadExport(
                _(
                    "this is not the image that record %(id)s identifies by its hash. Download "
                    "the archive again."
                ),
                id=record.id,
            ).within(IMAGES + record.file_name)
        return data


@contextmanager
def open_export(file: IO[bytes], *, limits: FileLimits) -> Iterator[Export]:
    """An export whose records match its checksum. Raises BadExport, which names the record that differs."""
    try:
        with open_archive(cast(BinaryIO, file), limits=limits) as archive:
            members = list(archive.members())
            bad = next((member for member in members if member.problem), None)
            if bad is not None and bad.problem is not None:
                raise BadExport(
                    _("it cannot be unpacked. %(why)s Export the release again."), why=_why(bad.problem)
                ).within(bad.name)
            positions = {member.name: member.position for member in members}
            manifest = _manifest(_read(archive, positions, MANIFEST))
            gold, sums = _read(archive, positions, GOLD), _read(archive, positions, SUMS)
            records = tuple(_records(gold, sums, manifest))
            yield Export(manifest, records, archive, positions)
    except BadFile as fault:
        raise BadExport(
            _("The archive cannot be read. %(why)s Download it again."), why=_why(fault)
        ) from None


def _why(fault: BadFile) -> object:
    return lazy(lambda: explain(fault.problem, fault.facts).message, str)()


def _read(archive: Archive, positions: dict[str, int], name: str) -> bytes:
    if name not in positions:
        raise BadExport(
            _("%(name)s is missing. Use an archive in the format inkbench, unchanged since its export."),
            name=name,
        )
    return archive.read(positions[name])


def _manifest(data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
        count, checksum = manifest["count"], manifest["checksum"]
    except (ValueError, TypeError, KeyError):
        raise BadExport(_("not an InkBench manifest. Export the release again.")).within(MANIFEST) from None
    if not isinstance(count, int) or not isinstance(checksum, str):
        raise BadExport(_("count and checksum have the wrong format. Export the release again.")).within(
            MANIFEST
        )
    kinds = {"title": str, "notes": str, "guideline_text": str, "settings": dict}
    is_plain = all(isinstance(manifest.get(name, kind()), kind) for name, kind in kinds.items())
    if not is_plain or len(manifest.get("title", "")) > TITLE_LENGTH or not is_storable_json(manifest):
        raise BadExport(
            _("title, notes or settings have the wrong format. Export the release again.")
        ).within(MANIFEST)
    return cast(dict[str, Any], manifest)


def _records(data: bytes, sums: bytes, manifest: dict[str, Any]) -> Iterator[GoldRecord]:
    lines = data.split(b"\n")
    if lines.pop():
        raise BadExport(_("the last line is cut off. Download the archive again.")).within(GOLD)
    _prove_lines(lines, sums)
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        record = _record(line, number)
        if record.id in seen:
            raise _bad_line(
                number, _("record %(id)s was already on line %(first)s."), id=record.id, first=seen[record.id]
            )
        seen[record.id] = number
        yield record
    if len(lines) != manifest["count"]:
        raise BadExport(
            _("records found: %(count)s, but the manifest states %(stated)s. Download the archive again."),
            count=len(lines),
            stated=manifest["count"],
        ).within(GOLD)
    if sha256(data).hexdigest() != manifest["checksum"]:
        raise BadExport(
            _(
                "the checksum does not match the manifest, so records were changed after the "
                "export. Download the archive again."
            )
        ).within(GOLD)


def _bad_line(number: int, message: str, **facts: object) -> BadExport:
    return BadExport(message, **facts).within(_("%(file)s, line %(line)s"), file=GOLD, line=number)


def _check_lengths(record: GoldRecord, number: int) -> None:
    for name, limit in LENGTHS.items():
        if len(getattr(record, name)) > limit:
            raise _bad_line(
                number, _("field '%(name)s' has more than %(limit)s characters."), name=name, limit=limit
            )


def _prove_lines(lines: list[bytes], sums: bytes) -> None:
    """Name the first record that is not as it was exported."""
    shown = [line.partition("  ") for line in sums.decode("utf-8", "replace").splitlines()]
    for number, (line, (checksum, _blanks, sample_id)) in enumerate(zip(lines, shown, strict=False), start=1):
        if sha256(line + b"\n").hexdigest() != checksum:
            raise _bad_line(
                number,
                _(
                    "record %(id)s differs from what was exported (wrong checksum). Download "
                    "the archive again."
                ),
                id=sample_id,
            )


def _record(line: bytes, number: int) -> GoldRecord:
    try:
        record = parse_gold(line.decode("utf-8"), number)
    except UnicodeDecodeError as error:
        raise _bad_line(number, _("not UTF-8 (byte %(byte)s)."), byte=error.start + 1) from None
    except BadRecord as error:
        raise BadExport.from_error(error).within(GOLD) from None
    if not is_storable_json(as_object(record)):
        raise _bad_line(number, _("the record contains a character or number that cannot be stored."))
    _check_lengths(record, number)
    if to_line(record).encode("utf-8") != line:
        raise _bad_line(number, _("record %(id)s differs from what was exported."), id=record.id)
    name = PurePosixPath(record.file_name)
    if len(name.parts) != 1 or name.name in ("", ".", "..") or "\\" in record.file_name:
        raise _bad_line(
            number, _("field 'file_name' of record %(id)s must be a file name without a path."), id=record.id
        )
    return record
