r"""Extraction of the blocks of a Markdown page: tables, formulas, code, paragraphs.

In OmniDocBench's order (later steps do not see what earlier ones took): remove images and fences, then extract LaTeX
tables, HTML tables, formulas, pipe tables and fenced code, and split the rest at blank lines. Extracted text is
replaced by blanks of the same length, so offsets stay valid. No step depends on a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching.blocks import Block, BlockKind
from evaluation.metrics.table.pipe_table import find_pipe_tables

MAX_PAGE = 500_000
"""Longest page that is matched, in characters."""

_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)")
_FENCE_START = re.compile(r"^```(?:markdown|html|latex)\n?", re.MULTILINE)
_FENCE_END = re.compile(r"```\n?$", re.MULTILINE)
_LONG_RUN = re.compile(r"_{4,}| {4,}")
_DOCUMENT_TAG = re.compile(r"</?(?:html|body)>")
_LATEX_TABLE = re.compile(r"\\(begin|end)\{(table\*?|tabular\*?)\}")
_HTML_TABLE = re.compile(r"<(/?)table\b[^>]*>")
_FORMULA_MARK = re.compile(r"\$\$?|\\[\[(]")
_CLOSING = {"$$": "$$", "\\[": "\\]", "$": "$", "\\(": "\\)"}
_DISPLAY_MARKS = frozenset({"$$", "\\["})
_CODE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
_WRAPPER = re.compile(r"\\(?:title|section\*?|text)\s*\{\s*([^{}]*?)\s*\}")
_WHOLE_LINE = re.compile(r"\$([^$\n]+)\$")
_PARAGRAPH = re.compile(r"\n\n")


def extract_blocks(page: str) -> list[Block]:
    r"""The blocks of a page in reading order. Raises TooLarge over MAX_PAGE.

    >>> [(block.kind.value, block.content) for block in extract_blocks("so\n\n$$x^2$$\n\nand $y$")]
    [('text', 'so'), ('formula', '\\[x^2\\]'), ('text', 'and $y$'), ('formula', '\\[y\\]')]
    """
    if len(page) > MAX_PAGE:
        raise TooLarge(f"the page has {len(page)} characters; at most {MAX_PAGE} are matched (MAX_PAGE)")
    text = _clean(page)
    blocks: list[Block] = []
    for cut in (_latex_tables, _html_tables, _formulas, _pipe_tables, _code):
        spans = list(cut(text))
        blocks += [block for block, _ in spans]
        text = _blank_out(text, [(block.start, stop) for block, stop in spans if not block.is_inline])
    blocks += _paragraphs(text)
    whole_lines = {block.start for block in blocks if block.origin == "line"}
    listed = (block for block in blocks if not (block.is_inline and block.start in whole_lines))
    return sorted(listed, key=lambda block: block.start)


def _clean(page: str) -> str:
    text = _IMAGE.sub("", page.replace("\r\n", "\n").replace("\r", "\n"))
    text = _FENCE_END.sub("", _FENCE_START.sub("", text))
    text = _LONG_RUN.sub(lambda run: run.group()[:4], text)
    return _DOCUMENT_TAG.sub("", text)


def _blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, stop in sorted(spans):
        parts += [text[position:start], " " * (stop - start)]
        position = stop
    return "".join([*parts, text[position:]])


def _latex_tables(text: str) -> Iterator[tuple[Block, int]]:
    """Outermost table or tabular environments; one without an end is text."""
    for start, stop in _nested_spans(
        (mark.start(), mark.end(), mark.group(1) == "begin") for mark in _LATEX_TABLE.finditer(text)
    ):
        yield Block(BlockKind.TABLE, text[start:stop], start, "latex"), stop


def _html_tables(text: str) -> Iterator[tuple[Block, int]]:
    """Outermost HTML tables; one without an end is text, and the tables after its start still count."""
    for start, stop in _nested_spans(
        (mark.start(), mark.end(), not mark.group(1)) for mark in _HTML_TABLE.finditer(text)
    ):
        yield Block(BlockKind.TABLE, text[start:stop], start, "html"), stop


def _nested_spans(marks: Iterator[tuple[int, int, bool]]) -> Iterator[tuple[int, int]]:
    """Outermost closed spans of nested (start, stop, opens) marks."""
    opened: list[int] = []
    closed: list[tuple[int, int]] = []
    for start, stop, opens in marks:
        if opens:
            opened.append(start)
        elif opened:
            opening = opened.pop()
            while closed and closed[-1][0] > opening:
                closed.pop()
            closed.append((opening, stop))
    yield from closed


def _formulas(text: str) -> Iterator[tuple[Block, int]]:
    r"""Display formulas (`$$`, `\[`) and inline ones (`$`, `\(`), all written as one line in `\[..\]`."""
    for mark, start, stop in _formula_spans(text):
        inside = text[start + len(mark) : stop - len(mark)].strip()
        if inside:
            origin = "display" if mark in _DISPLAY_MARKS else "inline"
            yield Block(BlockKind.FORMULA, f"\\[{' '.join(inside.split(chr(10)))}\\]", start, origin), stop


def _formula_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """(opening mark, start, stop), left to right; an opening mark that is never closed is text.

    A `$$` without a second one is an empty inline formula. A closing mark is searched only while one is left, so the
    time is linear.
    """
    ended: set[str] = set()
    position = 0
    while (opening := _FORMULA_MARK.search(text, position)) is not None:
        mark, start = opening.group(), opening.start()
        stop = -1 if mark in ended else text.find(_CLOSING[mark], opening.end())
        if stop >= 0:
            position = stop + len(mark)
            yield mark, start, position
        else:
            ended.add(mark)
            position = opening.end()


def _pipe_tables(text: str) -> Iterator[tuple[Block, int]]:
    for start, stop, markup in find_pipe_tables(text):
        yield Block(BlockKind.TABLE, markup, start, "pipe"), stop


def _code(text: str) -> Iterator[tuple[Block, int]]:
    for match in _CODE.finditer(text):
        if match.group(2).strip():
            yield Block(BlockKind.TEXT, match.group(2).strip(), match.start(), "code"), match.end()


def _paragraphs(text: str) -> Iterator[Block]:
    """The remaining text, split at blank lines, or at every line end if the page has no blank line."""
    breaks = list(_PARAGRAPH.finditer(text)) or list(re.finditer("\n", text))
    edges = [0, *(edge for mark in breaks for edge in mark.span()), len(text)]
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        if not text[start:stop].strip():
            continue
        lines = (line.strip() for line in _WRAPPER.sub(r"\1", text[start:stop]).split("\n"))
        content = "\n".join(line for line in lines if line)
        if not content:
            continue
        begin = start + len(text[start:stop]) - len(text[start:stop].lstrip())
        formula = _WHOLE_LINE.fullmatch(content)
        if formula and formula.group(1).strip():  # inline by its marks, display by its position
            yield Block(BlockKind.FORMULA, f"\\[{formula.group(1).strip()}\\]", begin, "line")
        else:
            yield Block(BlockKind.TEXT, content, begin, "paragraph")
