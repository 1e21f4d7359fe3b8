"""File storage that never shows half a file."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage

_PARTS = ".parts"
_OLD_SECONDS = 24 * 3600


class AtomicFileSystemStorage(FileSystemStorage):
    """Writes aside, then renames: a process killed while writing leaves the target absent or whole.

    Parts carry the host and process that writes them, so that `remove_abandoned_parts` knows whose are left behind.
    """

    def _save(self, name: str, content: File[bytes]) -> str:
        target = Path(self.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        parts = Path(self.path(_PARTS))
        parts.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=f"{socket.gethostname()}-{os.getpid()}-", dir=parts)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)
        except BaseException:
            os.unlink(part)
            raise
        return name


def remove_abandoned_parts() -> int:
    """Remove half-written files of processes that are gone, and very old ones of other hosts; returns how many."""
    removed = 0
    parts = Path(settings.MEDIA_ROOT) / _PARTS
    for part in parts.iterdir() if parts.is_dir() else ():
        host, process, _ = part.name.rsplit("-", 2)
        is_ours = host == socket.gethostname()
        if (is_ours and not _is_alive(int(process))) or _is_old(part):
            part.unlink(missing_ok=True)
            removed += 1
    return removed


def remove_abandoned_uploads() -> int:
    """Remove what a killed process left of uploads and archives half written, a day after; returns how many."""
    folder = Path(settings.FILE_UPLOAD_TEMP_DIR)
    old = [file for file in folder.iterdir() if file.is_file() and _is_old(file)] if folder.is_dir() else []
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_old(part: Path) -> bool:
    try:
        return time.time() - part.stat().st_mtime > _OLD_SECONDS
    except FileNotFoundError:
        return False
