"""File storage that never shows half a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class AtomicFileSystemStorage(FileSystemStorage):
    """Writes beside the target, then renames: a process killed while writing leaves the target absent or whole."""

    def _save(self, name: str, content: File[bytes]) -> str:
        target = Path(self.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=".part-", dir=target.parent)
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
