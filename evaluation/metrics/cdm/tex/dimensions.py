"""Dimensions and glue as TeX reads them (TeXbook, chapter 24), in points, or in mu."""

from __future__ import annotations

from .fonts import family
from .lexer import Token
from .machine import Machine

_POINTS = {
    "pt": 1.0,
    "pc": 12.0,
    "in": 72.27,
    "bp": 72.27 / 72,
    "cm": 72.27 / 2.54,
    "mm": 72.27 / 25.4,
    "dd": 1238 / 1157,
    "cc": 14856 / 1157,
    "sp": 1 / 65536,
    "mu": 1.0,
}
_NAMED = {
    r"\arraycolsep": 5.0,
    r"\textwidth": 585.5,
    r"\linewidth": 585.5,
    r"\columnwidth": 585.5,
    r"\hsize": 585.5,
    r"\baselineskip": 14.5,
    r"\thinmuskip": 3.0,
    r"\medmuskip": 4.0,
    r"\thickmuskip": 5.0,
    r"\nulldelimiterspace": 1.2,
    r"\parindent": 17.62482,
}
LARGEST = 16383.99998  # \maxdimen: TeX refuses more


def scan_dimension(machine: Machine) -> float:
    """A signed number with its unit; TeX supplies 0 or pt where either is missing."""
    stack = machine.input
    machine.skip_spaces()
    sign = 1.0
    while stack and stack[-1] in ("-", "+", " "):
        if stack.pop() == "-":
            sign = -sign
    digits = ""
    while (
        stack and type(token := stack[-1]) is str and len(token) == 1 and (token.isdecimal() or token in ".,")
    ):
        digits += token if token.isascii() and token != "," else "." if token == "," else "0"
        stack.pop()
    if stack and type(token := stack[-1]) is str and token in _NAMED:
        stack.pop()
        return sign * _number(digits or "1") * _NAMED[token]
    if not digits:
        machine.error()
        value = 0.0
    else:
        value = _number(digits)
    machine.skip_spaces()
    unit = _unit(machine)
    if unit is None:
        machine.error()
        unit = 1.0
    return max(-LARGEST, min(LARGEST, sign * value * unit))


def dimension_of(machine: Machine, tokens: list[Token]) -> float:
    """The dimension that some tokens (last first) spell; the rest is dropped."""
    waiting, machine.input = machine.input, tokens
    try:
        return scan_dimension(machine)
    finally:
        machine.input = waiting


def _number(digits: str) -> float:
    head, _, tail = digits.partition(".")
    return float(f"{head[-9:] or 0}.{tail.replace('.', '')[:9] or 0}")


def _unit(machine: Machine) -> float | None:
    stack = machine.input
    _keyword(machine, "true")
    if len(stack) < 2 or type(stack[-1]) is not str or type(stack[-2]) is not str:
        return None
    unit = (stack[-1] + stack[-2]).lower()
    if unit in ("em", "ex"):
        del stack[-2:]
        em, ex = family(0, 0).params[5], family(0, 0).params[4]
        return em if unit == "em" else ex
    if unit in _POINTS:
        del stack[-2:]
        return _POINTS[unit]
    return None


def _keyword(machine: Machine, word: str) -> bool:
    stack = machine.input
    machine.skip_spaces()
    if len(stack) >= len(word) and "".join(map(str, stack[-1 : -len(word) - 1 : -1])).lower() == word:
        del stack[-len(word) :]
        return True
    return False


def scan_glue(machine: Machine, *, is_mu: bool) -> tuple[float, float]:
    """Width and shrink; stretch is read and ignored."""
    width = scan_dimension(machine)
    if _keyword(machine, "plus"):
        scan_dimension(machine)
    shrink = scan_dimension(machine) if _keyword(machine, "minus") else 0.0
    machine.skip_spaces()
    return width, 0.0 if is_mu else shrink
