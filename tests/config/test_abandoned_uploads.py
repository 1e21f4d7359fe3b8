"""What a killed process leaves in the folder of uploads."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from config.storage import remove_abandoned_uploads

pytestmark = pytest.mark.database


def test_uploads_when_a_day_old_then_removed_and_what_comes_in_now_stays(settings, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    old, new = tmp_path / "old.upload", tmp_path / "new.upload"
    for file in (old, new):
        file.write_bytes(b"page")
    yesterday = time.time() - 25 * 3600
    os.utime(old, (yesterday, yesterday))
    assert remove_abandoned_uploads() == 1
    assert new.exists() and not old.exists()


def test_uploads_when_there_is_no_folder_yet_then_nothing_to_do(settings, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "none")
    assert remove_abandoned_uploads() == 0
