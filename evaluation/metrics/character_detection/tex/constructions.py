r"""Commands whose result is a box built from parts: braces, arrows, roots with a degree, phantoms, text, frames.

Each follows the definition in the LaTeX kernel or amsmath (source2e, section "Math"; amsmath.dtx) expressed as
geometry: an argument is run by itself, then measured and placed when the style is known.
"""

from __future__ import annotations

from collections.abc import Callable

from .boxes import character, lowered, pack, rule, stack_down, stack_up
from .delimiter_names import scan_delimiter
from .delimiters import fence
from .dimensions import dimension_of
from .fonts import family
from .lexer import Token
from .machine import CannotTypeset, Machine, Meaning
from .nodes import (
    BIN,
    OP,
    ORD,
    RADICAL,
    REL,
    Atom,
    Box,
    Delimiter,
    Glue,
    HorizontalItem,
    Item,
    Lazy,
    MathList,
    Space,
    Style,
    Symbol,
)
from .text import set_text
from .typeset import SIZE_OF, set_field, set_list

_ROOT_SIGN = Delimiter(2, 0x70, 3, 0x70)
_STRUT = (10.15, 4.35)
_BIG = {r"\@big": 1.0, r"\@Big": 1.5, r"\@bigg": 2.0, r"\@Bigg": 2.5}
_FRAME_SEP, _FRAME_RULE = 3.0, 0.4
EX = 1.1148  # amsmath's \\ex@ at 12 pt


def set_apart(items: MathList, style: int) -> Box:
    r"""A list in a box of its own: $\displaystyle...$ and so on, never cramped."""
    return pack(set_list(items, style & ~1))


def _add(machine: Machine, item: Item) -> None:
    """Boxes join a math list as ordinary atoms, a text list as they are (§ 1076)."""
    frame = machine.frame
    frame.items.append(item if frame.is_text else Atom(ORD, [item]))


Build = Callable[[MathList, int, int], Box]  # contents, style, colour


def _palette(build: Build, relation: str = "inline", *, on_top: bool = False) -> Meaning:
    """A command of one math argument whose box depends on the style; "" = the argument leaves no ink.

    What is drawn above the argument comes before it in TeX's list, so it still has the colour before it.
    """

    def handler(machine: Machine, _token: str) -> None:
        argument = machine.argument()
        color = machine.colors[-1]
        items = machine.run_apart(argument)
        if not on_top:
            color = machine.colors[-1]
        parts = ((relation, items),) if relation else ()
        _add(machine, Lazy(lambda style: build(items, style, color), color, parts))

    return handler


# -- braces and arrows over and under ----------------------------------------------------------------------------


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
    return stack_up([3.0, brace, 3.0, _in_middle(body, width)])


def _under_brace(items: MathList, style: int, color: int) -> Box:
    body = set_apart(items, 0)
    brace = _brace(body.width, color, upward=True)
    width = max(body.width, brace.width)
    return stack_down([_in_middle(body, width), 3.0, brace, 3.0])


def _in_middle(box: Box, width: float) -> Box:
    return box if box.width >= width else pack([(width - box.width) / 2, box, (width - box.width) / 2])


_ARROWS = {  # left end, right end: (family, code); 2,0 is the minus sign, 0,'=' the double bar
    "right": ((2, 0x00), (2, 0x21)),
    "left": ((2, 0x20), (2, 0x00)),
    "leftright": ((2, 0x20), (2, 0x21)),
}


def arrow_line(which: str, width: float, style: int, color: int) -> Box:
    """An arrow stretched to a width: its two ends; what fills the middle adds no ink outside them."""
    size = SIZE_OF[style]
    ends = [character(Symbol(number, code, color), size) for number, code in _ARROWS[which]]
    overlap = 14 * family(2, size).params[5] / 18
    least = ends[0].width + ends[1].width - overlap
    width = max(width, least)
    height = max(
        (end.height for end, (_, code) in zip(ends, _ARROWS[which], strict=True) if code), default=0.0
    )
    return Box(width, height, 0.0, [(0.0, 0.0, ends[0]), (width - ends[1].width, 0.0, ends[1])])


def _arrow_over(which: str) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        body = set_apart(items, style)
        arrow = arrow_line(which, body.width, style & ~1, color)
        return stack_up([arrow, _in_middle(body, arrow.width)])

    return build


