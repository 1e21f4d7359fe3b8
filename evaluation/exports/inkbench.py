"""Our own format: what `import_release` reads back, byte for byte in every text.

manifest.json         the release's manifest
gold.jsonl            one GoldRecord a line, in the release's order; the checksum is over exactly these bytes
images/<file_name>    the images as models get them
outlines/<file_name>  the same with numbered regions, where formulas are answered by region
README.md             data card
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256

from evaluation.exports.data_card import data_card
from evaluation.exports.reproducible_zip import ReproducibleZip
from evaluation.models import GoldItem, Release
from evaluation.records import to_line

MANIFEST, GOLD, SUMS = "manifest.json", "gold.jsonl", "gold.sha256"
IMAGES, OUTLINES = "images/", "outlines/"
_HOW_TO = """
## Files

- `gold.jsonl`: one JSON object a line: `id`, `file_name`, `structure`, `language`, `scenario`, `text`, `origins`, ...
- `images/`: PNG files; `image_hash` is the SHA-256 of each. Masks are painted over in them.
- `outlines/`: the same with numbered regions, where formulas are answered by region. They show no ground truth.
- `gold.sha256`: the SHA-256 of each line of `gold.jsonl`, with the record's id.
- `manifest.json`: the release; its `checksum` is `sha256sum gold.jsonl`.

Places (`regions`, `masks`) are in pixels of these images, x to the right, y down, with at most four decimals.

Predictions for scoring: one JSON object a line with `id` and `text` (or `regions`, LaTeX by number, where formulas are
answered by region), or a folder of `.md` files named like the images.
"""


def write_inkbench(release: Release, archive: ReproducibleZip, tick: Callable[[int], None]) -> None:
    """Write the release; `tick` hears how many samples are done. Raises MissingImage."""
    archive.add_text("README.md", data_card(release) + _HOW_TO)
    archive.add_text(
        MANIFEST, json.dumps(release.manifest, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    )
    items = release.items.order_by("position")
    with archive.member(GOLD) as write:
        for item in items.iterator(chunk_size=200):
            write(line_of(item))
    with archive.member(SUMS) as write:
        for item in items.iterator(chunk_size=200):
            write(f"{sha256(line_of(item)).hexdigest()}  {item.sample_id}\n".encode())
    outlined = items.exclude(outlines_blob="").values_list("file_name", "outlines_blob")
    for name, sha in outlined.iterator(chunk_size=500):
        archive.add_blob(OUTLINES + name, sha)
    write_images(release, archive, tick)


def line_of(item: GoldItem) -> bytes:
    """The record's line in `gold.jsonl`, with its line feed."""
    return to_line(item.gold).encode("utf-8") + b"\n"


def write_images(release: Release, archive: ReproducibleZip, tick: Callable[[int], None]) -> None:
    """The images, in the release's order."""
    rows = release.items.order_by("position").values_list("file_name", "image_blob")
    for done, (name, sha) in enumerate(rows.iterator(chunk_size=500), start=1):
        if sha:
            archive.add_blob(IMAGES + name, sha)
        tick(done)
