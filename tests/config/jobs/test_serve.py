"""`manage.py serve` as a newcomer meets it."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from config.jobs.management.commands import serve
from tests.sites.databases import ROOT
from tests.sites.serving import free_port

PATIENCE_SECONDS = 120


def _serve(folder: Path, port: int) -> subprocess.Popen[str]:
    hidden = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), "--job-workers", "1"],
        cwd=ROOT,
        env=env | {"INKBENCH_DATA": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _children(pid: int) -> list[int]:
    said = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in said.split()]


def _first_line_with(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(PATIENCE_SECONDS):
            line = process.stdout.readline()
            if not line or words in line:
                return line
    return ""


def test_serve_when_started_tells_the_address_once_it_answers_and_leaves_nobody_behind(
    tmp_path: Path,
) -> None:
    port = free_port()
    process = _serve(tmp_path, port)
    try:
        line = _first_line_with(process, "InkBench is at")  # through a pipe too, not only on a terminal
        assert f"http://127.0.0.1:{port}/" in line
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        children = _children(process.pid)
        assert len(children) >= 2
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Stopped." in rest
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


def test_serve_when_the_port_is_taken_names_it_and_a_free_way(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process = _serve(tmp_path, port)
        said, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert f"Port {port} is taken" in said
    assert "make run PORT=" in said


def test_serve_when_the_web_server_fails_at_once_then_it_ends_with_a_message_and_exit_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fails_at_once.py").write_text("raise SystemExit('No web server here.')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(serve, "_WEB_MODULE", "fails_at_once")
    monkeypatch.setattr(serve, "note_stop_signals", list)  # the test run keeps its own
    with pytest.raises(SystemExit) as ended:
        call_command("serve", "--port", str(free_port()))
    said = capfd.readouterr().err
    assert ended.value.code == 1
    assert "No web server here." in said and "The web server did not start; see above." in said
