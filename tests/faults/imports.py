"""A folder to import, and all that an import leaves behind."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

from tests.annotation.images.images import draw_page, encode
from tests.sites.site import Site

PAGES = 16  # that `write_folder` leaves after the import
# Scripts for `Site.script`: send the files of a folder, and start the import.
OPEN_IMPORT = """
from pathlib import Path
from django.core.files import File
from annotation.models import Project
from annotation.services.create_import import open_import, receive_file
project = Project.objects.get(slug="letters")
run = open_import(project=project, by=project.created_by, origin="browser", defaults={{"language": "en"}})
for path in sorted(Path({folder!r}).iterdir()):
    with path.open("rb") as data:
        receive_file(run=run, name=path.name, file=File(data, name=path.name))
"""
START_IMPORT = """
from annotation.models import ImportRun
from annotation.services.create_import import start_import
start_import(run=ImportRun.objects.get())
"""
COUNTED = ("sample", "work", "event", "duplicatepair", "samplefingerprint", "fingerprintword")


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
