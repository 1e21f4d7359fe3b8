"""The demo's pages, each drawn once in a run: one takes seconds."""

from __future__ import annotations

import hashlib

from PIL import Image

from annotation.demo.drawing.page_scripts import PageScript
from annotation.demo.drawing.pages import DEFAULT_SEED, draw_page
from tests.run_folder import make_once, run_folder


def drawn_page(page: PageScript, *, seed: int = DEFAULT_SEED) -> Image.Image:
    """What `draw_page` draws, as RGB."""
    key = hashlib.sha256(repr((page, seed)).encode()).hexdigest()[:16]
    path = make_once(
        run_folder() / "drawn" / f"{page.name}-{key}.png",
        lambda path: draw_page(page, seed=seed).save(path, "PNG", compress_level=1),
    )
    with Image.open(path) as image:
        return image.convert("RGB")