def _arrow_under(which: str) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        body = set_apart(items, style)
        arrow = arrow_line(which, body.width, style & ~1, color)
        return stack_down([_in_middle(body, arrow.width), 1.3 * EX, arrow])

    return build


def _labelled_arrow(which: str, margins: tuple[float, float], nudge: tuple[float, float]) -> Meaning:
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
        base = Atom(OP, arrow_line(which, width, 0, color))
        base.limits, base.extra2 = 1, color
        if has_above:
            base.sup = [Space(nudge[0]), *above, Space(nudge[1])]
        if has_below:
            base.sub = [Space(nudge[0]), *below, Space(nudge[1])]
        machine.frame.items.append(Atom(REL, [base]))

    return handler


# -- roots -------------------------------------------------------------------------------------------------------


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
    _add(machine, Lazy(build, color, parts))


# -- bold, class of an argument ----------------------------------------------------------------------------------


def apparent_class(items: MathList) -> int:
    r"""Whether something behaves like a binary operator, a relation or neither (amsbsy's \binrel@)."""
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
        Atom(kind, [Lazy(lambda style: set_apart(items, style), parts=(("inline", items),))])
    )


def _like_atom(machine: Machine, _token: str) -> None:
    r"""\overset and \underset take the class of what they decorate."""
    argument, body = machine.argument(), machine.argument()
    kind = apparent_class(machine.run_apart(argument))
    machine.input.append("}")
    machine.input.extend(body)
    machine.input.append("{")
    if kind != ORD:
        machine.input.append(r"\mathbin" if kind == BIN else r"\mathrel")


# -- phantoms and smashing ---------------------------------------------------------------------------------------


def _phantom(*, across: bool, up: bool) -> Build:
    def build(items: MathList, style: int, color: int) -> Box:
        box = set_apart(items, style)
        return Box(box.width if across else 0.0, box.height if up else 0.0, box.depth if up else 0.0)

    return build


def _smash(machine: Machine, _token: str) -> None:
    which = "".join(map(str, reversed(machine.optional_argument() or ["b", "t"])))
    argument = machine.argument()
    items = machine.run_apart(argument)

    def build(style: int) -> Box:
        box = set_apart(items, style)
        height = 0.0 if "t" in which else box.height
        depth = 0.0 if "b" in which else box.depth
        return Box(box.width, height, depth, [(0.0, 0.0, box)])

    _add(machine, Lazy(build, parts=(("inline", items),)))


def _lap(*, left: bool) -> Meaning:
    r"""\llap and \rlap: text of no width beside the spot."""

    def handler(machine: Machine, _token: str) -> None:
        argument = machine.argument()
        items = machine.run_apart(argument, text=True)
        box = set_text(items, 0)
        dx = -box.width if left else 0.0
        placed = Box(0.0, box.height, box.depth, [(dx, 0.0, box)])
        _add(machine, _fixed(placed, items))

    return handler


# -- delimiters by name ------------------------------------------------------------------------------------------


def _big(machine: Machine, token: str) -> None:
    r"""\big( and larger: the delimiter that would span a box of this height (amsmath's \bBigg@)."""
    delimiter = scan_delimiter(machine)
    paren = family(0, 0).glyph(0x28)
    assert paren is not None
    half = _BIG[token] * 1.2 * (paren.height + paren.depth) / 2
    axis = family(2, 0).params[21]
    color = machine.colors[-1]
    box = fence(delimiter, 0, (half + axis, half - axis), color, null_space=0.0)
    machine.frame.items.append(Lazy(lambda style: box, color))


# -- text, boxes and frames --------------------------------------------------------------------------------------


def text_argument(machine: Machine, number: int | None = None) -> MathList:
    """One argument run as text."""
    argument = machine.argument()
    if number is not None:
        argument.append(lambda m: _use_family(m, number))
    else:
        argument.append(lambda m: _use_family(m, m.frame.family if m.frames[-2].is_text else 0))
    return machine.run_apart(argument, text=True)


def _use_family(machine: Machine, number: int) -> None:
    machine.frame.family = number


def _text(machine: Machine, _token: str) -> None:
    items = text_argument(machine)
    _add(machine, Lazy(lambda style: set_text(items, SIZE_OF[style]), parts=(("inline", items),)))


def _text_font(machine: Machine, _token: str) -> None:
    number = int("".join(reversed([str(token) for token in machine.argument()])))
    items = text_argument(machine, number)
    _add(machine, Lazy(lambda style: set_text(items, SIZE_OF[style]), parts=(("inline", items),)))


