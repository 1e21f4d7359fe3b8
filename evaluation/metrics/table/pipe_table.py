"""Pipe tables of Markdown as HTML tables."""

from __future__ import annotations

import html
import re

_CELL_EDGE = re.compile(r"(?<!\\)\|")
_RULE_CELL = re.compile(r"\s*:?-+:?\s*")


def split_cells(line: str) -> list[str]:
    r"""The cells of one row; an escaped bar `\|` belongs to its cell, outer bars are optional.

    >>> split_cells(r"| a | b\|c |")
    ['a', 'b|c']
    """
    line = line.strip()
    line = line.removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_EDGE.split(line)]


def is_rule(line: str) -> bool:
    """Whether the line is the dashed rule under a header row."""
    return "-" in line and "|" in line and all(_RULE_CELL.fullmatch(cell) for cell in split_cells(line))


def is_row(line: str) -> bool:
    """Whether the line can be a row: it holds a bar that is not escaped."""
    return _CELL_EDGE.search(line) is not None


def find_pipe_tables(text: str) -> list[tuple[int, int, str]]:
    """(start, stop, html) of every pipe table: a row, a dashed rule of as many cells, rows until a blank line.

    >>> find_pipe_tables("| a |\\n|---|\\n| 1 |")
    [(0, 19, '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>')]
    """
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    found = []
    at = 0
    while at + 1 < len(lines):
        header, rule = lines[at], lines[at + 1]
        if not (is_row(header) and is_rule(rule) and len(split_cells(header)) == len(split_cells(rule))):
            at += 1
            continue
        stop = at + 2
        while stop < len(lines) and lines[stop].strip() and is_row(lines[stop]):
            stop += 1
        end = offsets[stop - 1] + len(lines[stop - 1].rstrip("\r\n"))
        found.append((offsets[at], end, _as_html(header, lines[at + 2 : stop])))
        at = stop
    return found


def _as_html(header: str, rows: list[str]) -> str:
    names = split_cells(header)
    parts = [_row(names, "th")]
    for row in rows:
        cells = split_cells(row)[: len(names)]
        parts.append(_row(cells + [""] * (len(names) - len(cells)), "td"))
    return f"<table>{''.join(parts)}</table>"


def _row(cells: list[str], tag: str) -> str:
    inside = "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def _cell(text: str) -> str:
    """Markdown lets inline HTML through; what is neither a tag nor an entity is text and is escaped."""
    return re.sub(r"<(?!/?[A-Za-z])|&(?!#?\w+;)", lambda mark: html.escape(mark.group()), text)
