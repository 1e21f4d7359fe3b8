r"""The end of a coloured token, as LaTeX's `mathcolor` does it: look for scripts, then restore the colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .nodes import (
    MathList,
)
from .state import (
    ALIGN,
    unwrapped,
)

if TYPE_CHECKING:
    from .machine import Machine


def end_color(machine: Machine) -> None:
    """After a coloured token: its scripts belong to it but are set in the colour around it."""
    stack = machine.input
    machine.skip_filler()
    token = stack[-1] if stack else None
    if machine.frame.kind == ALIGN:
        token = None
    if token == "^" or token == "_" or token == "'":
        if token == "'":
            stack.pop()
            stack.extend(("}", r"\prime", "{", "^"))
            token = "^"
        stack.pop()
        _script_in_outer_color(machine, is_sub=token == "_")
    elif token in (r"\limits", r"\nolimits", r"\displaylimits"):
        stack.pop()
        stack.append(end_color)
        stack.append(token)
    else:
        machine.reset_color()
        if machine.parents:
            machine.frame.color = machine.parents.pop()


def _script_in_outer_color(machine: Machine, *, is_sub: bool) -> None:
    if machine.frame.is_text:
        machine.missing_dollar(end_color)
        return
    atom = machine.script(is_sub=is_sub)

    def fill(items: MathList) -> None:
        field = unwrapped(items)
        if is_sub:
            atom.sub = field if field is not None else []
        else:
            atom.sup = field if field is not None else []

    machine.open_brace(fill, explicit=False)
    machine.math_group(explicit=True)
    inner = machine.frame
    inner.after = (lambda m: m.reset_color(), r"\egroup", end_color)
    machine.set_color(machine.parents[-1] if machine.parents else 0)
    stack = machine.input
    machine.skip_filler()
    if stack and (stack[-1] == "{" or stack[-1] == r"\bgroup"):
        stack.pop()
        return
    argument = machine.argument()
    stack.append(r"\egroup")
    stack.extend(argument)
