"""Scores from a file: CSV or JSON Lines, one line per prediction, any number of columns of scores.

Pure. A line has the sample's id, optionally the system, and numbers. Anything else is refused with its line and column,
so that no score is lost silently.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _

MAX_BYTES = 50 * 2**20
MAX_COLUMNS = 30
MAX_NAME = 120
_NAMES = ("id", "sample", "sample_id")
_SYSTEM = "system"


class BadScores(LocalizedError, ValueError):
    """A file of scores that is refused; the message names line and field and says how to fix it."""


@dataclass(frozen=True, slots=True)
class Scores:
    """`values`: (sample, system) -> column -> score; system "" stands for every system."""

    columns: tuple[str, ...]
    values: Mapping[tuple[str, str], Mapping[str, float]]

    def of(self, sample: str, system: str, column: str) -> float | None:
        """The score of a prediction; None if the file has none."""
        for key in ((sample, system), (sample, "")):
            score = self.values.get(key, {}).get(column)
            if score is not None:
                return score
        return None


def _bad(line: int, message: str, **facts: object) -> BadScores:
    return BadScores(message, **facts).within(_("line %(line)s"), line=line)


def read_scores(data: bytes) -> Scores:
    """The scores in the bytes of a file. Raises BadScores.

    >>> scores = read_scores(b"id,pink,raw\\na1,62,70\\n")
    >>> scores.columns, scores.of("a1", "any system", "pink")
    (('pink', 'raw'), 62.0)
    >>> read_scores(b'{"id": "a1", "system": "x", "pink": 62}').of("a1", "y", "pink") is None
    True
    """
    if len(data) > MAX_BYTES:
        raise BadScores(
            _("the file is larger than %(most)s MB; remove columns that are not compared"),
            most=MAX_BYTES // 2**20,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadScores(_("byte %(byte)s is not UTF-8; save the file as UTF-8"), byte=fault.start) from None
    lines = _json_lines(text) if text.lstrip().startswith("{") else _csv_lines(text)
    values: dict[tuple[str, str], dict[str, float]] = {}
    columns: dict[str, None] = {}
    for number, line in lines:
        key, scores = _read_line(number, line)
        if key in values:
            raise _bad(
                number, _("sample %(id)s of this system appears twice in the file; keep one"), id=key[0]
            )
        values[key] = scores
        columns |= dict.fromkeys(scores)
    if not values or not columns:
        raise BadScores(
            _("the file contains no scores: each line needs a sample's 'id' and a column of numbers")
        )
    if len(columns) > MAX_COLUMNS:
        raise BadScores(
            _("there are too many score columns (%(count)s); the limit is %(most)s"),
            count=len(columns),
            most=MAX_COLUMNS,
        )
    return Scores(tuple(columns), values)


def scores_as_json(scores: Scores) -> dict[str, Any]:
    """The form in which a study stores the scores."""
    rows = [[sample, system, dict(columns)] for (sample, system), columns in scores.values.items()]
    return {"columns": list(scores.columns), "rows": rows}


def scores_from_json(data: Mapping[str, Any]) -> Scores:
    """The scores from their stored form; none from an empty one."""
    rows = data.get("rows", [])
    values = {(sample, system): columns for sample, system, columns in rows}
    return Scores(tuple(data.get("columns", ())), values)


def _csv_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise _bad(reader.line_num, _("it does not have as many fields as the header"))
            yield reader.line_num, {str(name).strip(): value.strip() for name, value in row.items()}
    except csv.Error as fault:
        raise _bad(reader.line_num, _("not CSV (%(why)s)"), why=str(fault)) from None


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise _bad(number, _("not a JSON object")) from None
        if not isinstance(row, dict):
            raise _bad(number, _("not a JSON object"))
        yield number, row


def _read_line(number: int, row: Mapping[str, Any]) -> tuple[tuple[str, str], dict[str, float]]:
    name = next((name for name in _NAMES if row.get(name)), None)
    if name is None or not isinstance(row[name], str):
        raise _bad(number, _("the field 'id' must name a sample of the release"))
    system = row.get(_SYSTEM) or ""
    if not isinstance(system, str):
        raise _bad(number, _("the field 'system' must be a name"))
    scores = {}
    for column, value in row.items():
        if column in (*_NAMES, _SYSTEM) or value is None or value == "":
            continue
        if not column or len(column) > MAX_NAME:
            raise _bad(number, _("a column's name must have 1 to %(most)s characters"), most=MAX_NAME)
        scores[column] = _number(number, column, value)
    return (row[name], system), scores


def _number(line: int, column: str, value: Any) -> float:
    try:
        score = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise _bad(
            line,
            _("'%(column)s' is %(value)s, which is not a finite number; leave it empty if there is no score"),
            column=column,
            value=repr(str(value)[:40]),
        )
    return score
