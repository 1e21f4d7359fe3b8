"""Images and archives by their content: written once, never changed, named by their SHA-256.

A row keeps the hash; the bytes are found from it. The same scan imported twice is stored once, a release refers to
the very bytes that models get, and no address can be guessed because none is served from here.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage


def blob_hash(data: bytes) -> str:
    """SHA-256 of `data`, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _path(sha: str) -> str:
    return str(PurePosixPath("blobs") / sha[:2] / sha[2:4] / sha)


def put_blob(data: bytes) -> str:
    """Store `data` if it is not there yet; returns its hash."""
    sha = blob_hash(data)
    path = _path(sha)
    if not default_storage.exists(path):
        default_storage.save(path, ContentFile(data))
    return sha


def put_file(file: File[bytes]) -> tuple[str, int]:
    """Store an open file without holding it in memory; returns its hash and size in bytes."""
    digest, size = hashlib.sha256(), 0
    for chunk in file.chunks():
        digest.update(chunk)
        size += len(chunk)
    sha = digest.hexdigest()
    path = _path(sha)
    if not default_storage.exists(path):
        file.seek(0)
        default_storage.save(path, file)
    return sha, size


@contextmanager
def blob_path(sha: str) -> Iterator[Path]:
    """A path to the bytes on this machine, for decoders that read files; a copy where the storage is elsewhere."""
    try:
        local = Path(default_storage.path(_path(sha)))
    except NotImplementedError:
        with tempfile.NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as copy, open_blob(sha) as file:
            shutil.copyfileobj(file, copy)
            copy.flush()
            yield Path(copy.name)
    else:
        yield local


def read_blob(sha: str) -> bytes:
    """The bytes with this hash. Raises FileNotFoundError."""
    with default_storage.open(_path(sha), "rb") as file:
        return cast(bytes, file.read())


def open_blob(sha: str) -> BinaryIO:
    """A readable file of the bytes with this hash. Raises FileNotFoundError."""
    return cast(BinaryIO, default_storage.open(_path(sha), "rb"))


def has_blob(sha: str) -> bool:
    return bool(sha) and default_storage.exists(_path(sha))


def drop_blob(sha: str) -> None:
    """Remove the bytes; for originals that must not be kept. Missing bytes are not an error."""
    default_storage.delete(_path(sha))
