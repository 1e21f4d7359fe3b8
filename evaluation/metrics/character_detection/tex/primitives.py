r"""Commands that act: what each does to the machine. Grouped as in The TeXbook, chapter 26."""

from __future__ import annotations

from functools import lru_cache

from . import alignment, environments, framing, signs, stretched
from .delimiter_names import scan_delimiter
from .delimiters import NO_DELIMITER
from .dimensions import scan_dimension, scan_glue
from .fonts import symbol_tables
from .machine import Machine
from .nodes import (
    ACCENT,
    BIN,
    CLOSE,
    FRACTION,
    INNER,
    LEFT,
    MIDDLE,
    NONSCRIPT,
    OP,
    OPEN,
    ORD,
    OVER,
    PUNCT,
    RADICAL,
    REL,
    UNDER,
    VCENTER,
    Atom,
    Delimiter,
    Field,
    Space,
    Split,
    Style,
    Symbol,
)
from .prelude import definitions
from .state import BOTTOM, BRACE, CELL, FENCE, SEMI, SHIFT, BrokenArgument, Meaning

_ROOT_SIGN = Delimiter(2, 0x70, 3, 0x70)
# What a keyboard character stands for in math (LaTeX's \DeclareMathSymbol list and plain TeX's mathcodes).
_KEYS = {"`": (0, 0, 0x60), "@": (7, 0, 0x40), '"': (0, 0, 0x22), ".": (7, 1, 0x3A)}
_SYNONYMS = {
    r"\@sum": r"\sum",
    r"\@prod": r"\prod",
    r"\@coprod": r"\coprod",
    r"\@bigcap": r"\bigcap",
    r"\@bigcup": r"\bigcup",
    r"\@bigsqcup": r"\bigsqcup",
    r"\@biguplus": r"\biguplus",
    r"\@bigodot": r"\bigodot",
    r"\@bigoplus": r"\bigoplus",
    r"\@bigotimes": r"\bigotimes",
    r"\@bigvee": r"\bigvee",
    r"\@bigwedge": r"\bigwedge",
    r"\dag": r"\dagger",
    r"\ddag": r"\ddagger",
    r"\Doteq": r"\doteqdot",
    r"\restriction": r"\upharpoonright",
    r"\doublecup": r"\Cup",
    r"\doublecap": r"\Cap",
    r"\llless": r"\lll",
    r"\gggtr": r"\ggg",
    r"\Box": r"\square",
    r"\Diamond": r"\lozenge",
    r"\leadsto": r"\rightsquigarrow",
    r"\upvarrho": r"\uprho",
    r"\upvarsigma": r"\upsigma",
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\dabar@": r"\dabar@",
}
_EXTRA_SYMBOLS = {
    r"\@surd": (1, 2, 0x70),
    r"\hbar": (0, 6, 0x7E),
    r"\angle": (0, 5, 0x5C),
    r"\rightleftharpoons": (3, 5, 0x0A),
    r"\@dashright": (0, 5, 0x4B),
    r"\@dashleft": (0, 5, 0x4C),
    r"\dabar@": (0, 5, 0x39),
    r"\@yen": (0, 5, 0x55),
    r"\@checkmark": (0, 5, 0x58),
    r"\@circledR": (0, 5, 0x72),
    r"\@maltese": (0, 5, 0x7A),
    r"\@pounds": (7, 0, 0x24),
    r"\@backquote": (0, 0, 0x60),
    r"\#": (0, 0, 0x23),
    r"\%": (0, 0, 0x25),
    r"\&": (0, 0, 0x26),
    r"\ulcorner": (4, 5, 0x70),
    r"\urcorner": (5, 5, 0x71),
    r"\llcorner": (4, 5, 0x78),
    r"\lrcorner": (5, 5, 0x79),
    r"\i": (0, 0, 0x10),
    r"\j": (0, 0, 0x11),
    r"\ss": (0, 0, 0x19),
    r"\ae": (0, 0, 0x1A),
    r"\oe": (0, 0, 0x1B),
    r"\o": (0, 0, 0x1C),
    r"\AE": (0, 0, 0x1D),
    r"\OE": (0, 0, 0x1E),
    r"\O": (0, 0, 0x1F),
}
_MATH_FAMILIES = {
    r"\mathrm": 0,
    r"\mathnormal": 1,
    r"\mathcal": 2,
    r"\mathbb": 6,
    r"\mathfrak": 7,
    r"\mathbf": 8,
    r"\mathsf": 9,
    r"\mathtt": 10,
    r"\mathit": 11,
}
_KINDS = {
    r"\mathord": ORD,
    r"\mathop": OP,
    r"\mathbin": BIN,
    r"\mathrel": REL,
    r"\mathopen": OPEN,
    r"\mathclose": CLOSE,
    r"\mathpunct": PUNCT,
    r"\mathinner": INNER,
    r"\vcenter": VCENTER,
}
_WIDE_ACCENTS = {
    r"\@widehat": (0, 3, 0x62),
    r"\@widetilde": (0, 3, 0x65),
    r"\@amshat": (0, 6, 0x5B),
    r"\@amstilde": (0, 6, 0x5D),
}
_STYLES = {r"\displaystyle": 0, r"\textstyle": 2, r"\scriptstyle": 4, r"\scriptscriptstyle": 6}


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


