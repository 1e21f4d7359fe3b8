"""Spacing commands: kerns, skips and interword spaces (TeXbook, p. 167)."""

from __future__ import annotations

from .dimensions import scan_glue
from .machine import Machine
from .nodes import (
    NONSCRIPT,
    Space,
)
from .state import BrokenArgument, Meaning


def _mu_space(machine: Machine, token: str) -> None:
    width, _ = scan_glue(machine, is_mu=True)
    machine.frame.items.append(Space(width))


def _medium_space(machine: Machine, _token: str) -> None:
    machine.frame.items.append(Space(4.0, True, 4.0))


def _no_medium_space(machine: Machine, _token: str) -> None:
    machine.frame.items.append(Space(-4.0))


def _space(machine: Machine, token: str) -> None:
    width, shrink = scan_glue(machine, is_mu=False)
    machine.frame.items.append(Space(width, False, shrink))


def _hspace(machine: Machine, _token: str) -> None:
    machine.skip_spaces()
    if machine.input and machine.input[-1] == "*":
        machine.input.pop()
    waiting = machine.input
    try:
        machine.input = machine.argument()
        width, shrink = scan_glue(machine, is_mu=False)
    except BrokenArgument:
        width = shrink = 0.0
    machine.input = waiting
    machine.frame.items.append(Space(width, False, shrink))


def _control_space(machine: Machine, _token: str) -> None:
    if machine.frame.is_text:
        machine.frame.items.append(" ")  # type: ignore[arg-type]
    else:
        machine.frame.items.append(Space(3.9166, False, 1.30553))  # the word space of cmr12


def _nonscript(machine: Machine, _token: str) -> None:
    machine.frame.items.append(NONSCRIPT)


HANDLERS: dict[str, Meaning] = {
    "~": _control_space,
    r"\ ": _control_space,
    r"\nobreakspace": _control_space,
    r"\space": _control_space,
    r"\mskip": _mu_space,
    r"\mkern": _mu_space,
    r"\kern": _space,
    r"\hskip": _space,
    r"\@medspace": _medium_space,
    r"\@nomedspace": _no_medium_space,
    r"\hspace": _hspace,
    r"\nonscript": _nonscript,
}
