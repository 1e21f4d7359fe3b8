r"""\begin and \end: the alignments and fences of environments (LaTeX kernel, amsmath)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..name_lists import split_names
from .alignment import COLUMN_SEP, Alignment, ArrayColumn
from .box_commands import EX
from .fonts import family
from .lexer import Token
from .machine import Machine
from .state import ALIGN, BOTTOM, SEMI, CannotTypeset, Meaning

_FENCES = {
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": (r"\lbrace", r"\rbrace"),
    "vmatrix": (r"\lvert", r"\rvert"),
    "Vmatrix": (r"\lVert", r"\rVert"),
    "cases": (r"\lbrace", "."),
}
_MATRICES = {"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix"}
_ARRAYS = {"array", "tabular", "smallmatrix", "cases", "dcases", "rcases", "subarray"} | _MATRICES
_ALIGNED = {"aligned", "alignedat", "split", "gathered"}
# Displays inside a display: amsmath reports an error and discards the body.
_SWALLOWED = frozenset(
    split_names("gather gather* align align* alignat alignat* flalign flalign* multline multline* xalignat")
)
_HARMLESS = frozenset(
    split_names(
        "displaymath equation equation* math center small document image minipage figure table itemize"
    )
)
_STEP, _GAP = 17.5, 4.0  # \baselineskip and \lineskip opened up by \jot


def _name(machine: Machine) -> str:
    """An environment's name; a name with commands in it stops TeX."""
    tokens = machine.argument()
    if any(callable(token) for token in tokens):
        raise CannotTypeset("an environment without a name")
    return "".join(map(str, reversed(tokens))).strip()


def parse_columns(tokens: Sequence[Token]) -> list[ArrayColumn]:
    """A column specification such as `l|cr@{}`; unknown specifications are ignored, as in LaTeX."""
    columns: list[ArrayColumn] = []
    rules = 0
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token in ("l", "c", "r"):
            columns.append(ArrayColumn(str(token), rules=rules))
            rules = 0
        elif token == "|":
            rules += 1
        elif token in ("p", "m", "b"):
            columns.append(ArrayColumn("l", rules=rules))
            index = _skip_group(tokens, index)
        elif token in ("@", "!", ">", "<"):
            if token == "@" and columns:
                columns[-1].right = 0.0
            index = _skip_group(tokens, index)
        elif token == "*":
            end = _skip_group(tokens, index)
            count = "".join(map(str, tokens[index + 1 : end - 1]))
            body_end = _skip_group(tokens, end)
            inner = parse_columns(tokens[end + 1 : body_end - 1])
            for _ in range(min(int(count) if count.isdecimal() else 0, 100)):
                columns += [ArrayColumn(c.align, c.left, c.right, c.rules) for c in inner]
            index = body_end
    return columns or [ArrayColumn("c")]


def _skip_group(tokens: Sequence[Token], index: int) -> int:
    if index >= len(tokens) or tokens[index] != "{":
        return index + 1
    depth = 0
    for end in range(index, len(tokens)):
        depth += (tokens[end] == "{") - (tokens[end] == "}")
        if depth == 0:
            return end + 1
    return len(tokens)


def _begin(machine: Machine, _token: str) -> None:
    if machine.frame.kind == ALIGN:
        machine.start_cell()
    name = _name(machine)
    if name in _SWALLOWED:
        _swallow(machine, name)
        return
    if name not in _ARRAYS and name not in _ALIGNED:
        if name not in _HARMLESS:
            machine.error()
        machine.begin_semi().state = name if name in _HARMLESS else None
        return
    machine.begin_semi().state = name
    if name in _FENCES:
        machine.push_back(r"\left", _FENCES[name][0], _starter(name))
    else:
        _starter(name)(machine)


def _starter(name: str) -> Callable[[Machine], None]:
    """A command that opens the alignment of an environment."""

    def start(machine: Machine) -> None:
        if name in ("array", "tabular", "subarray"):
            if name != "subarray":
                machine.optional_argument()
            spec = list(reversed(machine.argument()))
            Alignment(parse_columns(spec), is_text=name == "tabular").start(machine)
        elif name in _MATRICES:
            Alignment([ArrayColumn("c") for _ in range(10)], shrink_sides=COLUMN_SEP).start(machine)
        elif name == "smallmatrix":
            thick = 5 * family(2, 0).params[5] / 18
            columns = [ArrayColumn("c", 0.0 if index == 0 else thick, 0.0) for index in range(10)]
            Alignment(columns, style=4, stretch=0.0, line_step=6 * EX, line_gap=1.5 * EX).start(machine)
        elif name in ("cases", "dcases", "rcases"):
            quad = family(0, 0).params[5]
            columns = [ArrayColumn("l", 0.0, quad), ArrayColumn("l", 0.0, 0.0)]
            Alignment(columns, style=0 if name == "dcases" else 2, stretch=1.2).start(machine)
        else:
            if name == "alignedat":
                machine.argument()
            elif name != "split":
                machine.optional_argument()
            aligns = "c" if name == "gathered" else "rl"
            columns = [
                ArrayColumn(aligns[index % len(aligns)], 0.0, 0.0)
                for index in range(1 if aligns == "c" else 2)
            ]
            alignment = Alignment(columns, style=0, line_step=_STEP, line_gap=_GAP, repeats=aligns != "c")
            alignment.start(machine)

    return start


def _swallow(machine: Machine, name: str) -> None:
    """Read an environment to its end and discard it."""
    machine.error()
    depth = 1
    stack = machine.input
    while stack:
        token = stack.pop()
        if token in (r"\begin", r"\end") and stack and stack[-1] == "{":
            inner = _name(machine)
            if inner == name:
                depth += 1 if token == r"\begin" else -1
                if depth == 0:
                    return
    raise CannotTypeset("an environment never ends")


def _end(machine: Machine, _token: str) -> None:
    name = _name(machine)
    if name in ("displaymath", "document"):
        machine.error()
        machine.input.clear()
        return

    def check(machine: Machine) -> None:
        for frame in reversed(machine.frames):
            if frame.kind == SEMI:
                if frame.state != name:
                    machine.error()
                break
        if machine.frame.kind == BOTTOM:
            machine.error()
            return
        machine.push_back(r"\endgroup")

    actions: list[Token] = []
    if name in _ARRAYS or name in _ALIGNED:
        actions += [r"\crcr", _finish]
        if name in _FENCES:
            actions += [r"\right", _FENCES[name][1]]
    machine.push_back(*actions, check)


def _finish(machine: Machine) -> None:
    """The end of an alignment; outside one, two stray closing braces."""
    if machine.frame.kind == ALIGN:
        machine.frame.state.finish(machine)
    else:
        machine.right_brace()
        machine.right_brace()


HANDLERS: dict[str, Meaning] = {r"\begin": _begin, r"\end": _end}
