r"""Symbols composed of parts: roots with a degree, bold, \cong, dots, \iint, \substack, wide accents.

Each follows the definition in the LaTeX kernel or amsmath (source2e, "Math"; amsmath.dtx), as geometry.
"""

from __future__ import annotations

from collections.abc import Callable

from .box_commands import EX, add_item, in_middle, palette, set_apart
from .boxes import character, lowered, pack, rule, stack_up
from .fonts import family
from .lexer import Token
from .machine import Machine
from .nodes import (
    BIN,
    OP,
    ORD,
    RADICAL,
    REL,
    Atom,
    Box,
    DeferredBox,
    Delimiter,
    MathList,
    Space,
    Symbol,
)
from .state import CannotTypeset, Meaning
from .styles import SIZE_OF
from .typeset import set_list

_ROOT_SIGN = Delimiter(2, 0x70, 3, 0x70)


def _root(machine: Machine, _token: str) -> None:
    r"""\sqrt, with \sqrt[degree] raised over the sign (TeXbook, p. 360)."""
    degree_tokens = machine.optional_argument()
    if degree_tokens is None:
        machine.push_back(r"\sqrtsign")
        return
    argument = machine.argument()
    color = machine.colors[-1]
    degree_items = machine.run_apart(degree_tokens)
    radicand = machine.run_apart(argument)
    degree = set_apart(degree_items, 6)
    atom = Atom(RADICAL, radicand)
    atom.extra, atom.extra2 = _ROOT_SIGN, color

    def build(style: int) -> Box:
        mu = family(2, SIZE_OF[style]).params[5] / 18
        body = set_apart([atom], style)
        lift = 0.6 * (body.height - body.depth)
        return pack([5 * mu, lowered(degree, -lift), -10 * mu, body])

    parts = (("degree", degree_items), ("radicand", radicand))
    add_item(machine, DeferredBox(build, color, parts))


def apparent_class(items: MathList) -> int:
    r"""Whether a list behaves like a binary operator, a relation or neither (amsbsy's \binrel@)."""
    kinds = [item.kind for item in items if isinstance(item, Atom)]
    weight = 0
    for kind in (kinds[:1] + kinds[-1:]) if kinds else []:
        weight += 1 if kind == REL else -1 if kind == BIN else 0
    return BIN if weight < 0 else REL if weight > 0 else ORD


def _bold(machine: Machine, _token: str) -> None:
    argument = machine.argument()
    kind = apparent_class(machine.run_apart(list(argument)))
    items = machine.run_apart(argument, bold=True)
    machine.frame.items.append(
        Atom(kind, [DeferredBox(lambda style: set_apart(items, style), parts=(("inline", items),))])
    )


def _like_atom(machine: Machine, _token: str) -> None:
    r"""\overset and \underset take the class of their base."""
    argument, body = machine.argument(), machine.argument()
    kind = apparent_class(machine.run_apart(argument))
    machine.input.append("}")
    machine.input.extend(body)
    machine.input.append("{")
    if kind != ORD:
        machine.input.append(r"\mathbin" if kind == BIN else r"\mathrel")


def _sign(build: Callable[[int, int], Box]) -> Meaning:
    """A symbol drawn from parts, in the current colour."""

    def handler(machine: Machine, _token: str) -> None:
        color = machine.colors[-1]
        add_item(machine, DeferredBox(lambda style: build(style, color), color))

    return handler


def _row(box: Box) -> Box:
    """A box as a row of an alignment: never of negative depth."""
    return Box(box.width, max(box.height, 0.0), max(box.depth, 0.0), [(0.0, 0.0, box)])


def _congruent(style: int, color: int) -> Box:
    size = SIZE_OF[style]
    tilde, equals = (_row(character(Symbol(f, c, color), size)) for f, c in ((2, 0x18), (0, 0x3D)))
    width = max(tilde.width, equals.width)
    return lowered(stack_up([in_middle(tilde, width), -0.5, in_middle(equals, width)]), 0.5)


def _not_element(style: int, color: int) -> Box:
    size = SIZE_OF[style]
    mu = family(2, size).params[5] / 18
    slash, element = (character(Symbol(f, c, color), size) for f, c in ((1, 0x3D), (2, 0x32)))
    width = max(slash.width + mu, element.width)
    left = (width - slash.width - mu) / 2 + mu
    kids = [(left, 0.0, slash), (0.0, 0.0, element)]
    return Box(width, max(slash.height, element.height), max(element.depth, 0.0), kids)


def _dot(color: int) -> Box:
    return character(Symbol(0, 0x2E, color), 0)


def _three_dots_up(style: int, color: int) -> Box:
    dot = _dot(color)
    kids = [(0.0, y, dot) for y in (0.0, 4.0, 8.0)]
    return Box(dot.width, 8.0 + dot.height + 6.0, 0.0, kids)


def _dot_at(machine: Machine, _token: str) -> None:
    y = float("".join(reversed([str(token) for token in machine.argument()])))
    color = machine.colors[-1]
    box = lowered(_dot(color), -y)
    placed = Box(box.width, box.height + (7.0 if y == 7 else 0.0), box.depth, box.kids)
    add_item(machine, DeferredBox(lambda style: placed, color))


