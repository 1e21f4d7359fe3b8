r"""Commands that open and close fences, braces, groups and formulas (TeXbook, chapter 26)."""

from __future__ import annotations

from .delimiter_names import scan_delimiter
from .machine import Machine
from .nodes import LEFT, MIDDLE, Atom, Symbol
from .state import BOTTOM, BRACE, CELL, FENCE, SEMI, SHIFT, Meaning


def _left(machine: Machine, _token: str) -> None:
    if machine.frame.is_text:
        machine.missing_dollar(r"\left")
        return
    delimiter = scan_delimiter(machine)
    color = machine.colors[-1]
    frame = machine.push(FENCE)
    atom = Atom(LEFT, Symbol(0, 0, color))
    atom.extra = delimiter
    frame.items.append(atom)


def _right(machine: Machine, _token: str) -> None:
    kind = machine.frame.kind
    if kind == FENCE:
        machine.end_fence(scan_delimiter(machine))
    elif kind in (SHIFT, CELL, BOTTOM):
        scan_delimiter(machine)
        machine.error()
    else:
        machine.error()
        machine.push_back(r"\right")
        machine.insert_closer()


def _middle(machine: Machine, _token: str) -> None:
    if machine.frame.kind != FENCE:
        scan_delimiter(machine)
        machine.error()
        return
    atom = Atom(MIDDLE)
    atom.extra = scan_delimiter(machine)
    atom.nucleus = Symbol(0, 0, machine.colors[-1])
    machine.frame.items.append(atom)


def _open_brace(machine: Machine, token: str) -> None:
    if machine.frame.is_text:
        outer = machine.frame
        frame = machine.push(BRACE, outer.items.extend)
        frame.explicit = token == "{"
        return
    machine.math_group(explicit=token == "{")


def _close_brace(machine: Machine, _token: str) -> None:
    machine.right_brace()


def _begingroup(machine: Machine, _token: str) -> None:
    machine.begin_semi()


def _endgroup(machine: Machine, _token: str) -> None:
    if machine.frame.kind == SEMI:
        machine.close()
    elif machine.frame.kind in (BRACE, FENCE):
        machine.error()
        machine.push_back(r"\endgroup")
        machine.insert_closer()
    else:
        machine.error()


def _dollar(machine: Machine, _token: str) -> None:
    frame = machine.frame
    if frame.is_text:
        if frame.kind == BOTTOM and machine.input and machine.input[-1] == "$":
            machine.input.pop()
            machine.start_display()
        else:
            machine.begin_inline()
    elif frame.kind == SHIFT and len(machine.frames) > 1 and frame.on_close is not None:
        machine.close()
    elif frame.kind == BOTTOM:
        if machine.input and machine.input[-1] == "$":
            machine.input.pop()
        else:
            machine.error()
        machine.start_text()
    else:
        machine.error()
        if frame.kind in (BRACE, SEMI, FENCE):
            machine.push_back("$")
            machine.insert_closer()


def _par(machine: Machine, _token: str) -> None:
    r"""A paragraph end inside a formula: "Missing $ inserted"; what follows is no longer part of it."""
    if machine.frame.is_text:
        return
    machine.error()
    if any(frame.kind in (CELL, SHIFT) for frame in machine.frames):
        machine.input.clear()
    else:
        machine.start_text()


def _display_begin(machine: Machine, _token: str) -> None:
    r"""\[ starts a display in text and is an error in math; \( starts inline math."""
    if not machine.frame.is_text:
        machine.error()
    elif _token == r"\(":
        machine.begin_inline()
    elif machine.frame.kind == BOTTOM:
        machine.start_display()


def _display_end(machine: Machine, token: str) -> None:
    r"""\] ends a display; open groups are closed first."""
    inline = next((f for f in reversed(machine.frames) if f.kind in (SHIFT, CELL)), None)
    if token == r"\)" and inline is not None and inline.on_close is not None and machine.frame is inline:
        machine.close()
    elif token == r"\)" or inline is not None or machine.frame.is_text:
        machine.error()
    else:
        machine.start_text()


HANDLERS: dict[str, Meaning] = {
    "{": _open_brace,
    "}": _close_brace,
    r"\bgroup": _open_brace,
    r"\egroup": _close_brace,
    r"\begingroup": _begingroup,
    r"\endgroup": _endgroup,
    "$": _dollar,
    r"\left": _left,
    r"\right": _right,
    r"\middle": _middle,
    r"\par": _par,
    r"\[": _display_begin,
    r"\(": _display_begin,
    r"\]": _display_end,
    r"\)": _display_end,
}
