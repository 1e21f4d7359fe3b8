"""The handwriting fonts: where they are, and which of them has a real glyph for a character."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ROOT / "node_modules" / "@fontsource"

# The one file of a package that holds its whole alphabet; the others are slices of it.
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

# Fonts of one size do not look of one size; measured by eye against caveat.
OPTICAL_SIZE = {
    "kalam": 0.92,
    "homemade-apple": 0.86,
    "zhi-mang-xing": 1.12,
    "long-cang": 1.06,
    "iansui": 0.94,
}

# Glyphs that show another character than they stand for (mostly the traditional form of a simplified one), found
# by looking at every glyph of the demo: a page drawn with them would have a false ground truth.
UNTRUE = {"long-cang": "时以", "zhi-mang-xing": "测针钟钥锁"}

MEND = "run `npm ci` in the project folder (`make install` does it)"
NOT_A_CHARACTER = "\U0010ffff"  # no font may have it: what is drawn for it is the font's mark for "missing"
PROBE_SIZE = 40


class FontsMissing(Exception):
    """The font packages are not installed; the message names the mend."""


class NoGlyph(Exception):
    """A text holds a character that none of a hand's fonts can write."""


def check_fonts(names: Sequence[str]) -> None:
    """Raises FontsMissing when a font file is not there."""
    absent = [name for name in names if not _path(name).is_file()]
    if absent:
        raise FontsMissing(f"handwriting fonts are missing in {PACKAGES}: {', '.join(absent)}; {MEND}")


@lru_cache(maxsize=64)
def open_font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels, corrected so that all look about equally large."""
    check_fonts([name])
    # Basic layout: each glyph is drawn alone, and the outcome is the same with and without Raqm.
    return ImageFont.truetype(
        str(_path(name)), size * OPTICAL_SIZE.get(name, 1.0), layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(maxsize=8192)
def has_glyph(name: str, character: str) -> bool:
    """Whether the font draws this very character, rather than another, nothing, or its mark for a missing one."""
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
