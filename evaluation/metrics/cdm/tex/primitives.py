r"""Primitive commands and their effect on the machine, grouped as in The TeXbook, chapter 26."""

from __future__ import annotations

from .delimiters import NO_DELIMITER
from .dimensions import scan_dimension
from .fonts import symbol_tables
from .machine import Machine
from .nodes import (
    ACCENT,
    BIN,
    CLOSE,
    FRACTION,
    INNER,
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
    FractionSpec,
    Style,
    Symbol,
)
from .state import BrokenArgument, Meaning

_ROOT_SIGN = Delimiter(2, 0x70, 3, 0x70)


MATH_FAMILIES = {
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


def _superscript(machine: Machine, token: str) -> None:
    if machine.frame.is_text:
        machine.missing_dollar(token)
    else:
        machine.begin_script(is_sub=token in ("_", r"\sb"))


def _prime(machine: Machine, _token: str) -> None:
    r"""' means ^{\prime}; several are combined, and with a following ^."""
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
    r"""\over and similar: split the current group (§ 1181)."""
    frame = machine.frame
    if frame.fraction is not None:
        machine.error()
        return
    fraction = Atom(FRACTION, frame.items)
    fraction.extra2 = FractionSpec(thickness, left, right, machine.colors[-1])
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
    """An atom with ink of its own, in the current colour, around the next field."""
    atom.extra2 = machine.colors[-1]
    machine.frame.items.append(atom)

    def fill(field: Field) -> None:
        atom.nucleus = field

    machine.scan_field(fill)


def _radical(machine: Machine, _token: str) -> None:
    atom = Atom(RADICAL)
    atom.extra = _ROOT_SIGN
    _decorate(machine, atom)


def accent(machine: Machine, token: str) -> None:
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
    machine.push_back(r"\bgroup", lambda m: _switch_family(m, MATH_FAMILIES[token]))


def _switch_family(machine: Machine, number: int) -> None:
    """The rest of \\mathbf and similar: the family, then one argument and the end of the group."""
    machine.frame.family = number
    argument = machine.argument()
    machine.input.append(r"\egroup")
    machine.input.extend(argument)


def _family(machine: Machine, _token: str) -> None:
    machine.frame.family = int("".join(reversed([str(token) for token in machine.argument()])))


def _text_only(_machine: Machine, _token: str) -> None:
    """Size and shape switches, which math mode ignores."""


def _operator_font(machine: Machine, _token: str) -> None:
    machine.frame.family = 0


def _style(machine: Machine, token: str) -> None:
    machine.frame.items.append(Style(_STYLES[token]))


def _limits(machine: Machine, token: str) -> None:
    machine.limits({r"\displaylimits": 0, r"\limits": 1, r"\nolimits": 2}[token])


def _if_star(machine: Machine, _token: str) -> None:
    """Two alternatives: the first if a star comes next, which is consumed."""
    starred, plain = machine.argument(), machine.argument()
    machine.skip_spaces()
    if machine.input and machine.input[-1] == "*":
        machine.input.pop()
        machine.input.extend(starred)
    else:
        machine.input.extend(plain)


def _relax(_machine: Machine, _token: str) -> None:
    """Do nothing."""


def _ignore_argument(machine: Machine, _token: str) -> None:
    machine.argument()


def _error(machine: Machine, _token: str) -> None:
    machine.error()


def _misplaced_rule(machine: Machine, _token: str) -> None:
    machine.error()
    machine.argument()


HANDLERS: dict[str, Meaning] = {
    **dict.fromkeys(_KINDS, _kind),
    **dict.fromkeys(_STYLES, _style),
    **dict.fromkeys(MATH_FAMILIES, _math_family),
    **dict.fromkeys(_WIDE_ACCENTS, accent),
    "^": _superscript,
    "_": _superscript,
    r"\sp": _superscript,
    r"\sb": _superscript,
    "'": _prime,
    "#": _error,
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
    r"\vspace": _ignore_argument,
    r"\@ifstar": _if_star,
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
