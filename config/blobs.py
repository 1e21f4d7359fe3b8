"""Pictures and archives by their content: written once, never changed, named by their SHA-256.

A row keeps the hash; the bytes are found from it. The same scan imported twice is stored once, a release refers to
the very bytes that models get, and no address can be guessed because none is served from here.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from django.core.files.base import ContentFile
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
