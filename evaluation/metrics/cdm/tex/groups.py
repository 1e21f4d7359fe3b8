"""Opening and closing groups, and what TeX inserts when they do not match (TeX §§ 1063-1070, 1184-1191)."""

from __future__ import annotations

from collections.abc import Callable

from .nodes import (
    INNER,
    LEFT,
    RIGHT,
    Atom,
    Delimiter,
    MathList,
    Symbol,
)
from .state import (
    ALIGN,
    BOTTOM,
    BRACE,
    CELL,
    FENCE,
    MAX_DEPTH,
    NULL,
    SEMI,
    CannotTypeset,
    Frame,
    Meaning,
    is_atom,
)
from .token_input import TokenInput


class Groups(TokenInput):
    """The stack of open groups; the innermost is `frame`."""

    def __init__(self, meanings: dict[str, Meaning]) -> None:
        super().__init__(meanings)
        self.frames: list[Frame] = []
        self.frame = self._bottom()
        self.colors = [0]  # the colour stack of the page

    def _bottom(self) -> Frame:
        frame = Frame(BOTTOM, None)
        self.frames.append(frame)
        return frame

    def push(self, kind: str, on_close: Callable[[MathList], None] | None = None) -> Frame:
        """Open a group."""
        if len(self.frames) > MAX_DEPTH:
            raise CannotTypeset("groups nested too deeply")
        frame = Frame(kind, self.frame, on_close)
        self.frames.append(frame)
        self.frame = frame
        return frame

    def _pop(self) -> Frame:
        frame = self.frames.pop()
        self.frame = self.frames[-1]
        return frame

    def finished(self, frame: Frame) -> MathList:
        r"""A group's list; an open fraction takes what came after \over as its denominator (§ 1184)."""
        if frame.fraction is None:
            return frame.items
        fraction = frame.fraction
        before: MathList = []
        numerator = fraction.nucleus
        if isinstance(numerator, list) and numerator and is_atom(numerator[0], LEFT):
            before, fraction.nucleus = [numerator[0]], numerator[1:]
        after: MathList = []
        if frame.items and is_atom(frame.items[-1], RIGHT):
            after = [frame.items.pop()]
        fraction.extra = frame.items
        return [*before, fraction, *after]

    def close(self) -> None:
        """End the innermost group."""
        frame = self._pop()
        if frame.kind == SEMI:
            self._end_semi(frame)
        elif frame.on_close is not None:
            frame.on_close(self.finished(frame))
        if frame.after:
            self.push_back(*frame.after)

    def _end_semi(self, frame: Frame) -> None:
        r"""\begingroup shares the list of the group around it."""
        self.frame.fraction = frame.fraction
        self.frame.items = frame.items

    def begin_semi(self) -> Frame:
        """Open a group that keeps filling the list around it."""
        outer = self.frame
        frame = self.push(SEMI)
        frame.items, frame.fraction = outer.items, outer.fraction
        return frame

    def close_all(self, depth: int) -> None:
        """Insert what is missing until `depth` groups are left open (TeX's off_save, § 1064)."""
        while len(self.frames) > depth:
            self.error()
            self.insert_closer()

    def close_to(self, depth: int) -> None:
        """Close groups inside an alignment's cell, counting each as an error."""
        while len(self.frames) > depth:
            self.error()
            self.insert_closer()

    def insert_closer(self) -> None:
        """Close the innermost group with what would have closed it."""
        kind = self.frame.kind
        if kind == FENCE:
            self.end_fence(None)
        elif kind == CELL:
            self.frame.state.end_cell(self)
        elif kind == ALIGN:
            self.frame.state.finish(self)
        else:
            self.close()

    def open_brace(self, on_close: Callable[[MathList], None], *, explicit: bool = True) -> Frame:
        """Open a math group whose list goes to `on_close`."""
        frame = self.push(BRACE, on_close)
        frame.explicit = explicit
        return frame

    def right_brace(self) -> None:
        """}: ends a brace group, is dropped anywhere else (§ 1069)."""
        if self.frame.kind == BRACE:
            self.close()
        else:
            self.error()

    def end_fence(self, delimiter: Delimiter | None) -> None:
        r"""\right: the fenced list becomes one inner atom."""
        frame = self.frame
        right = Atom(RIGHT, Symbol(0, 0, self.colors[-1]))
        right.extra = delimiter or NULL
        frame.items.append(right)
        self._pop()
        self.frame.items.append(Atom(INNER, self.finished(frame)))
        if frame.after:
            self.push_back(*frame.after)