def _fixed(box: Box, items: MathList, color: int = 0) -> Lazy:
    """A box of one size whatever the style, which remembers what is in it."""
    return Lazy(lambda style: box, color, (("inline", items),))


def _hbox(machine: Machine, _token: str) -> None:
    items = text_argument(machine)
    _add(machine, _fixed(set_text(items, 0), items))


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
        _add(machine, _fixed(framed(pack(set_list([Style(0), *body], 2)), color), body, color))
        return
    items = text_argument(machine)
    color = machine.colors[-1]
    _add(machine, _fixed(framed(set_text(items, 0), color), items, color))


def _raise_box(machine: Machine, _token: str) -> None:
    lift_tokens = machine.argument()
    lift = dimension_of(machine, lift_tokens)
    machine.optional_argument()
    machine.optional_argument()
    items = text_argument(machine)
    _add(machine, _fixed(lowered(set_text(items, 0), -lift), items))


def _rule(machine: Machine, _token: str) -> None:
    lift_tokens = machine.optional_argument()
    width, height = (dimension_of(machine, machine.argument()) for _ in range(2))
    lift = dimension_of(machine, lift_tokens) if lift_tokens is not None else 0.0
    ink = (0.0, lift, width, height + lift)
    _add(machine, Box(width, height + lift, -lift, None, ink, machine.colors[-1]))


# -- single signs ------------------------------------------------------------------------------------------------


def _sign(build: Callable[[int, int], Box]) -> Meaning:
    """A sign drawn from parts, in the colour of the moment."""

    def handler(machine: Machine, _token: str) -> None:
        color = machine.colors[-1]
        _add(machine, Lazy(lambda style: build(style, color), color))

    return handler


def _row(box: Box) -> Box:
    """A box as a line of an alignment: never a negative depth."""
    return Box(box.width, max(box.height, 0.0), max(box.depth, 0.0), [(0.0, 0.0, box)])


def _congruent(style: int, color: int) -> Box:
    size = SIZE_OF[style]
    tilde, equals = (_row(character(Symbol(f, c, color), size)) for f, c in ((2, 0x18), (0, 0x3D)))
    width = max(tilde.width, equals.width)
    return lowered(stack_up([_in_middle(tilde, width), -0.5, _in_middle(equals, width)]), 0.5)


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
    _add(machine, Lazy(lambda style: placed, color))


def _raised_dots(machine: Machine, _token: str) -> None:
    r"""\dddot's three dots: a box that reaches below itself so that they sit close to the letter."""
    dots = machine.argument()
    color = machine.colors[-1]
    dot = _dot(color)
    thin = family(0, 0).params[5] / 6
    kids = [(thin + at * dot.width, 0.6 * EX - dot.height, dot) for at in range(len(dots))]
    placed = Box(thin + len(dots) * dot.width, -1.4 * EX, 0.0, kids)
    _add(machine, Lazy(lambda style: placed, color))


def _integrals(machine: Machine, _token: str) -> None:
    r"""\iint and its kin: integral signs kerned together (amsmath's \MultiIntegral)."""
    count = int(str(machine.argument()[0]))
    sign = (OP, 3, 0x52)

    def kern(style: int) -> Box:
        return Box((-9 if style < 2 else -6) * family(2, SIZE_OF[style]).params[5] / 18, 0.0, 0.0)

    items = machine.frame.items
    for at in range(count or 2):
        if at and count:
            items.append(Lazy(kern))
        elif at:
            machine.push_back(r"\intop", r"\nolimits")
            machine.push_back(r"\cdots")
            return
        atom = Atom(OP, machine.symbol(sign))
        atom.limits = 2
        items.append(atom)


def _underscore(machine: Machine, _token: str) -> None:
    em = family(0, 0).params[5]
    machine.frame.items.append(Space(0.06 * em, False))
    _add(machine, rule(0.3 * em, 0.4, 0.0, machine.colors[-1]))


def _strut(machine: Machine, _token: str) -> None:
    _add(machine, Box(0.0, *_STRUT))


def _empty_box(machine: Machine, _token: str) -> None:
    _add(machine, Box(0.0, 0.0, 0.0))