def _superscript(machine: Machine, token: str) -> None:
    if machine.frame.is_text:
        machine.missing_dollar(token)
    else:
        machine.begin_script(is_sub=token in ("_", r"\sb"))


def _prime(machine: Machine, _token: str) -> None:
    r"""' stands for ^{\prime}, several for several, and takes in a following ^."""
    if machine.frame.is_text:
        machine.frame.items.append(Symbol(machine.text_family(), 0x27, machine.colors[-1], True))  # type: ignore[arg-type]
        return
    stack = machine.input
    primes = 1
    while stack and stack[-1] == "'":
        stack.pop()
        primes += 1
    tail: list[str] = ["}"]
    if stack and stack[-1] == "^":
        stack.pop()
        try:
            argument = machine.argument()
        except BrokenArgument:
            argument = []
        stack.append("}")
        stack.extend(argument)
        tail = []
    stack.extend([*tail, *[r"\prime"] * primes, "{", "^"])


def _infix(machine: Machine, thickness: float | None, left: Delimiter, right: Delimiter) -> None:
    r"""\over and its kin split the group they stand in (§ 1181)."""
    frame = machine.frame
    if frame.fraction is not None:
        machine.error()
        return
    fraction = Atom(FRACTION, frame.items)
    fraction.extra2 = Split(thickness, left, right, machine.colors[-1])
    frame.fraction = fraction
    frame.items = []


def _over(machine: Machine, _token: str) -> None:
    _infix(machine, None, NO_DELIMITER, NO_DELIMITER)


def _atop(machine: Machine, _token: str) -> None:
    _infix(machine, 0.0, NO_DELIMITER, NO_DELIMITER)


def _choose(machine: Machine, _token: str) -> None:
    tables = symbol_tables()["delimiters"]
    _infix(machine, 0.0, Delimiter(*tables["("]), Delimiter(*tables[")"]))


def _above(machine: Machine, _token: str) -> None:
    _infix(machine, scan_dimension(machine), NO_DELIMITER, NO_DELIMITER)


def _kind(machine: Machine, token: str) -> None:
    machine.add_atom(_KINDS[token])


def _bar(machine: Machine, token: str) -> None:
    _decorate(machine, Atom(OVER if token == r"\@overline" else UNDER))


def _decorate(machine: Machine, atom: Atom) -> None:
    """An atom with ink of its own, in the colour of the moment, around the field that follows."""
    atom.extra2 = machine.colors[-1]
    machine.frame.items.append(atom)

    def fill(field: Field) -> None:
        atom.nucleus = field

    machine.scan_field(fill)


def _radical(machine: Machine, _token: str) -> None:
    atom = Atom(RADICAL)
    atom.extra = _ROOT_SIGN
    _decorate(machine, atom)


def _accent(machine: Machine, token: str) -> None:
    takes_family, family, code = _WIDE_ACCENTS.get(token) or symbol_tables()["accents"][token]
    frame = machine.frame
    if takes_family and frame.family >= 0:
        family = frame.family
    argument = machine.argument()
    atom = Atom(ACCENT)
    atom.extra = Symbol(family + frame.bold, code, machine.colors[-1])
    frame.items.append(atom)

    def fill(field: Field) -> None:
        atom.nucleus = field

    machine.input.append("}")
    machine.input.extend(argument)
    machine.input.append("{")
    machine.scan_field(fill)


def _math_family(machine: Machine, token: str) -> None:
    r"""\mathbf{..}: a group in another family around one argument."""
    if machine.frame.is_text:
        machine.missing_dollar(token)
        return
    machine.push_back(r"\bgroup", lambda m: _switch_family(m, _MATH_FAMILIES[token]))


def _switch_family(machine: Machine, number: int) -> None:
    """The rest of \\mathbf and its kin: the family, then one argument and the group's end."""
    machine.frame.family = number
    argument = machine.argument()
    machine.input.append(r"\egroup")
    machine.input.extend(argument)


def _family(machine: Machine, _token: str) -> None:
    machine.frame.family = int("".join(reversed([str(token) for token in machine.argument()])))


def _text_only(_machine: Machine, _token: str) -> None:
    """Size and shape switches that math ignores."""


def _operator_font(machine: Machine, _token: str) -> None:
    machine.frame.family = 0


def _style(machine: Machine, token: str) -> None:
    machine.frame.items.append(Style(_STYLES[token]))


def _limits(machine: Machine, token: str) -> None:
    machine.limits({r"\displaylimits": 0, r"\limits": 1, r"\nolimits": 2}[token])


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


def _if_star(machine: Machine, _token: str) -> None:
    """Two alternatives: the first one if a star comes next, which it takes."""
    starred, plain = machine.argument(), machine.argument()
    machine.skip_spaces()
    if machine.input and machine.input[-1] == "*":
        machine.input.pop()
        machine.input.extend(starred)
    else:
        machine.input.extend(plain)


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


