"""kill -9 of the importing process at seeded moments: nothing lost, nothing twice."""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.images.pictures import draw_page, encode
from tests.faults.site import LEASE_SECONDS, Site, copy_site, drop_site, kill, make_site

FEW, ALL = 3, 20
COUNTED = ("sample", "work", "event", "duplicatepair", "samplefingerprint", "fingerprintword")


@dataclass(frozen=True, slots=True)
class Trial:
    """A folder to import, a site nobody has imported into, and what an unkilled import leaves there."""

    folder: Path
    site: Site
    expected: dict[str, Any]
    seconds: float


def write_folder(folder: Path) -> None:
    """Loose scans, a TIFF of three pages, a zip, a duplicate and a bad file."""
    folder.mkdir()
    for seed in range(8):
        (folder / f"scan-{seed}.png").write_bytes(encode(draw_page(seed), "PNG"))
    (folder / "scan-again.jpg").write_bytes(encode(draw_page(1), "JPEG", quality=60))
    (folder / "bad.png").write_bytes(b"<svg/>")
    pages = [draw_page(seed) for seed in range(20, 23)]
    (folder / "pages.tif").write_bytes(encode(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for seed in range(30, 34):
            file.writestr(f"in/{seed}.png", encode(draw_page(seed), "PNG"))
    (folder / "box.zip").write_bytes(archive.getvalue())


def state_of(site: Site) -> dict[str, Any]:
    """All that an import leaves: counts of rows, each sample by what it is, each file's outcome, the stored files."""
    return {
        "counts": {t: site.query(f"SELECT count(*) FROM annotation_{t}")[0][0] for t in COUNTED},
        "samples": site.query(
            "SELECT number, original_name, page_number, pixel_hash, full_blob, released_blob, intake "
            "FROM annotation_sample ORDER BY number"
        ),
        "outcomes": site.query(
            "SELECT f.name, f.outcome, f.problem, f.pages FROM annotation_importfile f "
            "JOIN annotation_importrun r ON r.id = f.run_id WHERE r.state = 'done' ORDER BY f.name"
        ),
        "next": site.query("SELECT next_number FROM annotation_project"),
        "files": site.files(),
    }


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    root = tmp_path_factory.mktemp("killed")
    write_folder(root / "scans")
    site = make_site(root / "base")
    whole = copy_site(site, root / "whole")
    start = time.monotonic()
    whole.run("import_samples", "letters", str(root / "scans"), "--language", "en")
    seconds = time.monotonic() - start
    expected = state_of(whole)
    assert expected["counts"]["sample"] == 16 and expected["counts"]["duplicatepair"] == 1
    yield Trial(root / "scans", site, expected, seconds)
    drop_site(whole)
    drop_site(site)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=[pytest.mark.faults] if seed >= FEW else []) for seed in range(ALL)],
)
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
