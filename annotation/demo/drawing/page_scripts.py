"""The texts and hands of the demo's pages, read and parsed from pages.toml and hands.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.demo.drawing.formulas import read_page
from annotation.demo.drawing.line_markup import ScriptLine, read_line
from annotation.demo.drawing.tables import TableScript, read_table

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The parameters of a handwriting; see hands.toml for the units."""

    fonts: tuple[str, ...]
    size: float
    pitch: float
    slant: float
    stretch: float
    tremble: float
    ink: tuple[int, int, int]
    weight: float
    space: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScript:
    """One page to draw. `turned` is the EXIF orientation it is stored with, `direction` `across` or `down`."""

    name: str
    language: str
    scenario: str
    hand: str
    paper: str
    camera: str
    format: str
    lines: tuple[ScriptLine, ...]
    turned: int = 1
    direction: str = "across"
    table: TableScript | None = None
    formulas: tuple[str | ScriptLine, ...] = ()  # LaTeX, and lines of words between

    @property
    def structure(self) -> str:
        return "table" if self.table else "formula" if self.formulas else "text"

    @property
    def truth(self) -> str:
        """The ground truth: every written line, top to bottom (written downwards: column by column); a table's HTML;
        the LaTeX of formulas, whose outlines `drawing.regions_of` knows."""
        if self.table:
            return self.table.truth
        if self.formulas:
            return "\n".join(f"$${item}$$" for item in self.formulas if isinstance(item, str))
        return "\n".join(line.truth for line in self.lines if line.marks)


@lru_cache(maxsize=1)
def load_hands() -> dict[str, Hand]:
    data = tomllib.loads((FOLDER / "hands.toml").read_text(encoding="utf-8"))
    return {
        key: Hand(**row | {"fonts": tuple(row["fonts"]), "ink": tuple(row["ink"])})
        for key, row in data.items()
    }


@lru_cache(maxsize=1)
def load_pages() -> tuple[PageScript, ...]:
    data = tomllib.loads((FOLDER / "pages.toml").read_text(encoding="utf-8"))
    return tuple(_read_page(row) for row in data["page"])


def _read_page(row: dict[str, Any]) -> PageScript:
    if "table" in row:
        return PageScript(lines=(), **row | {"table": read_table(row["table"])})
    if "formulas" in row:
        lines = read_page(row["formulas"])
        items = tuple(line if kind == "formula" else read_line(line) for kind, line in lines)
        return PageScript(lines=(), **row | {"formulas": items})
    text = row.pop("text")
    return PageScript(lines=tuple(read_line(line) for line in text.strip("\n").split("\n")), **row)
