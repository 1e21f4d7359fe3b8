"""The manifest of an import: one JSON object per line, each about one file or one page of it."""

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
_LISTS = {"regions": 1_000, "masks": 1_000}  # maximum entries; their content is checked with the image
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
_ALIASES = {
    "file_name": "file",
    "url": "source_url",
    "license": "licence",
    "perturbed": "perturbation",
    "text": "ground_truth",
}
_LINK_LENGTH = 1000

Fault = dict[str, Any]  # {"field", "kind", ...facts}; messages in `evaluation.import_messages`


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a project allows in a manifest."""

    languages: Sequence[str]
    scenarios: Sequence[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: its file and page (None: every page of the file), its fields and its faults."""

    line: int
    file: str
    page: int | None
    fields: Mapping[str, Any]
    faults: tuple[Fault, ...]

    @property
    def key(self) -> str:
        return page_key(self.file, self.page)


def page_key(file: str, page: int | None) -> str:
    """The key of an entry: the file name, or `name#page=3` for a page of it."""
    return file if page is None else f"{file}#page={page}"


def read_manifest(text: str, *, allowed: Allowed) -> list[Entry]:
    """The entries in order, without blank lines. A line without a file name has an empty `file` and a fault.

    All lines about the same page get the fault `twice`, since only people can say which one is right.
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
    """The fault of several lines about one page; lines of other manifests are given with the manifest's name."""
    return {"field": "file", "kind": "twice", "line": ", ".join(map(str, lines))}


def read_fields(values: Mapping[str, Any], *, allowed: Allowed) -> tuple[dict[str, Any], list[Fault]]:
    """The valid sample fields among `values`, as a sample stores them, and the faults of the others."""
    fields: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, value in values.items():
        read = _read_field(name, value, allowed)
        if isinstance(read, dict):
            faults.append({"field": name if is_storable(name) else "", **read})
        elif value is not None:
            fields[_ALIASES.get(name, name)] = read
    return fields, faults


def _read_line(line: str, number: int, allowed: Allowed) -> Entry:
    doubled: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """As JSON does, keep the last of two values with one name; the name is reported."""
        doubled.extend(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        return dict(pairs)

    try:
        values = json.loads(line, object_pairs_hook=keep)
    except (ValueError, RecursionError):  # also for numbers with thousands of digits
        values = None
    if not isinstance(values, dict):
        return Entry(number, "", None, {}, ({"field": "", "kind": "not_json"},))
    doubled += _conflicting_aliases(values)
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


def _conflicting_aliases(values: Mapping[str, Any]) -> list[str]:
    """Alternative names of fields that are given together with the field itself, with another value."""
    return [
        alias
        for alias, name in _ALIASES.items()
        if None not in (values.get(alias), values.get(name)) and values[alias] != values[name]
    ]


def _read_field(name: str, value: Any, allowed: Allowed) -> Any:
    """The value as a sample stores it, or its fault as a dict."""
    name = _ALIASES.get(name, name)
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
    """The choice in the project's spelling, whatever its case, with `_` equal to `-`."""
    if not value and may_be_empty:
        return ""
    by_lower_case = {spelling.lower().replace("_", "-"): spelling for spelling in choices}
    choice = by_lower_case.get(value.strip().lower().replace("_", "-"))
    return choice if choice is not None else {"kind": "not_a_choice", "choices": ", ".join(choices)}


def _read_list(value: Any, limit: int) -> Any:
    is_list = (
        isinstance(value, list) and len(value) <= limit and all(isinstance(entry, dict) for entry in value)
    )
    return value if is_list and is_storable_json(value) else {"kind": "not_a_list", "limit": limit}


def _read_links(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(link, str) and is_link(link) for link in value):
        return value
    return {"kind": "not_links"}


def is_link(value: str) -> bool:
    """True for an absolute http or https address that a sample can store."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    is_plain = is_storable(value) and not any(char.isspace() or ord(char) < 32 for char in value)
    return (
        parts.scheme in ("http", "https") and bool(parts.netloc) and is_plain and len(value) <= _LINK_LENGTH
    )
