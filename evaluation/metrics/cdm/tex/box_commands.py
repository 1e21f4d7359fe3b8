"""Shared by commands that build boxes: running an argument, placing the result, recording its contents."""

from __future__ import annotations

from collections.abc import Callable

from .boxes import pack
from .machine import Machine
from .nodes import (
    ORD,
    Atom,
    Box,
    DeferredBox,
    Item,
    MathList,
)
from .state import Meaning
from .typeset import set_list

EX = 1.1148  # amsmath's \\ex@ at 12 pt


def set_apart(items: MathList, style: int) -> Box:
    r"""A list in its own box: $\displaystyle...$ and so on, never cramped."""
    return pack(set_list(items, style & ~1))


def add_item(machine: Machine, item: Item) -> None:
    """Add a box: as an ordinary atom to a math list, unchanged to a text list (§ 1076)."""
    frame = machine.frame
    frame.items.append(item if frame.is_text else Atom(ORD, [item]))


Build = Callable[[MathList, int, int], Box]  # contents, style, colour


def palette(build: Build, relation: str = "inline", *, on_top: bool = False) -> Meaning:
    """A command with one math argument whose box depends on the style. relation "": the argument is invisible.

    on_top: what is drawn above the argument precedes it in TeX's list, so it has the colour before the argument.
    """

    def handler(machine: Machine, _token: str) -> None:
        argument = machine.argument()
        color = machine.colors[-1]
        items = machine.run_apart(argument)
        if not on_top:
            color = machine.colors[-1]
        parts = ((relation, items),) if relation else ()
        add_item(machine, DeferredBox(lambda style: build(items, style, color), color, parts))

    return handler


def in_middle(box: Box, width: float) -> Box:
    return box if box.width >= width else pack([(width - box.width) / 2, box, (width - box.width) / 2])


def text_argument(machine: Machine, number: int | None = None) -> MathList:
    """One argument, run in text mode."""
    argument = machine.argument()
    if number is not None:
        argument.append(lambda m: _use_family(m, number))
    else:
        argument.append(lambda m: _use_family(m, m.frame.family if m.frames[-2].is_text else 0))
    return machine.run_apart(argument, text=True)


def _use_family(machine: Machine, number: int) -> None:
    machine.frame.family = number


def fixed(box: Box, items: MathList, color: int = 0) -> DeferredBox:
    """A box that does not depend on the style, with its contents recorded."""
    return DeferredBox(lambda style: box, color, (("inline", items),))