def _relax(_machine: Machine, _token: str) -> None:
    """Nothing."""


def _ignore_argument(machine: Machine, _token: str) -> None:
    machine.argument()


def _error(machine: Machine, _token: str) -> None:
    machine.error()


def _misplaced_rule(machine: Machine, _token: str) -> None:
    machine.error()
    machine.argument()


def _nonscript(machine: Machine, _token: str) -> None:
    machine.frame.items.append(NONSCRIPT)


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
    r"""\] ends a display; what is left open in it is closed first."""
    inline = next((f for f in reversed(machine.frames) if f.kind in (SHIFT, CELL)), None)
    if token == r"\)" and inline is not None and inline.on_close is not None and machine.frame is inline:
        machine.close()
    elif token == r"\)" or inline is not None or machine.frame.is_text:
        machine.error()
    else:
        machine.start_text()


GROUP_MAKERS = frozenset(_MATH_FAMILIES)


@lru_cache(maxsize=1)
def meanings() -> dict[str, Meaning]:
    """Every token TeX, LaTeX and amsmath give a meaning to here."""
    table: dict[str, Meaning] = {name: tuple(row) for name, row in symbol_tables()["symbols"].items()}
    table.update(_KEYS)
    table.update(_EXTRA_SYMBOLS)
    for alias, name in _SYNONYMS.items():
        if name in table:
            table[alias] = table[name]
    table.update(definitions())
    table.update(dict.fromkeys(_KINDS, _kind))
    table.update(dict.fromkeys(_STYLES, _style))
    table.update(dict.fromkeys(_MATH_FAMILIES, _math_family))
    table.update(dict.fromkeys([*symbol_tables()["accents"], *_WIDE_ACCENTS], _accent))
    table.update(_HANDLERS)
    for module in (stretched, framing, signs):
        table.update(module.HANDLERS)
    table.update(alignment.HANDLERS)
    table.update(environments.HANDLERS)
    table[r"\Join"] = table[r"\bowtie"]
    return table


_HANDLERS: dict[str, Meaning] = {
    "{": _open_brace,
    "}": _close_brace,
    r"\bgroup": _open_brace,
    r"\egroup": _close_brace,
    r"\begingroup": _begingroup,
    r"\endgroup": _endgroup,
    "^": _superscript,
    "_": _superscript,
    r"\sp": _superscript,
    r"\sb": _superscript,
    "'": _prime,
    "$": _dollar,
    "#": _error,
    "~": _control_space,
    r"\ ": _control_space,
    r"\nobreakspace": _control_space,
    r"\space": _control_space,
    r"\left": _left,
    r"\right": _right,
    r"\middle": _middle,
    r"\over": _over,
    r"\@over": _over,
    r"\atop": _atop,
    r"\@choose": _choose,
    r"\above": _above,
    r"\@overline": _bar,
    r"\@underline": _bar,
    r"\sqrtsign": _radical,
    r"\@fam": _family,
    r"\@operatorfont": _operator_font,
    r"\@textonly": _text_only,
    r"\limits": _limits,
    r"\nolimits": _limits,
    r"\displaylimits": _limits,
    r"\mskip": _mu_space,
    r"\mkern": _mu_space,
    r"\kern": _space,
    r"\hskip": _space,
    r"\@medspace": _medium_space,
    r"\@nomedspace": _no_medium_space,
    r"\hspace": _hspace,
    r"\vspace": _ignore_argument,
    r"\@ifstar": _if_star,
    r"\nonscript": _nonscript,
    r"\par": _par,
    r"\[": _display_begin,
    r"\(": _display_begin,
    r"\]": _display_end,
    r"\)": _display_end,
    **dict.fromkeys([r"\hline", r"\toprule", r"\midrule", r"\bottomrule"], _error),
    r"\cline": _misplaced_rule,
    r"\cmidrule": _misplaced_rule,
    **dict.fromkeys(
        [
            r"\relax",
            r"\protect",
            r"\allowbreak",
            r"\nobreak",
            r"\break",
            r"\nonumber",
            r"\notag",
            r"\hfill",
            r"\hfil",
            r"\hss",
            r"\ignorespaces",
            r"\unskip",
            r"\boldmath",
            r"\unboldmath",
            r"\normalsize",
            r"\tiny",
            r"\scriptsize",
            r"\footnotesize",
            r"\small",
            r"\large",
            r"\Large",
            r"\LARGE",
            r"\huge",
            r"\Huge",
            r"\centering",
            r"\raggedright",
            r"\displaybreak",
            r"\limits@",
            r"\/",
            r"\-",
            r"\smallskip",
            r"\medskip",
            r"\bigskip",
            r"\noindent",
            r"\normalfont",
            r"\rmfamily",
            r"\bfseries",
            r"\itshape",
            r"\upshape",
            r"\mdseries",
            r"\selectfont",
            r"\null",
        ],
        _relax,
    ),
}
