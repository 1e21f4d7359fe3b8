"""Diagram grading against the reference vectors: every figure of every row, to 1e-9.

`python -m benchmarks.metrics.verify_grading [../shared/vectors]`; exit code 1 if a figure is off.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.metrics.grading import UnreadableReply, parse_prediction
from evaluation.metrics.grading.reference import reference_scores

TOLERANCE = 1e-9

Compared = tuple[str, str, float | None, float | None]
"""Row id, figure, value, expected value; None where one side has no such figure."""


def compare(vectors: Path) -> Iterator[Compared]:
    """Every figure of grading/metrics.jsonl: verdicts, skips, unknown names, strict, lenient, recalls."""
    for line in _lines(vectors / "grading" / "metrics.jsonl"):
        row = json.loads(line)
        figures = _flat(reference_scores(row["rows"], row["taxonomy"]))
        expected = _flat(row["scores"])
        for figure in sorted({*figures, *expected}):
            yield row["id"], figure, figures.get(figure), expected.get(figure)


def is_off(compared: Compared) -> bool:
    """Whether the figure is missing on one side or differs by more than the tolerance."""
    _, _, value, expected = compared
    return value is None or expected is None or abs(value - expected) > TOLERANCE


def count_unreadable(vectors: Path) -> dict[str, tuple[int, int]]:
    """Preset -> (real replies without a verdict, real replies)."""
    replies = [json.loads(line)["response"] for line in _lines(vectors / "grading" / "answers.jsonl")]
    return {
        preset: (
            sum(isinstance(parse_prediction(reply, preset=preset), UnreadableReply) for reply in replies),
            len(replies),
        )
        for preset in ("inkbench-1", "sketchjudge")
    }


def main(vectors: Path) -> int:
    """Print what was compared and every figure that is off."""
    compared = list(compare(vectors))
    off = [comparison for comparison in compared if is_off(comparison)]
    for row, figure, value, expected in off:
        print(f"{row} {figure}: {value} instead of {expected}")
    rows = len({row for row, *_ in compared})
    print(
        f"grading: {len(compared)} figures of {rows} rows compared, {len(off)} off by more than {TOLERANCE:g}"
    )
    for preset, (unreadable, total) in count_unreadable(vectors).items():
        print(f"grading: {unreadable} of {total} real replies without a verdict under {preset}")
    return 1 if off else 0


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from file


def _flat(scores: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    flat: dict[str, float] = {}
    for name, value in scores.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}/")
        else:
            flat[prefix + name] = value
    return flat


if __name__ == "__main__":
    default = Path(__file__).parents[2].parent / "shared" / "vectors"
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default))
