"""Retired terms stay out of code, docs and strings; docs/glossary.md has the terms in force."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parents[2]
# These two name what is retired.
EXEMPT = {"docs/glossary.md", "tests/architecture/test_vocabulary.py"}
TEXT = re.compile(r"\.(py|html|txt|js|mjs|css|md|toml|po|yml)$|(^|/)(Makefile|run|NOTICE)$")

# Names that must not come back in code, comments, docs, templates and file names, in upper or lower case.
RETIRED_NAMES = {
    r"picture": "image",
    r"(?<![a-z])seats?(?![a-z])|SecondSeat|NotTheSeat": "assignment, discussion_role, tab_token or enrolment",
    r"\btold\b|\btelling\b": "message, error",
    r"\b(class|import) (Told|Sight|Shape|StillArchive|LookOnlyAdmin)\b|look_only": "LocalizedError, FieldAccess, ...",
    r"bare_pages?\b|\bBarePage": "image only page",
    r"\bveil(ed)?\b|_veil": "hidden",
    r"\boddit(y|ies)\b": "anomalies",
    r"handing_in|hand_in\b|(?<!for )\bhands? in\b|\bhanded in\b|hand-in": "submit",
    r"\bdesks?\b|_desk\b|desk_": "workbench",
    r"\bexam rooms?\b|baseline_room\b|/room/": "session",
    r"character_detection": "cdm",
    r"ready_guideline|field_places|\banchors\.py": "default_guideline, field_geometry, rating_scale",
    r"refuse_readers|\blet_go\b|ShutPicture|ShutImage": "deny_reserved_readers, release_reservations, RestrictedImage",
    r"\bmake_words\b|\bcompile_words\b|\bscript_words\b|/words\.py": "translations, labels",
}
TEX_ENVIRONMENT = re.compile(r'"picture"(?=[,)])')  # the name of a LaTeX environment
# In the metrics the two sides are `pred` and `ref`.
RETIRED_IN_METRICS = re.compile(r"\b(ours|theirs)\b(?=\s*[=,:)\[.])")
# Wordings that must not come back in what people read.
RETIRED_PHRASES = (ROOT / "tests/architecture/retired_phrases.txt").read_text(encoding="utf-8").split("\n")
RETIRED_CHINESE = (ROOT / "tests/architecture/retired_chinese.txt").read_text(encoding="utf-8").split("\n")


def tracked_files() -> list[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("needs a git checkout")
    return [name for name in listing.stdout.split("\0") if name and (ROOT / name).exists()]


def lines_of_tree() -> Iterator[tuple[str, int, str]]:
    for name in tracked_files():
        if name in EXEMPT or name.startswith(("tests/data/", "tests/architecture/retired_")):
            continue
        yield name, 0, f"/{name}"
        if TEXT.search(name):
            for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), start=1):
                yield name, number, line


def test_tree_when_searched_then_no_retired_name_is_in_it() -> None:
    pattern = re.compile("|".join(f"(?:{name})" for name in RETIRED_NAMES), re.IGNORECASE)
    hits = [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, number, line in lines_of_tree()
        if pattern.search(TEX_ENVIRONMENT.sub("", line))
        or (re.match(r"(evaluation|benchmarks)/metrics/.*py", name) and RETIRED_IN_METRICS.search(line))
    ]
    assert not hits, f"{len(hits)} lines; see docs/glossary.md\n" + "\n".join(hits[:60])


def messages() -> polib.POFile:
    return polib.pofile(str(ROOT / "locale/zh_Hans/LC_MESSAGES/django.po"))


@pytest.mark.parametrize("phrase", [phrase for phrase in RETIRED_PHRASES if phrase])
def test_strings_when_read_then_no_retired_phrase_is_among_them(phrase: str) -> None:
    pattern = re.compile(phrase)
    hits = [entry.msgid for entry in messages() if pattern.search(f"{entry.msgid} {entry.msgid_plural}")]
    assert not hits


@pytest.mark.parametrize("term", [term for term in RETIRED_CHINESE if term])
def test_chinese_when_read_then_no_retired_term_is_among_it(term: str) -> None:
    pattern = re.compile(term)
    hits = [
        entry.msgid
        for entry in messages()
        if pattern.search(entry.msgstr + "".join(entry.msgstr_plural.values()))
    ]
    assert not hits


def test_glossary_when_read_then_each_term_stands_once_in_each_language() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| English")
    ]
    english = [row[0] for row in rows]
    chinese = [row[1] for row in rows]
    assert len(english) > 60
    assert len(set(english)) == len(english)
    assert sorted(term for term in set(chinese) if chinese.count(term) > 1) == []


def test_retired_names_when_they_come_back_then_they_are_found() -> None:
    pattern = re.compile("|".join(f"(?:{name})" for name in RETIRED_NAMES), re.IGNORECASE)
    for line in (
        "def show_picture(token):",
        "a seat in, a worksheet out",
        "from x import Told",
        "# handed in twice",
    ):
        assert pattern.search(line)
    for line in ("the outline is folded", "an assignment", "authours", "a bedroom", "seatbelt"):
        assert not pattern.search(line)
