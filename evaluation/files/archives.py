"""Zip archives: whatever the directory tells is checked before a byte is unpacked."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, BinaryIO

from evaluation.files.errors import BadFile, FileProblem
from evaluation.files.limits import FileLimits

_JUNK = frozenset((".ds_store", "thumbs.db", "desktop.ini"))
_CHUNK = 1 << 20
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, by its index in the directory; `problem` says why it must not be unpacked."""

    position: int
    name: str
    size: int
    problem: BadFile | None = None


def is_junk(name: str) -> bool:
    """Whether it is a by-product of file managers: hidden files, thumbnails, resource forks."""
    parts = [part for part in PurePosixPath(name).parts if part not in ("..", "/")]
    return any(part.startswith(".") or part == "__MACOSX" or part.lower() in _JUNK for part in parts)


class Archive:
    """An open zip archive whose directory is within the limits."""

    def __init__(self, archive: zipfile.ZipFile, limits: FileLimits) -> None:
        self._archive = archive
        self._limits = limits
        self._infos = archive.infolist()
        _check_whole([info for info in self._infos if not info.is_dir()], limits)

    def members(self) -> Iterator[Member]:
        """The files in the order of the archive, without folders and junk; one that exceeds a limit has its problem."""
        for position, info in enumerate(self._infos):
            name = _member_name(info)
            if not info.is_dir() and not is_junk(name):
                yield Member(position, name, info.file_size, _find_problem(info, name, self._limits))

    def read(self, position: int) -> bytes:
        """The bytes of one member, never more than its directory entry says. Raises BadFile."""
        info = self._infos[position]
        if problem := _find_problem(info, _member_name(info), self._limits):
            raise problem
        try:
            with self._archive.open(info) as member:
                return _read_at_most(member, info.file_size)
        except _ZIP_ERRORS:
            raise BadFile(FileProblem.DAMAGED_ARCHIVE) from None


@contextmanager
def open_archive(file: BinaryIO, *, limits: FileLimits) -> Iterator[Archive]:
    """Open a zip archive. Raises BadFile if it is damaged or exceeds a limit as a whole."""
    try:
        archive = zipfile.ZipFile(file)
    except _ZIP_ERRORS:
        raise BadFile(FileProblem.DAMAGED_ARCHIVE) from None
    with archive:
        yield Archive(archive, limits)


def _check_whole(infos: list[zipfile.ZipInfo], limits: FileLimits) -> None:
    if len(infos) > limits.members:
        raise BadFile(FileProblem.TOO_MANY_MEMBERS, members=len(infos), limit=limits.members)
    total = sum(info.file_size for info in infos)
    if total > limits.unpacked_bytes:
        raise BadFile(FileProblem.UNPACKS_TOO_LARGE, bytes=total, limit=limits.unpacked_bytes)


def _member_name(info: zipfile.ZipInfo) -> str:
    """The member's name. Without the UTF-8 flag its encoding is unknown: UTF-8 and then the Chinese code page are tried
    before the default of the format."""
    if info.flag_bits & _UTF8_NAME or info.orig_filename.isascii():
        return info.orig_filename
    raw = info.orig_filename.encode("cp437")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.orig_filename


def _find_problem(info: zipfile.ZipInfo, name: str, limits: FileLimits) -> BadFile | None:
    path = PurePosixPath(name)
    is_outside = path.is_absolute() or ".." in path.parts or name[1:2] == ":"
    if not name or "\\" in name or "\0" in name or is_outside:
        return BadFile(FileProblem.UNSAFE_NAME)
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        return BadFile(FileProblem.SPECIAL_FILE)
    if info.flag_bits & _ENCRYPTED:
        return BadFile(FileProblem.ENCRYPTED)
    if info.file_size > limits.file_bytes:
        return BadFile(FileProblem.TOO_LARGE, bytes=info.file_size, limit=limits.file_bytes)
    ratio = info.file_size // max(info.compress_size, 1)
    if ratio > limits.ratio and info.file_size > _CHUNK:
        return BadFile(FileProblem.PACKED_TOO_TIGHT, ratio=ratio, limit=limits.ratio)
    if path.suffix.lower() == ".zip":
        return BadFile(FileProblem.NESTED_ARCHIVE)
    return None


def _read_at_most(member: IO[bytes], size: int) -> bytes:
    chunks, remaining = [], size
    while chunk := member.read(min(_CHUNK, remaining + 1)):
        remaining -= len(chunk)
        if remaining < 0:
            raise BadFile(FileProblem.DAMAGED_ARCHIVE)
        chunks.append(chunk)
    return b"".join(chunks)