def _choice(machine: Machine, _token: str) -> None:
    r"""\mathchoice: four lists, one for each style."""
    lists = [machine.run_apart(machine.argument()) for _ in range(4)]
    parts = (("inline", lists[1]),)
    machine.frame.items.append(Lazy(lambda style: pack(set_list(lists[style // 2], style)), parts=parts))


def _pmb(items: MathList, style: int, color: int) -> Box:
    """Poor man's bold: three copies, each a little off."""
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
        parts.append(_in_middle(row, width))
    box = stack_up(parts)
    middle = (box.height + box.depth) / 2

    def build(style: int) -> Box:
        return lowered(box, box.height - middle - family(2, SIZE_OF[style]).params[21])

    _add(machine, Lazy(build, parts=tuple((f"row {at}", items) for at, items in enumerate(contents))))


def _tag(machine: Machine, _token: str) -> None:
    r"""\tag{..}: a label at the right margin; what stands before its brace, even a star, is taken off first."""
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


def _wide_accent(machine: Machine, token: str) -> None:
    r"""\widehat and \widetilde: over more than two ems the AMS font has a wider one."""
    argument = machine.argument()
    width = set_apart(machine.run_apart(list(argument)), 2).width
    wide = width > 2 * family(0, 0).params[5]
    machine.input.append("}")
    machine.input.extend(argument)
    machine.input.append("{")
    machine.input.append(_WIDE[token][1 if wide else 0])


_WIDE = {r"\widehat": (r"\@widehat", r"\@amshat"), r"\widetilde": (r"\@widetilde", r"\@amstilde")}


def _circle(machine: Machine, token: str) -> None:
    r"""\textcircled and \copyright: a ring from a text font (its measures: TeX's tcrm1200)."""
    if token != r"\textcircled":
        machine.push_back("{", "c", "}")
    items = text_argument(machine)
    color = machine.colors[-1]
    body = set_text(items, 0)
    ring = Box(13.05235, 8.09492, 2.99927, None, (0.68, -3.0, 12.4, 8.7), color)
    kids = [((ring.width - body.width) / 2, 0.0, body), (0.0, 0.0, ring)]
    _add(machine, _fixed(Box(ring.width, ring.height, ring.depth, kids), items, color))


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


def _user_color(machine: Machine, token: str) -> None:
    r"""\color and \textcolor: ink of a colour that belongs to no token."""
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


CONSTRUCTIONS: dict[str, Meaning] = {
    r"\@overbrace": _palette(_over_brace, "braced", on_top=True),
    r"\@underbrace": _palette(_under_brace, "braced"),
    r"\overrightarrow": _palette(_arrow_over("right"), "arrowed", on_top=True),
    r"\overleftarrow": _palette(_arrow_over("left"), "arrowed", on_top=True),
    r"\overleftrightarrow": _palette(_arrow_over("leftright"), "arrowed", on_top=True),
    r"\underrightarrow": _palette(_arrow_under("right"), "arrowed"),
    r"\underleftarrow": _palette(_arrow_under("left"), "arrowed"),
    r"\underleftrightarrow": _palette(_arrow_under("leftright"), "arrowed"),
    r"\xrightarrow": _labelled_arrow("right", (5, 9), (0, 3)),
    r"\xleftarrow": _labelled_arrow("left", (9, 5), (3, 0)),
    r"\sqrt": _root,
    **dict.fromkeys(_WIDE, _wide_accent),
    r"\tag": _tag,
    r"\buildrel": _build_relation,
    r"\textcircled": _circle,
    r"\copyright": _circle,
    r"\textcopyright": _circle,
    r"\boldsymbol": _bold,
    r"\bm": _bold,
    r"\pmb": _palette(_pmb),
    r"\@likeatom": _like_atom,
    r"\phantom": _palette(_phantom(across=True, up=True), ""),
    r"\vphantom": _palette(_phantom(across=False, up=True), ""),
    r"\@hphantom": _palette(_phantom(across=True, up=False), ""),
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
    r"\@cong": _sign(_congruent),
    r"\@struckin": _sign(_not_element),
    r"\@vdots": _sign(_three_dots_up),
    r"\@dotat": _dot_at,
    r"\@raiseddots": _raised_dots,
    r"\@iint": _integrals,
    r"\strut": _strut,
    r"\_": _underscore,
    r"\@emptybox": _empty_box,
    r"\mathchoice": _choice,
    r"\@substack": _substack,
    r"\color": _user_color,
    r"\textcolor": _user_color,
}

__all__ = ["CONSTRUCTIONS", "Glue", "HorizontalItem", "set_apart", "set_field"]
