"""Pipe tables of Markdown as HTML tables."""

from __future__ import annotations

import html
import re

_CELL_EDGE = re.compile(r"(?<!\\)\|")
_BARRED = re.compile(r"\|.*[^\\]\|")
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
    """Whether the line is the delimiter row under a header."""
    return "-" in line and "|" in line and all(_RULE_CELL.fullmatch(cell) for cell in split_cells(line))


def is_row(line: str) -> bool:
    """Whether the line can be a row: it has an unescaped bar."""
    return _CELL_EDGE.search(line) is not None


def find_pipe_tables(text: str) -> list[tuple[int, int, str]]:
    """(start, stop, html) of every pipe table: a row, a delimiter row with as many cells, and rows up to a blank line.

    Two or more adjacent rows with both outer bars are a table without header, which models write too.

    >>> find_pipe_tables("| a |\\n|---|\\n| 1 |")
    [(0, 17, '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>')]
    """
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    tables = []
    start = 0
    while start < len(lines):
        stop = _end_of_table(lines, start)
        if stop == start:
            start += 1
            continue
        end = offsets[stop - 1] + len(lines[stop - 1].rstrip("\r\n"))
        tables.append((offsets[start], end, _as_html(lines[start:stop])))
        start = stop
    return tables


def _end_of_table(lines: list[str], start: int) -> int:
    """The line after the table that starts at line `at`; `at` itself where none does."""
    if _has_header(lines[start : start + 2]):
        stop = start + 2
        while stop < len(lines) and lines[stop].strip() and is_row(lines[stop]):
            stop += 1
        return stop
    stop = start
    while stop < len(lines) and _BARRED.fullmatch(lines[stop].strip()):
        stop += 1
    return stop if stop - start >= 2 else start


def _has_header(lines: list[str]) -> bool:
    if len(lines) < 2 or not is_row(lines[0]) or not is_rule(lines[1]):
        return False
    return len(split_cells(lines[0])) == len(split_cells(lines[1]))


def _as_html(lines: list[str]) -> str:
    """Rows cut or padded to the width of the header; without a header rows keep their width."""
    if not _has_header(lines):
        return f"<table>{''.join(_row(split_cells(line), 'td') for line in lines)}</table>"
    names = split_cells(lines[0])
    parts = [_row(names, "th")]
    for line in lines[2:]:
        cells = split_cells(line)[: len(names)]
        parts.append(_row(cells + [""] * (len(names) - len(cells)), "td"))
    return f"<table>{''.join(parts)}</table>"


def _row(cells: list[str], tag: str) -> str:
    inside = "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def _cell(text: str) -> str:
    """Markdown allows inline HTML; anything that is neither a tag nor an entity is escaped."""
    return re.sub(r"<(?!/?[A-Za-z])|&(?!#?\w+;)", lambda mark: html.escape(mark.group()), text)
