"""The site's secret key, made once and kept in the data folder when none is given."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def read_or_make_secret_key(path: Path) -> str:
    """Read the key at `path`, or make one there, readable by its owner only.

    Two processes that start together end with one key: the file is created exclusively and the loser reads it.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key
