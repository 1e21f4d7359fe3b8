"""Parses a line of the demo's pages into the characters to write and their markup."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

SYMBOLS = {r"\times": "×", r"\cdot": "·", r"\pm": "±"}
_MATH_PIECE = re.compile(r"(?P<shift>[\^_])?(?:\{(?P<group>[^}]*)\}|(?P<command>\\[a-z]+) ?|(?P<one>.))")


class Align(StrEnum):
    LEFT = ""
    CENTRE = "|c "
    RIGHT = "|r "
    INDENT = "|i "


@dataclass(frozen=True, slots=True)
class Mark:
    """A character to write: `level` is 1 raised, -1 lowered, 0 on the line."""

    character: str
    level: int = 0
    is_struck: bool = False


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """A line of writing; without marks it is an empty line."""

    marks: tuple[Mark, ...]
    align: Align
    truth: str


def read_line(source: str) -> ScriptLine:
    """Parse one source line.

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
