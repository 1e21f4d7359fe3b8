"""Zip archives whose bytes depend on their content alone: no clock, no compression library, no order of a folder."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from config.blobs import open_blob
from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can name
_CHUNK = 1 << 20


class MissingImage(LocalizedError):
    """An image that the release names is not in the store; restore it from a backup and export again."""


class ReproducibleZip:
    """Writes members as they are given, uncompressed: images do not shrink, and zlib's bytes differ by version."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)

    def __enter__(self) -> ReproducibleZip:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @contextmanager
    def member(self, name: str) -> Iterator[Callable[[bytes], object]]:
        """A function that appends bytes to the member `name`."""
        info = zipfile.ZipInfo(name, _MOMENT)
        info.external_attr = 0o644 << 16
        info.create_system = 3
        with self._zip.open(info, "w", force_zip64=True) as out:
            yield out.write

    def add_text(self, name: str, text: str) -> None:
        with self.member(name) as write:
            write(text.encode("utf-8"))

    def add_blob(self, name: str, sha: str) -> None:
        """Copy a stored image without holding it in memory. Raises MissingImage."""
        try:
            source = open_blob(sha)
        except FileNotFoundError:
            raise MissingImage(
                _(
                    "The image of %(name)s (%(sha)s) is not in the store. Restore it from a "
                    "backup, then export again."
                ),
                name=name,
                sha=sha,
            ) from None
        with source, self.member(name) as write:
            shutil.copyfileobj(source, _Sink(write), _CHUNK)


class _Sink:
    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.write = write
