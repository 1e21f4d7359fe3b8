"""Metrics of the Computer Modern and AMS fonts at the three sizes of a 12 pt article (12, 8 and 6 pt).

All lengths are points (72.27 to the inch), y grows upwards from the baseline.
"""

from __future__ import annotations

import gzip
import json
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

BOLD = 16  # a family of \boldmath is the plain family's number plus this
SIZES = (12.0, 8.0, 6.0)

# Which font a family uses at each size (LaTeX's fontmath.ltx and the font definition files), with its size.
_FAMILIES: dict[int, tuple[str, str, str]] = {
    0: ("cmr12", "cmr8", "cmr6"),
    1: ("cmmi12", "cmmi8", "cmmi6"),
    2: ("cmsy10", "cmsy8", "cmsy6"),
    3: ("cmex10", "cmex8", "cmex7"),
    4: ("eurm10", "eurm10", "eurm7"),
    5: ("msam10", "msam10", "msam7"),
    6: ("msbm10", "msbm10", "msbm7"),
    7: ("eufm10", "eufm10", "eufm7"),
    8: ("cmbx12", "cmbx8", "cmbx6"),
    9: ("cmss12", "cmss8", "cmss8"),
    10: ("cmtt12", "cmtt8", "cmtt8"),
    11: ("cmti12", "cmti8", "cmti7"),
    12: ("cmsl12", "cmsl8", "cmsl8"),
    13: ("cmcsc10", "cmcsc10", "cmcsc10"),
    BOLD: ("cmbx12", "cmbx8", "cmbx6"),
    BOLD + 1: ("cmmib10", "cmmib8", "cmmib6"),
    BOLD + 2: ("cmbsy10", "cmbsy8", "cmbsy6"),
}


class Glyph(NamedTuple):
    """A character of a font at a size: its TeX box, its italic correction and the bounding box of its outline."""

    width: float
    height: float
    depth: float
    italic: float
    ink: tuple[float, float, float, float]  # x0, y0, x1, y1
    larger: int  # the next larger variant, -1 = none
    recipe: tuple[int, int, int, int] | None  # top, middle, bottom, repeated piece (0 = absent)


class Font:
    """A font at one size; glyphs are scaled on first use."""

    __slots__ = ("_glyphs", "_raw", "has_spaces", "kerns", "params", "scale", "skews")

    def __init__(self, raw: dict[str, Any], size: float) -> None:
        self.scale = size / 1_000_000
        self.params: list[float] = [value * self.scale for value in raw["params"]]
        self.has_spaces = raw["params"][1] != 0
        self.skews = {int(code): kern * self.scale for code, kern in raw["skews"].items()}
        self.kerns = raw["kerns"]
        self._raw = raw
        self._glyphs: dict[int, Glyph | None] = {}

    def glyph(self, code: int) -> Glyph | None:
        """The character, or None where the font lacks it (TeX: "Missing character")."""
        try:
            return self._glyphs[code]
        except KeyError:
            glyph = self._glyphs[code] = self._scaled(code)
            return glyph

    def kern(self, left: int, right: int) -> float:
        """The kern between two neighbouring characters."""
        table = self.kerns.get(str(left))
        return table.get(str(right), 0) * self.scale if table else 0.0

    def _scaled(self, code: int) -> Glyph | None:
        key = str(code)
        row = self._raw["chars"].get(key)
        if row is None:
            return None
        s = self.scale
        ink = (row[4] * s * 1000, row[5] * s * 1000, row[6] * s * 1000, row[7] * s * 1000)
        parts = self._raw["parts"].get(key)
        recipe = tuple(parts) if parts else None
        return Glyph(
            row[0] * s, row[1] * s, row[2] * s, row[3] * s, ink, self._raw["next"].get(key, -1), recipe
        )


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    data = resources.files("evaluation.metrics.cdm").joinpath("data/fonts.json.gz").read_bytes()
    tables: dict[str, Any] = json.loads(gzip.decompress(data))
    return tables


@cache
def family(number: int, size: int) -> Font:
    """The font of a family at a size index; families without a bold form use the plain one."""
    names = _FAMILIES.get(number) or _FAMILIES[number - BOLD]
    return Font(_tables()[names[size]], SIZES[size])


@lru_cache(maxsize=1)
def symbol_tables() -> dict[str, dict[str, list[int]]]:
    """Name -> numbers: `symbols` [class, family, code], `delimiters` [small family, code, large ...], `accents`."""
    file = resources.files("evaluation.metrics.cdm").joinpath("data/symbols.json")
    tables: dict[str, dict[str, list[int]]] = json.loads(file.read_text(encoding="utf-8"))
    return tables
