"""The part of an export that people read: what is in it, how it was made, and how to check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from evaluation.models import Release

Counts = Counter[tuple[str, str]]


def data_card(release: Release) -> str:
    """Markdown: the manifest in words, and the counts by structure, scenario and language. English, for any reader."""
    manifest = release.manifest
    lines = [
        f"# {release.title or release.team.name}, release {release.number}",
        "",
        f"{release.count} samples of handwriting with their ground truth, frozen {manifest['created_at']}.",
        "",
        *([release.notes, ""] if release.notes else []),
        "Every text was written by one person and reviewed by a second; disagreements were settled by discussion",
        "or by an adjudicator. `origins` says for each line where it came from: agreed, primary, second or new.",
        "",
        "## Contents",
        "",
        *_table("Structure", _counts(release, "structure")),
        "",
        *_table("Scenario", _counts(release, "scenario")),
        "",
        "## Made with",
        "",
        f"- guideline: version {manifest['guideline']}",
        *(f"- {name}: {value}" for name, value in sorted(manifest["settings"].items())),
        f"- checksum (SHA-256 over the records' lines): {release.checksum}",
        "",
    ]
    return "\n".join(lines)


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
