"""The manifest of an import: one JSON object a line, each saying what is known about one file or one page of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from evaluation.payloads.text import is_storable, is_storable_json
from evaluation.records import UNVERIFIED, VERIFIED_ELSEWHERE

MANIFEST_NAME = "manifest.jsonl"
_TEXT_LIMITS = {
    "transcript": 100_000,
    "licence": 200,
    "consent": 300,
    "problem": 100_000,
    "reference_answer": 100_000,
    "subtask": 40,
    "writer_id": 120,
    "split": 40,
    "group": 120,
    "perturbation": 10_000,
    "ground_truth": 1_000_000,
}
_LISTS = {"regions": 1_000, "masks": 1_000}  # entries at most; what they hold is checked with the image
VERIFICATIONS = (UNVERIFIED, VERIFIED_ELSEWHERE)
_STRUCTURES = ("text", "table", "formula")
_SOURCES = ("offline", "internet")
FIELDS = (
    "structure",
    "language",
    "scenario",
    "source",
    "source_url",
    "discussion_links",
    *_TEXT_LIMITS,
    *_LISTS,
    "verification",
)
_OTHER_NAMES = {
    "file_name": "file",
    "url": "source_url",
    "license": "licence",
    "perturbed": "perturbation",
    "text": "ground_truth",
}
_LINK_LENGTH = 1000

Fault = dict[str, Any]  # {"field", "kind", ...facts}; words in `evaluation.import_messages`


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a project lets a manifest say."""

    languages: Sequence[str]
    scenarios: Sequence[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: which page it is about (`page` None: every page of the file), its fields, and what is wrong."""

    line: int
    file: str
    page: int | None
    fields: Mapping[str, Any]
    faults: tuple[Fault, ...]

    @property
    def key(self) -> str:
        return page_key(self.file, self.page)


def page_key(file: str, page: int | None) -> str:
    """The name an entry is kept and found by: a page of a file is written `name#page=3`."""
    return file if page is None else f"{file}#page={page}"


def read_manifest(text: str, *, allowed: Allowed) -> list[Entry]:
    """Entries in order; blank lines are passed over. A line that names no file has an empty `file` and a fault.

    Lines that name one page have the fault `twice`, every one of them: which of them holds, people must say.
    """
    entries = [
        _read_line(line, number, allowed)
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
        if line.strip()
    ]
    lines: dict[str, list[int]] = {}
    for entry in entries:
        if entry.file:
            lines.setdefault(entry.key, []).append(entry.line)
    return [
        replace(entry, fields={}, faults=(twice(*lines[entry.key]),))
        if len(lines.get(entry.key, ())) > 1
        else entry
        for entry in entries
    ]


def twice(*lines: int | str) -> Fault:
    """What is wrong with lines that say something of one page; a line of another manifest brings its name along."""
    return {"field": "file", "kind": "twice", "line": ", ".join(map(str, lines))}


def read_fields(values: Mapping[str, Any], *, allowed: Allowed) -> tuple[dict[str, Any], list[Fault]]:
    """The valid sample fields among `values`, in the form a sample keeps them, and the faults of the others."""
    fields: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, value in values.items():
        read = _read_field(name, value, allowed)
        if isinstance(read, dict):
            faults.append({"field": name if is_storable(name) else "", **read})
        elif value is not None:
            fields[_OTHER_NAMES.get(name, name)] = read
    return fields, faults


def _read_line(line: str, number: int, allowed: Allowed) -> Entry:
    doubled: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Of two values under one name JSON keeps the last; the name is kept to be told."""
        doubled.extend(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        return dict(pairs)

    try:
        values = json.loads(line, object_pairs_hook=keep)
    except (ValueError, RecursionError):  # also numbers of thousands of digits
        values = None
    if not isinstance(values, dict):
        return Entry(number, "", None, {}, ({"field": "", "kind": "not_json"},))
    doubled += _named_otherwise(values)
    file = values.pop("file", None) or values.pop("file_name", None)
    values.pop("file_name", None)
    page = values.pop("page", None)
    fields, faults = read_fields(values, allowed=allowed)
    faults = [*({"field": name if is_storable(name) else "", "kind": "doubled"} for name in doubled), *faults]
    if not isinstance(file, str) or not file or not is_storable(file):
        faults.insert(0, {"field": "file", "kind": "missing"})
        file = ""
    if page is not None and (not isinstance(page, int) or isinstance(page, bool) or page < 1):
        faults.append({"field": "page", "kind": "not_a_page"})
        page = None
    return Entry(number, file.removeprefix("./"), page, fields, tuple(faults))


def _named_otherwise(values: Mapping[str, Any]) -> list[str]:
    """The other names of fields that stand beside their own with another value."""
    return [
        other
        for other, name in _OTHER_NAMES.items()
        if None not in (values.get(other), values.get(name)) and values[other] != values[name]
    ]


def _read_field(name: str, value: Any, allowed: Allowed) -> Any:
    """The value as a sample keeps it, or a dict that says what is wrong with it."""
    name = _OTHER_NAMES.get(name, name)
    if name not in FIELDS:
        return {"kind": "unknown", "known": ", ".join(("file", "page", *FIELDS))}
    if value is None:
        return None
    if name == "discussion_links":
        return _read_links(value)
    if name in _LISTS:
        return _read_list(value, _LISTS[name])
    if not isinstance(value, str) or not is_storable(value):
        return {"kind": "not_text"}
    if name in _TEXT_LIMITS:
        return (
            value if len(value) <= _TEXT_LIMITS[name] else {"kind": "too_long", "limit": _TEXT_LIMITS[name]}
        )
    if name == "source_url":
        return value if not value or is_link(value) else {"kind": "not_a_link"}
    choices = {
        "structure": _STRUCTURES,
        "verification": VERIFICATIONS,
        "source": _SOURCES,
        "language": allowed.languages,
        "scenario": allowed.scenarios,
    }[name]
    return _read_choice(value, choices, may_be_empty=name in ("scenario", "verification"))


def _read_choice(value: str, choices: Sequence[str], *, may_be_empty: bool) -> Any:
    """The choice as the project spells it; letter case and `_` for `-` do not matter."""
    if not value and may_be_empty:
        return ""
    plain = {choice.lower().replace("_", "-"): choice for choice in choices}
    found = plain.get(value.strip().lower().replace("_", "-"))
    return found if found is not None else {"kind": "not_a_choice", "choices": ", ".join(choices)}


def _read_list(value: Any, limit: int) -> Any:
    is_list = (
        isinstance(value, list) and len(value) <= limit and all(isinstance(each, dict) for each in value)
    )
    return value if is_list and is_storable_json(value) else {"kind": "not_a_list", "limit": limit}


def _read_links(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(link, str) and is_link(link) for link in value):
        return value
    return {"kind": "not_links"}


def is_link(value: str) -> bool:
    """True for an absolute http or https address that a sample can keep."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    is_plain = is_storable(value) and not any(char.isspace() or ord(char) < 32 for char in value)
    return (
        parts.scheme in ("http", "https") and bool(parts.netloc) and is_plain and len(value) <= _LINK_LENGTH
    )
