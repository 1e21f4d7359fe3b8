"""`manage.py serve` ends with everything it started, however it is asked to."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.faults.serving import PATIENCE_SECONDS, Serving
from tests.faults.site import Site, copy_site, drop_site


@pytest.mark.parametrize("bare_site", ["sqlite"], indirect=True)
def test_serve_when_ctrl_c_is_pressed_or_its_terminal_is_closed_then_no_process_is_left(
    bare_site: Site, tmp_path: Path
) -> None:
    site = copy_site(bare_site, tmp_path / "site")
    for how in (signal.SIGINT, signal.SIGHUP):
        with Serving(site) as serving:
            assert serving.process and len(serving.processes()) >= 4  # itself, web server, worker, clock
            serving.process.send_signal(how)
            assert serving.process.wait(timeout=PATIENCE_SECONDS) == 0
            assert serving.processes() == []
    drop_site(site)
