"""The supervisor with small programs that end in every way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.jobs import supervisor
from config.jobs.supervisor import Child, Supervisor
from tests.waiting import wait_until


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `program_of_test` that sleeps, or ends with what the file beside it says."""
    module = tmp_path / "program_of_test.py"
    module.write_text(
        "import pathlib, sys, time\n"
        f"code = pathlib.Path({str(tmp_path)!r}) / (sys.argv[1] + '.exit')\n"
        "sys.exit(int(code.read_text())) if code.exists() else time.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.getcwd()]))
    yield tmp_path


def check_until(watch: Supervisor, is_so: object, what: str) -> None:
    def check() -> bool:
        watch.check()
        return bool(is_so())  # type: ignore[operator]

    wait_until(check, what, seconds=60)


@pytest.mark.usefixtures("program")
def test_supervisor_when_a_child_is_killed_then_it_alone_starts_again(lines: list[str]) -> None:
    first, other = (Child(name, ["program_of_test", name]) for name in ("one", "other"))
    watch = Supervisor([first, other], lines.append)
    watch.check()
    assert first.process and other.process
    killed, left = first.process.pid, other.process.pid
    os.kill(killed, signal.SIGKILL)
    check_until(watch, lambda: first.process and first.process.pid != killed, "a new process")
    assert other.process.pid == left
    assert lines == ["The one stopped by itself (killed by SIGKILL); it starts again in 1 s."]
    watch.stop()
    assert not first.process or first.process.returncode is not None
    assert other.process.returncode is not None


def test_supervisor_when_a_child_ends_again_and_again_then_it_waits_longer_until_it_is_healthy(
    program: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "LONGEST_WAIT_SECONDS", 4)
    (program / "one.exit").write_text("3")
    child = Child("one", ["program_of_test", "one"])
    watch = Supervisor([child], lines.append)
    start = time.monotonic()
    check_until(watch, lambda: len(lines) == 3, "three ends")
    assert time.monotonic() - start > 1 + 2
    assert [line.rpartition("in ")[2] for line in lines] == ["1 s.", "2 s.", "4 s."]
    assert "(exit 3)" in lines[0]
    child.wait_seconds = 64
    monkeypatch.setattr(supervisor, "HEALTHY_SECONDS", 0)
    child.process = None
    child.start()
    check_until(watch, lambda: len(lines) == 4, "a fourth end")
    assert lines[3].endswith("in 1 s.")
    watch.stop()
