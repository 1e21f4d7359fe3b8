"""The message files: brought up to date with the sources, checked, and compiled. Needs no gettext programs."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterable
from pathlib import Path

import polib

from config.translations.extraction import Phrase

HEADER = {
    "Project-Id-Version": "InkBench",
    "Language": "zh_Hans",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=1; plural=0;",
}
_PERCENT = re.compile(r"%\(\w+\)[sd]|%[sd]")


def update(po: polib.POFile, phrases: Iterable[Phrase], *, donors: Iterable[polib.POFile] = ()) -> None:
    """Make `po` hold exactly `phrases`: translations already there are kept, gaps are filled from `donors`.

    What no source says any more is dropped, unless it was translated: then it is kept as obsolete.
    """
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in po}
    given = [{(entry.msgctxt or "", entry.msgid): entry for entry in donor} for donor in donors]
    fresh = polib.POFile(wrapwidth=110)
    fresh.metadata = dict(HEADER)
    wanted = set()
    for phrase in phrases:
        wanted.add(phrase.key)
        entry = _new_entry(phrase)
        for source in (known, *given):
            if not _is_translated(entry) and phrase.key in source:
                _copy_translation(source[phrase.key], entry)
        fresh.append(entry)
    for key, entry in known.items():
        if key not in wanted and entry.translated():
            entry.obsolete = True
            fresh.append(entry)
    po.metadata = fresh.metadata
    po[:] = list(fresh)


def _new_entry(phrase: Phrase) -> polib.POEntry:
    entry = polib.POEntry(msgid=phrase.msgid, msgctxt=phrase.context or None, occurrences=[(phrase.file, "")])
    if phrase.plural:
        entry.msgid_plural = phrase.plural
        entry.msgstr_plural = {0: ""}
    return entry


def _is_translated(entry: polib.POEntry) -> bool:
    return bool(entry.msgstr_plural.get(0) if entry.msgid_plural else entry.msgstr)


def _copy_translation(source: polib.POEntry, target: polib.POEntry) -> None:
    words = source.msgstr or source.msgstr_plural.get(0, "")
    if target.msgid_plural:
        target.msgstr_plural = {0: words}
    else:
        target.msgstr = words
    target.flags = list(source.flags)


def problems_in(po: polib.POFile, phrases: Iterable[Phrase]) -> list[str]:
    """What keeps a message file from being complete, a sentence each: missing, empty, fuzzy, lost placeholders."""
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in po if not entry.obsolete}
    problems = []
    for phrase in phrases:
        entry = known.get(phrase.key)
        if entry is None:
            problems.append(f"missing: {phrase.msgid!r} ({phrase.file})")
        elif not _is_translated(entry):
            problems.append(f"not translated: {phrase.msgid!r} ({phrase.file})")
        elif entry.fuzzy:
            problems.append(f"fuzzy: {phrase.msgid!r} ({phrase.file})")
        elif lost := _placeholders(phrase.plural or phrase.msgid) ^ _placeholders(_words(entry)):
            problems.append(
                f"placeholders differ ({', '.join(sorted(lost))}): {phrase.msgid!r} ({phrase.file})"
            )
    return problems


def _words(entry: polib.POEntry) -> str:
    return str(entry.msgstr_plural.get(0, "") if entry.msgid_plural else entry.msgstr)


def _placeholders(text: str) -> set[str]:
    try:
        braces = {f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError:  # a lone brace is text
        braces = set()
    return braces | set(_PERCENT.findall(text))


def compile_all(folder: Path) -> list[Path]:
    """Write each .mo that is older than its .po; returns those written. Never leaves half a file."""
    written = []
    for po_path in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        mo_path = po_path.with_suffix(".mo")
        if mo_path.exists() and mo_path.stat().st_mtime_ns >= po_path.stat().st_mtime_ns:
            continue
        part = mo_path.with_suffix(f".{os.getpid()}.part")
        polib.pofile(str(po_path)).save_as_mofile(str(part))
        os.replace(part, mo_path)
        written.append(mo_path)
    return written
