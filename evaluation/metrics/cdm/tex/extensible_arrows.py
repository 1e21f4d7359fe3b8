r"""Braces and arrows as wide as their contents: \overbrace, \overrightarrow, \xrightarrow (amsmath's definitions)."""

from __future__ import annotations

from .box_commands import EX, Build, in_middle, palette, set_apart
from .boxes import character, pack, rule, stack_down, stack_up
from .fonts import family
from .machine import Machine
from .nodes import (
    OP,
    REL,
    Atom,
    Box,
    MathList,
    Space,
    Symbol,
)
from .state import Meaning
from .styles import SIZE_OF


def _brace(width: float, color: int, *, upward: bool) -> Box:
    """A horizontal brace as wide as its contents (TeXbook, p. 225: four pieces joined by rules)."""
    codes = (0x7C, 0x7B, 0x7A, 0x7D) if upward else (0x7A, 0x7D, 0x7C, 0x7B)
    pieces = [character(Symbol(3, code, color), 0) for code in codes]
    width = max(width, sum(piece.width for piece in pieces))
    thick = character(Symbol(3, 0x7A, color), 0).height
    half = (width - sum(piece.width for piece in pieces)) / 2
    parts = [pieces[0], rule(half, thick, 0.0, color), *pieces[1:3], rule(half, thick, 0.0, color), pieces[3]]
    return pack(parts)


def _over_brace(items: MathList, style: int, color: int) -> Box:
    body = set_apart(items, 0)
    brace = _brace(body.width, color, upward=False)
    width = max(body.width, brace.width)
    return stack_up([3.0, brace, 3.0, in_middle(body, width)])


def _under_brace(items: MathList, style: int, color: int) -> Box:
    body = set_apart(items, 0)
    brace = _brace(body.width, color, upward=True)
    width = max(body.width, brace.width)
    return stack_down([in_middle(body, width), 3.0, brace, 3.0])


_ARROWS = {  # left end, right end: (family, code); 2,0 is the minus sign, 0,'=' the double bar
    "right": ((2, 0x00), (2, 0x21)),
    "left": ((2, 0x20), (2, 0x00)),
    "leftright": ((2, 0x20), (2, 0x21)),
}


def arrow_line(kind: str, width: float, style: int, color: int) -> Box:
    """An arrow stretched to a width: its two ends; the middle adds no ink outside them."""
    size = SIZE_OF[style]
    ends = [character(Symbol(number, code, color), size) for number, code in _ARROWS[kind]]
    overlap = 14 * family(2, size).params[5] / 18
    least = ends[0].width + ends[1].width - overlap
    width = max(width, least)
    height = max(
        (end.height for end, (_, code) in zip(ends, _ARROWS[kind], strict=True) if code), default=0.0
    )
    return Box(width, height, 0.0, [(0.0, 0.0, ends[0]), (width - ends[1].width, 0.0, ends[1])])


def _arrow_over(kind: str) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        body = set_apart(items, style)
        arrow = arrow_line(kind, body.width, style & ~1, color)
        return stack_up([arrow, in_middle(body, arrow.width)])

    return build


def _arrow_under(kind: str) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        body = set_apart(items, style)
        arrow = arrow_line(kind, body.width, style & ~1, color)
        return stack_down([in_middle(body, arrow.width), 1.3 * EX, arrow])

    return build


def _labelled_arrow(kind: str, margins: tuple[float, float], nudge: tuple[float, float]) -> Meaning:
    r"""\xrightarrow[below]{above}: an arrow as long as its labels need (amsmath's \ext@arrow)."""

    def handler(machine: Machine, _token: str) -> None:
        below_tokens = machine.optional_argument() or []
        above_tokens = machine.argument()
        color = machine.colors[-1]
        has_below, has_above = bool(below_tokens), bool(above_tokens)
        below = machine.run_apart(below_tokens)
        above = machine.run_apart(above_tokens)
        mu = family(2, 1).params[5] / 18
        widest = max(set_apart(part, 4).width for part in (below, above))
        width = widest + sum(margins) * mu
        base = Atom(OP, arrow_line(kind, width, 0, color))
        base.limits, base.extra2 = 1, color
        if has_above:
            base.sup = [Space(nudge[0]), *above, Space(nudge[1])]
        if has_below:
            base.sub = [Space(nudge[0]), *below, Space(nudge[1])]
        machine.frame.items.append(Atom(REL, [base]))

    return handler


HANDLERS: dict[str, Meaning] = {
    r"\@overbrace": palette(_over_brace, "braced", on_top=True),
    r"\@underbrace": palette(_under_brace, "braced"),
    r"\overrightarrow": palette(_arrow_over("right"), "arrowed", on_top=True),
    r"\overleftarrow": palette(_arrow_over("left"), "arrowed", on_top=True),
    r"\overleftrightarrow": palette(_arrow_over("leftright"), "arrowed", on_top=True),
    r"\underrightarrow": palette(_arrow_under("right"), "arrowed"),
    r"\underleftarrow": palette(_arrow_under("left"), "arrowed"),
    r"\underleftrightarrow": palette(_arrow_under("leftright"), "arrowed"),
    r"\xrightarrow": _labelled_arrow("right", (5, 9), (0, 3)),
    r"\xleftarrow": _labelled_arrow("left", (9, 5), (3, 0)),
}
