r"""The token machine: TeX's main control in math mode (TeX §§ 1029-1220), with its input and its groups.

Recognisers produce every kind of broken input, so error recovery matters as much as the grammar: what TeX inserts,
drops or re-reads after an error decides which tokens are visible. Errors are counted, not raised; two things stop a
formula: an argument that never ends, and the hundredth error (TeX § 82).

Colour works as in LaTeX's `mathcolor`: no group is opened, the argument is read, scripts that follow are set in the
outer colour, and only then the colour is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cjk import CJK_FAMILY, cjk_box, is_drawable
from .fonts import BOLD
from .lexer import Token
from .macros import Macro
from .nodes import (
    ACCENT,
    INNER,
    LEFT,
    OP,
    ORD,
    RIGHT,
    WHATSIT,
    Atom,
    Box,
    DeferredBox,
    Delimiter,
    Field,
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
    MAX_ERRORS,
    MAX_STEPS,
    NULL,
    SEMI,
    SHIFT,
    BrokenArgument,
    CannotTypeset,
    Frame,
    Meaning,
    TypesetBlock,
    is_atom,
    unwrapped,
)

_NO_SCRIPT = frozenset("}{&") | {
    r"\right",
    r"\left",
    r"\\",
    r"\end",
    r"\endgroup",
    r"\quad",
    r"\qquad",
    r"\,",
}
_TEXT_CODES = {"`": 0x60, "'": 0x27, "<": 0x3C, ">": 0x3E}


class Machine:
    """Turns tokens into a math list. For one formula; `run` returns the display's list."""

    def __init__(
        self, meanings: dict[str, Meaning], group_makers: frozenset[str], *, has_han: bool = False
    ) -> None:
        self.meanings = meanings
        self.input: list[Token] = []  # last token first
        self.errors = 0
        self.steps = 0
        self.frame = Frame(BOTTOM, None)  # the innermost open group
        self.frames = [self.frame]
        self.colors = [0]  # the colour stack of the page
        self.group_makers = group_makers  # commands that expand to an implicit { first
        self.parents: list[int] = []  # colours to which mathcolor returns
        self.tag: Box | None = None  # the label at the right margin
        self.blocks: list[TypesetBlock] = []  # displays and paragraphs, top first
        self.has_han = has_han  # whether the page has a Chinese font

    # -- running -------------------------------------------------------------------------------------------------

    def run(self, tokens: Sequence[Token]) -> MathList:
        """The math list of the display; `blocks` holds more if the display ended before the input."""
        self.input = list(reversed(tokens))
        self._loop(0)
        self.end_block()
        return self.blocks[0].items

    def end_block(self) -> None:
        """Close every group and add the list so far to `blocks`."""
        self.close_all(1)
        frame = self.frames[0]
        if frame.items or frame.fraction or not self.blocks:
            self.blocks.append(TypesetBlock(self.finished(frame), frame.is_text))
        frame.items, frame.fraction = [], None

    def start_text(self) -> None:
        """End the display; a paragraph follows."""
        self.end_block()
        self.frames[0].is_text, self.frames[0].family = True, 0

    def start_display(self) -> None:
        """Start a display inside the paragraph."""
        self.end_block()
        self.frames[0].is_text, self.frames[0].family = False, -1

    def run_apart(
        self, tokens_reversed: list[Token], *, text: bool = False, bold: bool | None = None
    ) -> MathList:
        """The list of some tokens on their own, as inside a box; the surrounding input waits."""
        if len(self.frames) > MAX_DEPTH:
            raise CannotTypeset("groups nested too deeply")
        waiting, self.input = self.input, tokens_reversed
        depth = len(self.frames)
        frame = self.push(SHIFT)
        frame.is_text = text
        if not text:
            frame.family = -1
        if bold is not None:
            frame.bold = BOLD if bold else 0
        self._loop(depth)
        self.close_all(depth + 1)
        items = self.finished(self.frame)
        self._pop()
        self.input = waiting
        return items

    def _loop(self, depth: int) -> None:
        r"""Execute until the input is empty; a broken argument leaves a \par, as in TeX (§ 396)."""
        while self.input:
            try:
                self._execute()
            except BrokenArgument:
                self.input.append(r"\par")

    def _execute(self) -> None:
        stack = self.input
        meanings = self.meanings
        while stack:
            self.steps += 1
            token = stack.pop()
            if type(token) is int:
                self._color_argument(token)
            elif type(token) is str:
                frame = self.frame
                if frame.kind == ALIGN:
                    self.between_rows(token)
                    continue
                if token == " ":
                    if frame.is_text:
                        frame.items.append(" ")  # type: ignore[arg-type]
                    continue
                meaning = meanings.get(token)
                if meaning is None:
                    self._undefined(token)
                elif type(meaning) is tuple:
                    self.character(token, meaning)
                elif type(meaning) is Macro:
                    self.expand(token, meaning)
                else:
                    meaning(self, token)
            elif callable(token):
                token(self)
            if self.steps > MAX_STEPS:
                raise CannotTypeset("too many steps")

    def _undefined(self, token: str) -> None:
        if token[0] == "\\":
            self.error()
        elif self.has_han and is_drawable(token):
            symbol = Symbol(CJK_FAMILY, ord(token), self.colors[-1])
            if self.frame.is_text:
                self.frame.items.append(symbol)  # type: ignore[arg-type]
            else:
                self.frame.items.append(Atom(ORD, cjk_box(symbol.code, symbol.color, 0)))
        elif self.frame.is_text and token.isascii():
            self.frame.items.append(Symbol(self.text_family(), ord(token), self.colors[-1], True))  # type: ignore[arg-type]
        else:
            self.error()  # a character that no font of the page has

    # -- reading tokens (TeX §§ 366-407) -------------------------------------------------------------------------

    def error(self) -> None:
        """Count an error that TeX recovers from."""
        self.errors += 1
        if self.errors >= MAX_ERRORS:
            raise CannotTypeset("a hundred errors")

    def push_back(self, *tokens: Token) -> None:
        """Put tokens in front of the input; the first is read first."""
        self.input.extend(reversed(tokens))

    def skip_spaces(self) -> None:
        """Drop spaces at the front of the input."""
        stack = self.input
        while stack and stack[-1] == " ":
            stack.pop()

    def skip_filler(self) -> None:
        r"""Drop spaces and \relax, expanding macros on the way (LaTeX3's peek_remove_filler)."""
        stack = self.input
        while stack:
            token = stack[-1]
            if token == " " or token == r"\relax":
                stack.pop()
            elif type(token) is str and type(meaning := self.meanings.get(token)) is Macro:
                stack.pop()
                self.expand(token, meaning)
            elif type(token) is str and token[0] == "\\" and meaning is None:
                stack.pop()
                self.error()
            else:
                return

    def argument(self) -> list[Token]:
        """One undelimited argument, last token first (TeX § 391)."""
        self.skip_spaces()
        stack = self.input
        if not stack:
            self.error()
            return [r"\par"]  # TeX takes the \end of the page, which breaks off the display
        token = stack[-1]
        if token == "}":
            self.error()
            raise BrokenArgument
        if token != "{":
            stack.pop()
            return [token]
        depth = 0
        for index in range(len(stack) - 1, -1, -1):
            token = stack[index]
            if token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
                if depth == 0:
                    tokens = stack[index + 1 : -1]
                    del stack[index:]
                    return tokens
        raise CannotTypeset("an argument never ends")

    def optional_argument(self) -> list[Token] | None:
        """[...] if it comes next (LaTeX's look-ahead), last token first; else None."""
        self.skip_spaces()
        stack = self.input
        if not stack or stack[-1] != "[":
            return None
        depth = 0
        for index in range(len(stack) - 2, -1, -1):
            token = stack[index]
            if token == "{":
                depth += 1
            elif token == "}":
                if depth == 0:
                    self.error()
                    raise BrokenArgument
                depth -= 1
            elif token == "]" and depth == 0:
                tokens = stack[index + 1 : -1]
                del stack[index:]
                return tokens
        raise CannotTypeset("an optional argument never ends")

    def expand(self, token: str, macro: Macro) -> None:
        """Replace a macro by its expansion."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise CannotTypeset("too many steps")
        arguments = [self.argument() for _ in range(macro.arguments)]
        stack = self.input
        for part in macro.parts:
            if type(part) is int:
                stack.extend(arguments[part - 1])
            else:
                stack.append(part)

    # -- groups, and what TeX inserts when they do not match (TeX §§ 1063-1070, 1184-1191) -----------------------

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
        r"""A group's list; what came after \over is the denominator of an open fraction (§ 1184)."""
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
        """Close the innermost group."""
        frame = self._pop()
        if frame.kind == SEMI:
            self._end_semi(frame)
        elif frame.on_close is not None:
            frame.on_close(self.finished(frame))
        if frame.after:
            self.push_back(*frame.after)

    def _end_semi(self, frame: Frame) -> None:
        r"""\begingroup shares the list of the enclosing group."""
        self.frame.fraction = frame.fraction
        self.frame.items = frame.items

    def begin_semi(self) -> Frame:
        """Open a group that shares the list of the enclosing group."""
        outer = self.frame
        frame = self.push(SEMI)
        frame.items, frame.fraction = outer.items, outer.fraction
        return frame

    def close_all(self, depth: int) -> None:
        """Close groups until `depth` are open, counting each as an error (TeX's off_save, § 1064)."""
        while len(self.frames) > depth:
            self.error()
            self.insert_closer()

    def insert_closer(self) -> None:
        """Close the innermost group as its own closing token would."""
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

    # -- atoms and fields ----------------------------------------------------------------------------------------

    def symbol(self, meaning: tuple[int, int, int]) -> Symbol:
        """A character in the current family and colour."""
        kind, family, code = meaning
        frame = self.frame
        if kind == 7 and frame.family >= 0:
            family = frame.family
        return Symbol(family + frame.bold, code, self.colors[-1])

    def character(self, token: str, meaning: tuple[int, int, int]) -> None:
        """A letter, digit or symbol of the main list."""
        frame = self.frame
        if frame.is_text:
            if len(token) == 1:
                code = _TEXT_CODES.get(token, ord(token))
                frame.items.append(Symbol(self.text_family(), code, self.colors[-1], True))  # type: ignore[arg-type]
            else:
                self.missing_dollar(token)
            return
        kind = meaning[0]
        frame.items.append(Atom(ORD if kind == 7 else kind, self.symbol(meaning)))

    def missing_dollar(self, token: Token) -> None:
        """Math in text: TeX inserts a dollar sign and continues in math (§ 1047)."""
        self.error()
        self.push_back(token)
        self.begin_inline()

    def begin_inline(self) -> None:
        """$ in text."""
        frame = self.push(SHIFT, lambda items: self.frame.items.append(Atom(ORD, items)))
        frame.is_text = False
        frame.family = -1

    def text_family(self) -> int:
        """The family of the current text font."""
        return max(self.frame.family, 0)

    def scan_field(self, setter: Callable[[Field], None]) -> None:
        """Scan the next field: a character or a group (TeX § 1151)."""
        self.skip_filler()
        stack = self.input
        token = stack[-1] if stack else None
        if token == "{" or token == r"\bgroup":
            stack.pop()
            self.open_brace(lambda items: setter(unwrapped(items)), explicit=token == "{")
            return
        meaning = self.meanings.get(token) if type(token) is str else None
        if type(meaning) is tuple:
            stack.pop()
            setter(self.symbol(meaning))
            return
        if type(token) is str and token in self.group_makers:
            stack.pop()
            self.meanings[token](self, token)
            stack.pop()
            self.open_brace(lambda items: setter(unwrapped(items)), explicit=False)
            return
        self.error()  # missing { inserted
        self.open_brace(lambda items: setter(unwrapped(items)))

    def add_atom(self, kind: int) -> None:
        r"""\mathop and similar: an atom of this kind around the next field."""
        atom = Atom(kind)
        self.frame.items.append(atom)

        def fill(field: Field) -> None:
            atom.nucleus = field

        self.scan_field(fill)

    def math_group(self, *, explicit: bool) -> None:
        """{: an ordinary atom around a list (§ 1150, § 1186)."""
        items_around = self.frame.items
        atom = Atom(ORD)
        items_around.append(atom)
        index = len(items_around) - 1

        def fill(items: MathList) -> None:
            if len(items) == 1 and is_atom(items[0], ACCENT):
                items_around[index] = items[0]
            else:
                atom.nucleus = unwrapped(items)

        self.open_brace(fill, explicit=explicit)

    def script(self, *, is_sub: bool) -> Atom:
        """The atom that a script belongs to: the last one, or a new empty one (§ 1176)."""
        items = self.frame.items
        tail = items[-1] if items else None
        if not isinstance(tail, Atom) or tail.kind in (LEFT, RIGHT):
            if isinstance(tail, (Box, DeferredBox)):
                tail = Atom(ORD, [tail])
                items[-1] = tail
            else:
                tail = Atom(ORD)
                items.append(tail)
        if (tail.sub if is_sub else tail.sup) is not None:
            self.error()  # double script
            tail = Atom(ORD)
            items.append(tail)
        return tail

    def begin_script(self, *, is_sub: bool) -> None:
        """^ or _ of the main list."""
        atom = self.script(is_sub=is_sub)

        def fill(field: Field) -> None:
            if is_sub:
                atom.sub = field if field is not None else []
            else:
                atom.sup = field if field is not None else []

        self.scan_field(fill)

    def limits(self, value: int) -> None:
        r"""\limits and \nolimits belong to the operator before them."""
        items = self.frame.items
        tail = items[-1] if items else None
        if isinstance(tail, Atom) and tail.kind == OP:
            tail.limits = value
        else:
            self.error()

    def _color_argument(self, color: int) -> None:
        """Start a token's colour, queue its argument, and look for scripts after it."""
        stack = self.input
        if len(stack) > 3 and stack[-1] == "{" and stack[-3] == "}":
            token, after = stack[-2], stack[-4]
            meaning = self.meanings.get(token) if type(token) is str else None
            frame = self.frame
            if (
                type(meaning) is tuple
                and not frame.is_text
                and frame.kind != ALIGN
                and (type(after) is int or after in _NO_SCRIPT)
            ):
                del stack[-3:]
                kind, family, code = meaning
                if kind == 7:
                    kind = ORD
                    if frame.family >= 0:
                        family = frame.family
                frame.items += (WHATSIT, Atom(kind, Symbol(family + frame.bold, code, color)), WHATSIT)
                return
        argument = self.argument()
        if self.frame.is_text:
            self.error()  # \mathcolor allowed only in math mode
        if self.frame.kind == ALIGN:
            self.start_cell()
        self.parents.append(self.frame.color)
        self.set_color(color)
        stack.append(end_color)
        stack.extend(argument)

    def set_color(self, color: int) -> None:
        """Push a colour on the page's stack and make it the group's colour."""
        self.frame.color = color
        self.colors.append(color)
        if not self.frame.is_text:
            self.frame.items.append(WHATSIT)

    def reset_color(self) -> None:
        """Pop the page's colour stack."""
        if len(self.colors) > 1:
            self.colors.pop()
        if not self.frame.is_text:
            self.frame.items.append(WHATSIT)

    def between_rows(self, token: Token) -> None:
        """A token where a row may start."""
        self.frame.state.between_rows(self, token)

    def start_cell(self) -> None:
        """Begin the next cell."""
        self.frame.state.start_cell(self)


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
