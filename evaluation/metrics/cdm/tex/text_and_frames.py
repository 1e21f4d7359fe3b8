r"""Text, boxes, frames, phantoms, big delimiters, labels, colours: \text, \fbox, \phantom, \big, \tag, \color."""

from __future__ import annotations

from .box_commands import Build, add_item, fixed, palette, set_apart, text_argument
from .boxes import lowered, pack, rule
from .delimiter_names import scan_delimiter
from .delimiters import fence
from .dimensions import dimension_of
from .fonts import family
from .lexer import Token
from .machine import Machine
from .nodes import (
    Box,
    DeferredBox,
    MathList,
    Style,
    Symbol,
)
from .state import Meaning
from .styles import SIZE_OF
from .text import set_text
from .typeset import set_list

_STRUT = (10.15, 4.35)


_BIG = {r"\@big": 1.0, r"\@Big": 1.5, r"\@bigg": 2.0, r"\@Bigg": 2.5}


_FRAME_SEP, _FRAME_RULE = 3.0, 0.4


def _phantom(*, across: bool, up: bool) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        box = set_apart(items, style)
        return Box(box.width if across else 0.0, box.height if up else 0.0, box.depth if up else 0.0)

    return build


def _smash(machine: Machine, _token: str) -> None:
    sides = "".join(map(str, reversed(machine.optional_argument() or ["b", "t"])))
    argument = machine.argument()
    items = machine.run_apart(argument)

    def build(style: int) -> Box:
        box = set_apart(items, style)
        height = 0.0 if "t" in sides else box.height
        depth = 0.0 if "b" in sides else box.depth
        return Box(box.width, height, depth, [(0.0, 0.0, box)])

    add_item(machine, DeferredBox(build, parts=(("inline", items),)))


def _lap(*, left: bool) -> Meaning:
    r"""\llap and \rlap: text without width beside the current position."""

    def handler(machine: Machine, _token: str) -> None:
        argument = machine.argument()
        items = machine.run_apart(argument, text=True)
        box = set_text(items, 0)
        dx = -box.width if left else 0.0
        placed = Box(0.0, box.height, box.depth, [(dx, 0.0, box)])
        add_item(machine, fixed(placed, items))

    return handler


def _big(machine: Machine, token: str) -> None:
    r"""\big( and larger: the delimiter that spans a box of this height (amsmath's \bBigg@)."""
    delimiter = scan_delimiter(machine)
    paren = family(0, 0).glyph(0x28)
    assert paren is not None
    half = _BIG[token] * 1.2 * (paren.height + paren.depth) / 2
    axis = family(2, 0).params[21]
    color = machine.colors[-1]
    box = fence(delimiter, 0, (half + axis, half - axis), color, null_space=0.0)
    machine.frame.items.append(DeferredBox(lambda style: box, color))


def _text(machine: Machine, _token: str) -> None:
    items = text_argument(machine)
    add_item(machine, DeferredBox(lambda style: set_text(items, SIZE_OF[style]), parts=(("inline", items),)))


def _text_font(machine: Machine, _token: str) -> None:
    number = int("".join(reversed([str(token) for token in machine.argument()])))
    items = text_argument(machine, number)
    add_item(machine, DeferredBox(lambda style: set_text(items, SIZE_OF[style]), parts=(("inline", items),)))


def _hbox(machine: Machine, _token: str) -> None:
    items = text_argument(machine)
    add_item(machine, fixed(set_text(items, 0), items))


def framed(box: Box, color: int) -> Box:
    r"""\fbox: a rule on each side."""
    width = box.width + 2 * (_FRAME_SEP + _FRAME_RULE)
    height, depth = box.height + _FRAME_SEP + _FRAME_RULE, box.depth + _FRAME_SEP + _FRAME_RULE
    across = rule(width, _FRAME_RULE, 0.0, color)
    upright = rule(_FRAME_RULE, height, depth, color)
    kids = [
        (0.0, height - _FRAME_RULE, across),
        (0.0, -depth, across),
        (0.0, 0.0, upright),
        (width - _FRAME_RULE, 0.0, upright),
        (_FRAME_SEP + _FRAME_RULE, 0.0, box),
    ]
    return Box(width, height, depth, kids)


