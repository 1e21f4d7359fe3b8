"""Parsing of a grader's raw reply into a verdict and error names, under one of two presets.

`sketchjudge` reads a reply as the benchmark's public evaluator does: the whole reply must be one JSON object
with a boolean `is_correct`, an integer `error_count` and a list `error_list` where present; any other reply
has no verdict. `inkbench-1` follows the paper's own account of its post-processing (SketchJudge, appendix D):
the last JSON object in the reply that holds a boolean verdict is taken, whatever surrounds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_CHARACTERS = 1_000_000
"""Longer replies are runaway output and are not parsed."""
_SCAN_BUDGET = 4 * MAX_CHARACTERS
"""Characters the JSON parser may read in vain before a reply counts as tangled."""
_TOO_DEEP = 100_000
"""The charge for a start that nests too deeply; the parser gives up after some thousand levels."""
_OPENING = re.compile(r'\{(?=[ \t\n\r]*["}])')
"""A brace that can open a JSON object."""
_PER_ERROR = 20
"""The parser counts the lines before an error, about this much faster than it parses them."""


@dataclass(frozen=True, slots=True)
class GraderPrediction:
    """A verdict and the error names as written, in order, with repeats; None is an entry without a name.

    `is_inconsistent`: the stated error_count is not the length of the list.
    """

    is_correct: bool
    error_names: tuple[str | None, ...] = ()
    is_inconsistent: bool = False


@dataclass(frozen=True, slots=True)
class UnreadableReply:
    """Why a reply holds no verdict."""

    reason: str


def parse_prediction(
    response: str | None, *, preset: str = "inkbench-1"
) -> GraderPrediction | UnreadableReply:
    """The verdict in a reply, or why there is none; reply None = missing.

    >>> parse_prediction('Sure! {"is_correct": false, "error_list": [{"error_type": "Missing Step"}]}')
    GraderPrediction(is_correct=False, error_names=('Missing Step',), is_inconsistent=False)
    >>> parse_prediction('Sure! {"is_correct": false}', preset="sketchjudge")
    UnreadableReply(reason='the reply is not one bare JSON object')
    """
    if preset not in _READERS:
        raise ValueError(f"unknown preset {preset!r}; choose one of: {', '.join(PRESETS)}")
    if response is None:
        return UnreadableReply("no reply")
    return _READERS[preset](response)


def _read_bare(response: str) -> GraderPrediction | UnreadableReply:
    try:
        data = json.loads(response)
    except (ValueError, RecursionError):
        return UnreadableReply("the reply is not one bare JSON object")
    if not isinstance(data, dict):
        return UnreadableReply("the reply is not one bare JSON object")
    if not isinstance(data.get("is_correct"), bool):
        return UnreadableReply("is_correct is missing or not true or false")
    if "error_count" in data and not isinstance(data["error_count"], int):
        return UnreadableReply("error_count is not a whole number")
    if "error_list" in data and not isinstance(data["error_list"], list):
        return UnreadableReply("error_list is not a list")
    return _answer(data)


def _read_last(response: str) -> GraderPrediction | UnreadableReply:
    if not response.strip():
        return UnreadableReply("the reply is empty")
    if len(response) > MAX_CHARACTERS:
        return UnreadableReply(
            f"the reply has {len(response)} characters, over the limit of {MAX_CHARACTERS}"
        )
    last: dict[str, Any] | None = None
    n_objects = 0
    try:
        for data in _json_objects(response):
            n_objects += 1
            if isinstance(data.get("is_correct"), bool) and isinstance(data.get("error_list") or [], list):
                last = data
    except _Tangled:
        return UnreadableReply("the reply is a tangle of unclosed braces")
    if last is not None:
        return _answer(last)
    if n_objects:
        return UnreadableReply(
            "no JSON object in the reply has is_correct as true or false and errors as a list"
        )
    return UnreadableReply("the reply holds no complete JSON object")


class _Tangled(Exception):
    """The scan ran over its budget."""


def _json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects in running text, in order; other braces are skipped."""
    decoder = json.JSONDecoder()
    spent, opening = 0, _OPENING.search(text)
    while opening:
        place = opening.start()
        try:
            data, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as fault:
            spent += fault.pos - place + fault.pos // _PER_ERROR
            end = place + 1
        except (ValueError, RecursionError):  # a number of thousands of digits, or nesting without end
            spent += _TOO_DEEP
            end = place + 1
        else:
            yield data
        if spent > _SCAN_BUDGET:
            raise _Tangled
        opening = _OPENING.search(text, end)


def _answer(data: dict[str, Any]) -> GraderPrediction:
    listed = data.get("error_list") or []
    names = tuple(
        name if isinstance(name := entry.get("error_type"), str) else None
        for entry in listed
        if isinstance(entry, dict)
    )
    count = data.get("error_count", len(listed))
    return GraderPrediction(data["is_correct"], names, bool(count != len(listed)))


_READERS = {"inkbench-1": _read_last, "sketchjudge": _read_bare}
PRESETS = tuple(_READERS)
