"""The handwriting fonts: their files, and which of them have a glyph for a character."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ROOT / "node_modules" / "@fontsource"

# The file of a package with the whole alphabet; the others are subsets.
FILES = {
    "caveat": "caveat-latin-500-normal.woff2",
    "kalam": "kalam-latin-400-normal.woff2",
    "nanum-pen-script": "nanum-pen-script-latin-400-normal.woff2",
    "homemade-apple": "homemade-apple-latin-400-normal.woff2",
    "covered-by-your-grace": "covered-by-your-grace-latin-400-normal.woff2",
    "long-cang": "long-cang-chinese-simplified-400-normal.woff2",
    "zhi-mang-xing": "zhi-mang-xing-chinese-simplified-400-normal.woff2",
    "ma-shan-zheng": "ma-shan-zheng-chinese-simplified-400-normal.woff2",
    "iansui": "iansui-chinese-traditional-400-normal.woff2",
}

# Scale factors, so that all fonts look as large as Caveat.
OPTICAL_SIZE = {
    "kalam": 0.92,
    "homemade-apple": 0.86,
    "zhi-mang-xing": 1.12,
    "long-cang": 1.06,
    "iansui": 0.94,
}

# Glyphs that show another character (mostly the traditional form of a simplified one), found by checking every glyph
# of the demo: a page drawn with them would have wrong ground truth.
UNTRUE = {"long-cang": "时以", "zhi-mang-xing": "测针钟钥锁"}

MEND = "run `npm ci` in the project folder (`make install` does it)"
NOT_A_CHARACTER = "\U0010ffff"  # no font may have it: what is drawn for it is the font's mark for "missing"
PROBE_SIZE = 40


class FontsMissing(Exception):
    """The font packages are not installed; the message says how to install them."""


class NoGlyph(Exception):
    """A text has a character that none of a hand's fonts can write."""


def check_fonts(names: Sequence[str]) -> None:
    """Raises FontsMissing when a font file is not there."""
    absent = [name for name in names if not _path(name).is_file()]
    if absent:
        raise FontsMissing(f"handwriting fonts are missing in {PACKAGES}: {', '.join(absent)}; {MEND}")


@lru_cache(maxsize=64)
def open_font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels, scaled so that all fonts look about equally large."""
    check_fonts([name])
    # Basic layout, since each glyph is drawn alone; the result does not depend on Raqm.
    return ImageFont.truetype(
        str(_path(name)), size * OPTICAL_SIZE.get(name, 1.0), layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(maxsize=8192)
def has_glyph(name: str, character: str) -> bool:
    """True when the font draws this character, not another one, nothing, or its missing-glyph mark."""
    if character in UNTRUE.get(name, ""):
        return False
    font = open_font(name, PROBE_SIZE)
    mask = font.getmask(character)
    if mask.getbbox() is None:
        return False
    missing = font.getmask(NOT_A_CHARACTER)
    return (mask.size, bytes(mask)) != (missing.size, bytes(missing))


def choose_font(names: Sequence[str], character: str) -> str:
    """The first font that has the character; raises NoGlyph when none has."""
    for name in names:
        if has_glyph(name, character):
            return name
    raise NoGlyph(f"none of {', '.join(names)} has a glyph for {character!r} (U+{ord(character):04X})")


def _path(name: str) -> Path:
    return PACKAGES / name / "files" / FILES[name]
