"""The folder of one test run, and what its processes make once and share."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

_VARIABLE = "INKBENCH_TEST_RUN"


def run_folder() -> Path:
    """Made by the first process of the run, which removes it at its end; the others inherit its name."""
    if _VARIABLE not in os.environ:
        os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="inkbench-run-")
        atexit.register(_remove, Path(os.environ[_VARIABLE]), os.getpid())
    return Path(os.environ[_VARIABLE])


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # not at the end of a fork
        shutil.rmtree(folder, ignore_errors=True)


def make_once(path: Path, make: Callable[[Path], None]) -> Path:
    """`path`, a file or a folder, made by the first process that asks for it while the others wait.

    `make` gets another path, which is renamed to `path` when it is complete.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = Path(tempfile.mkdtemp(prefix=f"{path.name}-", dir=path.parent)) / path.name
            try:
                make(unfinished)
                unfinished.rename(path)
            finally:
                shutil.rmtree(unfinished.parent)
    return path
