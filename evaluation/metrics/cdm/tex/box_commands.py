"""What commands that build boxes share: running an argument, placing the result, remembering what is inside."""

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
    r"""A list in a box of its own: $\displaystyle...$ and so on, never cramped."""
    return pack(set_list(items, style & ~1))


def add_item(machine: Machine, item: Item) -> None:
    """Boxes join a math list as ordinary atoms, a text list as they are (§ 1076)."""
    frame = machine.frame
    frame.items.append(item if frame.is_text else Atom(ORD, [item]))


Build = Callable[[MathList, int, int], Box]  # contents, style, colour


def palette(build: Build, relation: str = "inline", *, on_top: bool = False) -> Meaning:
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
        add_item(machine, DeferredBox(lambda style: build(items, style, color), color, parts))

    return handler


def in_middle(box: Box, width: float) -> Box:
    return box if box.width >= width else pack([(width - box.width) / 2, box, (width - box.width) / 2])


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


def fixed(box: Box, items: MathList, color: int = 0) -> DeferredBox:
    """A box of one size whatever the style, which remembers what is in it."""
    return DeferredBox(lambda style: box, color, (("inline", items),))
