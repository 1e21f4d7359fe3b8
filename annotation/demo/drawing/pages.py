"""Draws the demo's pages into a folder with their exact ground truth; the same seed gives the same pages."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from annotation.demo.drawing.camera import take
from annotation.demo.drawing.fonts import check_fonts
from annotation.demo.drawing.handwriting import lay_out, write
from annotation.demo.drawing.page_scripts import PageScript, load_hands, load_pages
from annotation.demo.drawing.paper import make_sheet
from evaluation.payloads.formula import Region, write_regions

DEFAULT_SEED = 20
WIDTH, MAX_HEIGHT = 1200, 1600
OUTLINE_ROOM = 0.22  # of the writing size, between ink and outline
LARGE = 1.75  # scale of pages that are stored rotated, like photos of a phone

# How to rotate the upright image so that a program that applies the orientation tag shows it upright.
TURNS = {6: Image.Transpose.ROTATE_90, 3: Image.Transpose.ROTATE_180, 8: Image.Transpose.ROTATE_270}
ORIENTATION_TAG, MAKE_TAG, MODEL_TAG = 0x0112, 0x010F, 0x0110


@dataclass(frozen=True, slots=True)
class DemoPage:
    """A drawn page: its file, ground truth and facts (language as a tag, scenario as a key)."""

    path: Path
    text: str
    structure: str
    language: str
    scenario: str
    writer: str


def draw_pages(folder: Path, *, seed: int = DEFAULT_SEED) -> Iterator[DemoPage]:
    """Draw all pages into `folder` (created if missing), one by one. Raises FontsMissing without the fonts."""
    hands = load_hands()
    check_fonts(sorted({font for hand in hands.values() for font in hand.fonts}))
    folder.mkdir(parents=True, exist_ok=True)
    for page in load_pages():
        path = folder / f"{page.name}.{page.format}"
        _save(draw_page(page, seed=seed), page, path)
        text = regions_of(page) if page.formulas else page.truth
        yield DemoPage(path, text, page.structure, page.language, page.scenario, page.hand)


def regions_of(page: PageScript) -> str:
    """The ground truth of a formula page as JSON: the outline of each formula, in pixels, and its LaTeX."""
    hand = load_hands()[page.hand]
    layout = lay_out(page, hand, WIDTH, MAX_HEIGHT)
    room = OUTLINE_ROOM * hand.size
    latex = [item for item in page.formulas if isinstance(item, str)]
    regions = []
    for number, (box, words) in enumerate(zip(layout.boxes, latex, strict=True), start=1):
        left, top = (max(0, round(side - room)) for side in box[:2])
        right, bottom = min(WIDTH, round(box[2] + room)), round(box[3] + room)
        outline = ((left, top), (right, top), (right, bottom), (left, bottom))
        regions.append(Region(f"r{number}", outline, words))
    return write_regions(regions)


def draw_page(page: PageScript, *, seed: int = DEFAULT_SEED) -> Image.Image:
    """One page, upright, as RGB."""
    # Seeded by name, so that a new page does not change the others.
    rng = np.random.default_rng([seed, zlib.crc32(page.name.encode())])
    hand = load_hands()[page.hand]
    scale = LARGE if page.turned != 1 else 1.0
    width, height = round(WIDTH * scale), round(MAX_HEIGHT * scale)
    layout = lay_out(page, hand, width, height)
    rest = rng.uniform(0.12, 0.3) * width  # paper below the last line
    height = round(min(height, max(layout.bottom + rest, width * 0.7)))
    ink = write(layout, hand, width, height, rng)[:, :, None]
    sheet = make_sheet(page.paper, width, height, pitch=layout.pitch, first=layout.first, rng=rng)
    written = sheet * (1 - ink) + np.array(hand.ink, np.float32) * ink
    return Image.fromarray(take(page.camera, written, rng))


def _save(image: Image.Image, page: PageScript, path: Path) -> None:
    exif = Image.Exif()
    if page.turned in TURNS:
        image = image.transpose(TURNS[page.turned])
        exif[ORIENTATION_TAG] = page.turned
    if page.format == "jpg":
        exif[MAKE_TAG], exif[MODEL_TAG] = "InkBench", "demo camera"
        image.save(path, "JPEG", quality=88, exif=exif)
    elif page.format == "webp":
        image.save(path, "WEBP", quality=88)
    elif page.format == "tif":
        image.save(path, "TIFF", compression="tiff_lzw")
    else:
        image.save(path, "PNG", compress_level=6)
