"""Layout of one formula: from source to boxes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from .boxes import Drawing
from .layout_tree import LayoutTree, build_layout_tree
from .normalise.counted_tokens import count_tokens
from .normalise.preprocess import normalise_source
from .normalise.rules import CannotColor, apply_rules
from .page import CannotPrint, print_blocks
from .presets import CdmPreset
from .synonyms import fold_synonym
from .tex.lexer import Token, tokenize
from .tex.machine import Machine
from .tex.state import CannotTypeset
from .tex.vocabulary import GROUP_MAKERS, meanings
from .unwrap import unwrap_reference, unwrap_tolerantly

MAX_CHARACTERS = 20_000
MAX_TOKENS = 3_000  # the cost matrix of two such formulas takes 72 MB, a pair 390 MB at the peak
_COMMENT = re.compile(r"(?<!\\)%")


class RenderStatus(StrEnum):
    """Whether a formula could be rendered."""

    DRAWN = "drawn"
    EMPTY = "empty"  # nothing visible
    FAILED = "failed"  # TeX would print no page
    TOO_LARGE = "too_large"  # over a size limit


@dataclass(frozen=True, slots=True)
class FormulaLayout:
    """A formula's boxes, tokens and status."""

    status: RenderStatus
    drawing: Drawing
    tokens: tuple[str, ...] = ()
    reason: str = ""
    position: int | None = None  # where the grammar failed, in characters of the source
    errors: int = 0
    numbers: tuple[int, ...] = ()  # for each box, the number of its token in `tokens`, from 1
    structure: LayoutTree | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether there is any visible token."""
        return self.status is RenderStatus.DRAWN

    def shape(self) -> object:
        """The layout tree as nested values: equal for formulas with the same marks in the same relations."""
        if self.structure is None:
            return None
        return self.structure.shape(
            {number: fold_synonym(self.tokens[number - 1]) for number in self.numbers}
        )


_NOTHING = Drawing((), 0.0, 0.0)


def lay_out(latex: str, preset: CdmPreset, *, is_prediction: bool = True) -> FormulaLayout:
    """Boxes of all visible tokens of a formula. Never raises for bad input."""
    if len(latex) > MAX_CHARACTERS:
        size = f"{len(latex):,} characters, more than {MAX_CHARACTERS:,}"
        return FormulaLayout(RenderStatus.TOO_LARGE, _NOTHING, reason=size)
    try:
        return _lay_out(_prepared(latex, preset, is_prediction), preset)
    except RecursionError:
        return FormulaLayout(RenderStatus.FAILED, _NOTHING, reason="nested too deeply")


def _prepared(latex: str, preset: CdmPreset, is_prediction: bool) -> str:
    if preset.tolerant:
        return unwrap_tolerantly(latex)
    return unwrap_reference(latex, is_prediction=is_prediction) if preset.strips_wrappers else latex


def _lay_out(latex: str, preset: CdmPreset) -> FormulaLayout:
    source = normalise_source(latex, preset.grammar)
    reason, position = (str(source.error), source.error.position) if source.error else ("", None)
    try:
        walked = count_tokens(apply_rules(source.text, keeps_limits=preset.tolerant))
    except CannotColor as why:
        return FormulaLayout(RenderStatus.FAILED, _NOTHING, reason=str(why), position=position)
    tokens = tuple(walked.tokens)
    if len(tokens) > MAX_TOKENS:
        size = f"{len(tokens):,} tokens, more than {MAX_TOKENS:,}"
        return FormulaLayout(RenderStatus.TOO_LARGE, _NOTHING, reason=size)
    machine = Machine(meanings(), GROUP_MAKERS, has_han=source.is_chinese)
    try:
        items = machine.run(_tex_input(walked.input))
        drawing, numbers = print_blocks(machine, walked.tokens, unlimited=preset.larger_paper)
    except (CannotTypeset, CannotPrint) as why:
        return FormulaLayout(RenderStatus.FAILED, _NOTHING, tokens, str(why), position, machine.errors)
    status = RenderStatus.DRAWN if drawing.boxes else RenderStatus.EMPTY
    structure = build_layout_tree(items, numbers) if preset.tolerant or drawing.boxes else None
    return FormulaLayout(status, drawing, tokens, reason, position, machine.errors, numbers, structure)


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
