"""One formula from source to boxes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from .boxes import Drawing
from .normalise.rules import CannotColor, apply_rules
from .normalise.source import normalise_source
from .normalise.walk import walk
from .page import Paper, collect_ink, draw, fit_line, paper_size
from .tex.boxes import pack
from .tex.lexer import Token, tokenize
from .tex.machine import CannotTypeset, Machine
from .tex.primitives import GROUP_MAKERS, meanings
from .tex.typeset import set_list

_COMMENT = re.compile(r"(?<!\\)%")


class Rendering(StrEnum):
    """What became of a formula."""

    DRAWN = "drawn"
    EMPTY = "empty"  # nothing visible
    FAILED = "failed"  # no page comes out


@dataclass(frozen=True, slots=True)
class Layout:
    """A formula's boxes and how they came about."""

    status: Rendering
    drawing: Drawing
    tokens: tuple[str, ...] = ()
    reason: str = ""
    position: int | None = None  # where the grammar was left, in characters of the source
    errors: int = 0
    details: dict[str, object] = field(default_factory=dict)


_NOTHING = Drawing((), 0.0, 0.0)


def lay_out(latex: str) -> Layout:
    """Boxes of all visible tokens of a formula; never raises for bad input."""
    source = normalise_source(latex)
    reason, position = (str(source.error), source.error.position) if source.error else ("", None)
    try:
        walked = walk(apply_rules(source.text))
    except CannotColor as why:
        return Layout(Rendering.FAILED, _NOTHING, reason=str(why), position=position)
    machine = Machine(meanings(), GROUP_MAKERS)
    machine.han = source.is_chinese
    size = paper_size(len(walked.tokens))
    paper = Paper.of_size(size)
    try:
        items = machine.run(_tex_input(walked.input))
        line = set_list(items, 0, outer=True)
    except CannotTypeset as why:
        return Layout(Rendering.FAILED, _NOTHING, tuple(walked.tokens), str(why), position, machine.errors)
    box = pack(fit_line(line, paper.text_width))
    if box.height + box.depth > paper.text_height - 7:
        return Layout(
            Rendering.FAILED, _NOTHING, tuple(walked.tokens), "two pages", position, machine.errors
        )
    margin = (paper.width - paper.text_width) / 2
    x = margin + max(0.0, (paper.text_width - box.width) / 2)
    y = (paper.height - paper.text_height) / 2 + 24 + max(14.5, box.height + 1)
    drawing = draw(collect_ink(box, x, y), paper, walked.tokens)
    status = Rendering.DRAWN if drawing.boxes else Rendering.EMPTY
    return Layout(status, drawing, tuple(walked.tokens), reason, position, machine.errors)


def _tex_input(parts: list[str | int]) -> list[Token]:
    tokens: list[Token] = []
    for part in parts:
        if type(part) is int or part == "{" or part == "}":
            tokens.append(part)
            continue
        assert isinstance(part, str)
        tokens += tokenize(part)
        if "%" in part and _COMMENT.search(part):
            break
    return tokens
