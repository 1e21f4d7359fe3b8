"""What the demo's pages say and who writes them: read from pages.toml and hands.toml, marks taken apart."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

SYMBOLS = {r"\times": "×", r"\cdot": "·", r"\pm": "±"}
_MATH_PIECE = re.compile(r"(?P<shift>[\^_])?(?:\{(?P<group>[^}]*)\}|(?P<command>\\[a-z]+) ?|(?P<one>.))")


class Align(StrEnum):
    LEFT = ""
    CENTRE = "|c "
    RIGHT = "|r "
    INDENT = "|i "


@dataclass(frozen=True, slots=True)
class Mark:
    """A character as the pen writes it: `level` is 1 raised, -1 lowered, 0 on the line."""

    character: str
    level: int = 0
    is_struck: bool = False


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """A line of writing; without marks it is a gap."""

    marks: tuple[Mark, ...]
    align: Align
    truth: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """How somebody writes; see hands.toml for the units."""

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

    @property
    def truth(self) -> str:
        """The ground truth: every written line, top to bottom (written downwards: column by column)."""
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
    text = row.pop("text")
    return PageScript(lines=tuple(read_line(line) for line in text.strip("\n").split("\n")), **row)


def read_line(source: str) -> ScriptLine:
    """One source line taken apart.

    >>> read_line("|r $x^2$").truth
    '$x^2$'
    """
    align = next((item for item in Align if item and source.startswith(item)), Align.LEFT)
    truth = source.removeprefix(align).strip()
    return ScriptLine(tuple(_read_marks(truth)), align, truth)


def _read_marks(text: str) -> list[Mark]:
    marks: list[Mark] = []
    is_struck = False
    for piece in re.split(r"(~~|\$[^$]+\$)", text):
        if piece == "~~":
            is_struck = not is_struck
        elif piece.startswith("$") and len(piece) > 1:
            marks += _read_math(piece[1:-1])
        else:
            marks += [Mark(character) for character in piece]
            if is_struck:
                marks[-len(piece) :] = [replace(mark, is_struck=True) for mark in marks[-len(piece) :]]
    return marks


def _read_math(formula: str) -> list[Mark]:
    marks = []
    for match in _MATH_PIECE.finditer(formula):
        level = {"^": 1, "_": -1}.get(match["shift"] or "", 0)
        written = SYMBOLS[match["command"]] if match["command"] else match["group"] or match["one"]
        marks += [Mark(character, level) for character in written]
    return marks
