"""The part of an export that people read: what is in it, how it was made, and how to check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.labels import crossing_words
from evaluation.models import Release
from evaluation.prediction_formats import REGIONS, formula_answers
from evaluation.records import DOUBLE_VERIFIED, UNVERIFIED, VERIFIED_ELSEWHERE

_VERIFIED = {
    DOUBLE_VERIFIED: "Written by one person and reviewed by a second here; disagreements were settled by discussion or "
    "by an adjudicator.",
    VERIFIED_ELSEWHERE: "Came with its ground truth, which its source says was verified; not reviewed here.",
    UNVERIFIED: "Came with its ground truth, which nobody is known to have verified.",
}
_ANSWERS = {
    True: 'by region, LaTeX by its number (`"regions": {"1": ...}`); the numbered outlines are in `outlines/`',
    False: "as a page: the whole page as Markdown, matched with the ground truth",
}

Counts = Counter[tuple[str, str]]


def data_card(release: Release) -> str:
    """Markdown: the manifest in words, and the counts by structure, scenario and language. English, for any reader."""
    manifest = release.manifest
    facts = _facts(release)
    lines = [
        f"# {release.title or release.team.name}, release {release.number}",
        "",
        f"{release.count} samples of handwriting with their ground truth, frozen {manifest['created_at']}.",
        "",
        *([release.notes, ""] if release.notes else []),
        *_verification(facts),
        "",
        "`origins` says for each field (line, cell, region, mask) where it came from: agreed, primary, second, new or",
        "imported.",
        "",
        "## Contents",
        "",
        *_table("Structure", _counts(release, "structure")),
        "",
        *_table("Scenario", _counts(release, "scenario")),
        "",
        *_table("Split", facts.splits),
        "",
        *_formulas(release, facts),
        *_masks(facts),
        *_difficulty(facts),
        *_override(manifest["settings"]),
        "## Made with",
        "",
        f"- guideline: version {manifest['guideline']}",
        *(
            f"- {name}: {value}"
            for name, value in sorted(manifest["settings"].items())
            if name != "writers_across_splits"  # stated above
        ),
        f"- checksum (SHA-256 over the records' lines): {release.checksum}",
        "",
    ]
    return "\n".join(lines)


@dataclass(slots=True)
class _Facts:
    """What the records say, counted in one pass."""

    splits: Counts = field(default_factory=Counter)
    verified: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    regions: int = 0
    masked: int = 0
    masks: int = 0
    rated: int = 0


def _facts(release: Release) -> _Facts:
    facts = _Facts()
    for record in (
        release.items.order_by("position").values_list("record", flat=True).iterator(chunk_size=500)
    ):
        facts.splits[record.get("extra", {}).get("split") or "none", record["language"] or "none"] += 1
        facts.verified[record.get("verification") or DOUBLE_VERIFIED] += 1
        facts.pages += record["structure"] == "formula"
        facts.regions += len(record.get("regions", ()))
        facts.masked += bool(record.get("masks"))
        facts.masks += len(record.get("masks", ()))
        facts.rated += bool(record.get("difficulty"))
    return facts


def _verification(facts: _Facts) -> list[str]:
    rows = [
        f"| {status} | {facts.verified[status]} | {words} |"
        for status, words in _VERIFIED.items()
        if facts.verified[status]
    ]
    return ["## Verification", "", "| status | samples | what it means |", "| --- | ---: | --- |", *rows]


def _formulas(release: Release, facts: _Facts) -> list[str]:
    if not facts.pages:
        return []
    form = _ANSWERS[formula_answers(release) == REGIONS]
    return [f"Formulas: {facts.regions} regions on {facts.pages} pages. They are answered {form}.", ""]


def _masks(facts: _Facts) -> list[str]:
    if not facts.masks:
        return ["Masks: none.", ""]
    return [
        f"Masks: {facts.masks} on {facts.masked} samples. What nobody could read is painted over in the image and",
        "marked `⟦masked⟧` in the ground truth. It takes no part in scoring; what an answer invents there is an",
        "insertion.",
        "",
    ]


def _difficulty(facts: _Facts) -> list[str]:
    return [f"Difficulty: rated for {facts.rated} samples; it is no part of any aggregate score.", ""]


def _override(settings: Mapping[str, Any]) -> list[str]:
    override = settings.get("writers_across_splits")
    if not isinstance(override, dict):
        return []
    return [
        "Writers in more than one split, and the reason why this was let pass:",
        crossing_words(override),
        "",
    ]


def _counts(release: Release, key: str) -> Counts:
    rows = release.items.order_by().values_list(key, "language")
    return Counter((row[0] or "none", row[1] or "none") for row in rows.iterator(chunk_size=2000))


def _table(title: str, counts: Counts) -> list[str]:
    columns = sorted({column for _, column in counts})
    names = sorted({name for name, _ in counts})

    def row(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(str(cell) for cell in cells) + " |"

    body = [
        row([name, *(counts[name, column] for column in columns), sum(counts[name, c] for c in columns)])
        for name in names
    ]
    sums = [sum(counts[name, column] for name in names) for column in columns]
    return [
        row([title, *columns, "all"]),
        row(["---", *("---:" for _ in columns), "---:"]),
        *body,
        row(["all", *sums, sum(sums)]),
    ]