def _fbox(machine: Machine, token: str) -> None:
    if token == r"\boxed":
        argument = machine.argument()
        body = machine.run_apart(argument)
        color = machine.colors[-1]
        add_item(machine, fixed(framed(pack(set_list([Style(0), *body], 2)), color), body, color))
        return
    items = text_argument(machine)
    color = machine.colors[-1]
    add_item(machine, fixed(framed(set_text(items, 0), color), items, color))


def _raise_box(machine: Machine, _token: str) -> None:
    lift_tokens = machine.argument()
    lift = dimension_of(machine, lift_tokens)
    machine.optional_argument()
    machine.optional_argument()
    items = text_argument(machine)
    add_item(machine, fixed(lowered(set_text(items, 0), -lift), items))


def _rule(machine: Machine, _token: str) -> None:
    lift_tokens = machine.optional_argument()
    width, height = (dimension_of(machine, machine.argument()) for _ in range(2))
    lift = dimension_of(machine, lift_tokens) if lift_tokens is not None else 0.0
    ink = (0.0, lift, width, height + lift)
    add_item(machine, Box(width, height + lift, -lift, None, ink, machine.colors[-1]))


def _strut(machine: Machine, _token: str) -> None:
    add_item(machine, Box(0.0, *_STRUT))


def _empty_box(machine: Machine, _token: str) -> None:
    add_item(machine, Box(0.0, 0.0, 0.0))


def _tag(machine: Machine, _token: str) -> None:
    r"""\tag{..}: a label at the right margin; anything before its brace, even a star, is dropped."""
    before: list[Token] = []
    while machine.input and machine.input[-1] != "{":
        before.append(machine.input.pop())
    if machine.tag is not None:
        machine.error()
    starred = "*" in before
    color = machine.colors[-1]
    argument = machine.argument()
    while argument and argument[-1] == " ":
        argument.pop()
    while argument and argument[0] == " ":
        argument.pop(0)
    items = machine.run_apart(argument, text=True)
    parens = [Symbol(0, code, color, True) for code in (0x28, 0x29)]
    machine.tag = set_text(items if starred else [parens[0], *items, parens[1]], 0)


def _circle(machine: Machine, token: str) -> None:
    r"""\textcircled and \copyright: a ring from a text font (its measures: TeX's tcrm1200)."""
    if token != r"\textcircled":
        machine.push_back("{", "c", "}")
    items = text_argument(machine)
    color = machine.colors[-1]
    body = set_text(items, 0)
    ring = Box(13.05235, 8.09492, 2.99927, None, (0.68, -3.0, 12.4, 8.7), color)
    kids = [((ring.width - body.width) / 2, 0.0, body), (0.0, 0.0, ring)]
    add_item(machine, fixed(Box(ring.width, ring.height, ring.depth, kids), items, color))


def _user_color(machine: Machine, token: str) -> None:
    r"""\color and \textcolor: ink in a colour that belongs to no token."""
    machine.optional_argument()
    machine.argument()
    if token == r"\color":
        machine.set_color(-1)
        return
    body = machine.argument()
    machine.begin_semi()
    machine.set_color(-1)
    machine.input.append(r"\endgroup")
    machine.input.append(Machine.reset_color)
    machine.input.extend(body)


HANDLERS: dict[str, Meaning] = {
    r"\tag": _tag,
    r"\textcircled": _circle,
    r"\copyright": _circle,
    r"\textcopyright": _circle,
    r"\phantom": palette(_phantom(across=True, up=True), ""),
    r"\vphantom": palette(_phantom(across=False, up=True), ""),
    r"\@hphantom": palette(_phantom(across=True, up=False), ""),
    r"\smash": _smash,
    r"\llap": _lap(left=True),
    r"\rlap": _lap(left=False),
    **dict.fromkeys(_BIG, _big),
    r"\text": _text,
    r"\@textfont": _text_font,
    r"\hbox": _hbox,
    r"\fbox": _fbox,
    r"\boxed": _fbox,
    r"\framebox": _fbox,
    r"\makebox": _hbox,
    r"\raisebox": _raise_box,
    r"\rule": _rule,
    r"\strut": _strut,
    r"\@emptybox": _empty_box,
    r"\color": _user_color,
    r"\textcolor": _user_color,
}
