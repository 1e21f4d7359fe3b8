r"""The tokens that are delimiters, and how one is read (TeX § 1160)."""

from __future__ import annotations

from .delimiters import NO_DELIMITER
from .fonts import symbol_tables
from .machine import Machine
from .nodes import Delimiter

_SAME = {
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\lbrack": "[",
    r"\rbrack": "]",
}
_CORNERS = {
    r"\ulcorner": [5, 0x70, 5, 0x70],
    r"\urcorner": [5, 0x71, 5, 0x71],
    r"\llcorner": [5, 0x78, 5, 0x78],
    r"\lrcorner": [5, 0x79, 5, 0x79],
}


def scan_delimiter(machine: Machine) -> Delimiter:
    """The next delimiter, or an invisible one if there is none (§ 1160)."""
    machine.skip_filler()
    stack = machine.input
    token = stack[-1] if stack else None
    if token == ".":
        stack.pop()
        return NO_DELIMITER
    row = None
    if type(token) is str:
        row = symbol_tables()["delimiters"].get(_SAME.get(token, token)) or _CORNERS.get(token)
    if row is None:
        machine.error()
        return NO_DELIMITER
    stack.pop()
    return Delimiter(*row)
