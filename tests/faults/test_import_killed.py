"""kill -9 of the importing process at seeded moments: nothing lost, nothing twice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults.conftest import seeds
from tests.faults.imports import state_of, write_folder
from tests.sites.site import LEASE_SECONDS, Site, copy_site, drop_site, kill


@dataclass(frozen=True, slots=True)
class Trial:
    """A folder to import, a site nobody has imported into, and what an unkilled import leaves there."""

    folder: Path
    site: Site
    expected: dict[str, Any]
    seconds: float


@pytest.fixture(scope="module")
def trial(bare_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("killed")
    write_folder(root / "scans")
    site = copy_site(bare_site, root / "base")
    whole = copy_site(site, root / "whole")
    start = time.monotonic()
    whole.run("import_samples", "letters", str(root / "scans"), "--language", "en")
    seconds = time.monotonic() - start
    expected = state_of(whole)
    assert expected["counts"]["sample"] == 16 and expected["counts"]["duplicatepair"] == 1
    yield Trial(root / "scans", site, expected, seconds)
    drop_site(whole)
    drop_site(site)


@pytest.mark.parametrize("seed", seeds(20))
def test_import_when_its_process_is_killed_twice_then_rows_and_files_equal_an_unkilled_run(
    trial: Trial, tmp_path: Path, seed: int
) -> None:
    moment = random.Random(seed)
    site = copy_site(trial.site, tmp_path / "site")
    command = ("import_samples", "letters", str(trial.folder), "--language", "en")
    try:
        _kill_after(site, moment.uniform(0.2, 1.0) * trial.seconds, *command)
        _wait_for_lease()
        if not site.query("SELECT 1 FROM annotation_importrun WHERE NOT is_receiving"):
            site.run(*command)  # killed before it had all files: whoever gave the command gives it again
        _kill_after(site, moment.uniform(0.3, 0.9) * trial.seconds, "runjobs")
        _wait_for_lease()
        site.run("runjobs")
        assert state_of(site) == trial.expected
    finally:
        drop_site(site)


def _kill_after(site: Site, seconds: float, *arguments: str) -> None:
    process = site.start(*arguments)
    time.sleep(seconds)
    kill(process)


def _wait_for_lease() -> None:
    time.sleep(LEASE_SECONDS + 0.5)