def _raised_dots(machine: Machine, _token: str) -> None:
    r"""\dddot's three dots: a box of negative height, so that they sit close to the letter."""
    dots = machine.argument()
    color = machine.colors[-1]
    dot = _dot(color)
    thin = family(0, 0).params[5] / 6
    kids = [(thin + index * dot.width, 0.6 * EX - dot.height, dot) for index in range(len(dots))]
    placed = Box(thin + len(dots) * dot.width, -1.4 * EX, 0.0, kids)
    add_item(machine, DeferredBox(lambda style: placed, color))


def _integrals(machine: Machine, _token: str) -> None:
    r"""\iint and similar: integral signs kerned together (amsmath's \MultiIntegral)."""
    count = int(str(machine.argument()[0]))
    sign = (OP, 3, 0x52)

    def kern(style: int) -> Box:
        return Box((-9 if style < 2 else -6) * family(2, SIZE_OF[style]).params[5] / 18, 0.0, 0.0)

    items = machine.frame.items
    for index in range(count or 2):
        if index and count:
            items.append(DeferredBox(kern))
        elif index:
            machine.push_back(r"\intop", r"\nolimits")
            machine.push_back(r"\cdots")
            return
        atom = Atom(OP, machine.symbol(sign))
        atom.limits = 2
        items.append(atom)


def _underscore(machine: Machine, _token: str) -> None:
    em = family(0, 0).params[5]
    machine.frame.items.append(Space(0.06 * em, False))
    add_item(machine, rule(0.3 * em, 0.4, 0.0, machine.colors[-1]))


def _choice(machine: Machine, _token: str) -> None:
    r"""\mathchoice: four lists, one for each style."""
    lists = [machine.run_apart(machine.argument()) for _ in range(4)]
    parts = (("inline", lists[1]),)
    machine.frame.items.append(
        DeferredBox(lambda style: pack(set_list(lists[style // 2], style)), parts=parts)
    )


def _pmb(items: MathList, style: int, color: int) -> Box:
    """Poor man's bold: three slightly shifted copies."""
    box = set_apart(items, style)
    mu = family(2, SIZE_OF[style]).params[5] / 18
    kids = [(-0.8 * mu, 0.0, box), (-0.4 * mu, 0.5 * mu, box), (0.0, 0.0, box)]
    return Box(box.width, box.height + 0.5 * mu, box.depth, kids)


def _substack(machine: Machine, _token: str) -> None:
    r"""\substack: lines of script size, centred (amsmath's subarray)."""
    lines: list[list[Token]] = [[]]
    depth = 0
    for token in reversed(machine.argument()):
        depth += (token == "{") - (token == "}")
        if token in (r"\\", r"\cr") and depth == 0:
            lines.append([])
        else:
            lines[-1].append(token)
    contents = [machine.run_apart(list(reversed(line))) for line in lines]
    rows = [set_apart(items, 4) for items in contents]
    width = max(row.width for row in rows)
    params = family(2, 1).params
    step, least = params[9] + params[11], 3 * family(3, 1).params[7]
    parts: list[Box | float] = []
    for row in rows:
        if parts:
            previous = parts[-1]
            assert isinstance(previous, Box)
            gap = step - previous.depth - row.height
            parts.append(gap if gap >= least else least)
        parts.append(in_middle(row, width))
    box = stack_up(parts)
    middle = (box.height + box.depth) / 2

    def build(style: int) -> Box:
        return lowered(box, box.height - middle - family(2, SIZE_OF[style]).params[21])

    add_item(
        machine,
        DeferredBox(build, parts=tuple((f"row {index}", items) for index, items in enumerate(contents))),
    )


def _wide_accent(machine: Machine, token: str) -> None:
    r"""\widehat and \widetilde: wider than two ems the AMS font has a larger one."""
    argument = machine.argument()
    width = set_apart(machine.run_apart(list(argument)), 2).width
    wide = width > 2 * family(0, 0).params[5]
    machine.input.append("}")
    machine.input.extend(argument)
    machine.input.append("{")
    machine.input.append(_WIDE[token][1 if wide else 0])


_WIDE = {r"\widehat": (r"\@widehat", r"\@amshat"), r"\widetilde": (r"\@widetilde", r"\@amstilde")}


def _build_relation(machine: Machine, _token: str) -> None:
    r"""\buildrel a\over b: everything up to \over goes above."""
    stack, above = machine.input, []
    while stack and stack[-1] != r"\over":
        if stack[-1] == "{":
            above += ["{", *reversed(machine.argument()), "}"]
            continue
        if stack[-1] == "}":
            machine.error()
            stack.append(r"\par")
            return
        above.append(stack.pop())
    if not stack:
        raise CannotTypeset("an argument never ends")
    stack.pop()
    machine.push_back(r"\stackrel", "{", *above, "}")


HANDLERS: dict[str, Meaning] = {
    r"\sqrt": _root,
    **dict.fromkeys(_WIDE, _wide_accent),
    r"\buildrel": _build_relation,
    r"\boldsymbol": _bold,
    r"\bm": _bold,
    r"\pmb": palette(_pmb),
    r"\@likeatom": _like_atom,
    r"\@cong": _sign(_congruent),
    r"\@struckin": _sign(_not_element),
    r"\@vdots": _sign(_three_dots_up),
    r"\@dotat": _dot_at,
    r"\@raiseddots": _raised_dots,
    r"\@iint": _integrals,
    r"\_": _underscore,
    r"\mathchoice": _choice,
    r"\@substack": _substack,
}
