"""Tell a full disk from other errors: it passes without anybody repairing what failed."""

from __future__ import annotations

import errno

from django.db import DatabaseError

_NUMBERS = (errno.ENOSPC, errno.EDQUOT)
_SQLITE = ("disk is full", "disk I/O error")  # the second where its shared memory needs space even to read
_POSTGRES = "53100"  # the SQLSTATE disk_full


def is_disk_full(error: BaseException | None) -> bool:
    """True when the error, or what it was raised from, is a disk without space."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _NUMBERS:
            return True
        if isinstance(error, DatabaseError) and any(text in str(error) for text in _SQLITE):
            return True
        if getattr(error, "sqlstate", None) == _POSTGRES:
            return True
        error = error.__cause__ or error.__context__
    return False
