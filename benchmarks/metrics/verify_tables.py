"""TEDS and TEDS-S against the reference vectors, every row under every preset, to 1e-6.

`python -m benchmarks.metrics.verify_tables [../shared/vectors]`; exit code 1 if a figure is off that is not in
`EXCEPTIONS`, or more than 2 % of the rows are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.metrics.comparing import Compared, conclude, default_vectors
from evaluation.metrics.table import teds
from evaluation.metrics.table.normalise_omnidocbench import Generation, normalise_table

EXCEPTIONS: dict[str, str] = {}
"""Row id -> cause; at most 2 % of the rows. None is needed: every row agrees."""

TOLERANCE = 1e-6
_PROGRAMS = {"pubtabnet_wrapped": "pubtabnet", "odb15": "omnidocbench-1.5", "odb16": "omnidocbench-1.6"}
_GENERATIONS = {"odb15": Generation.V1_5, "odb16": Generation.V1_6}


def compare(vectors: Path) -> Iterator[Compared]:
    """Scores of every preset, and the cleaned markup of both OmniDocBench generations."""
    for line in (vectors / "teds.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for program, preset in _PROGRAMS.items():
            scores = row["scores"][program]
            for figure, structure_only in (("teds", False), ("teds_s", True)):
                score = teds(row["pred"], row["gt"], preset=preset, structure_only=structure_only)
                yield row["id"], f"{preset}/{figure}", score.value, scores[figure]
        for program, generation in _GENERATIONS.items():
            for side in ("gt", "pred"):
                scores = row["scores"][program]
                markup = "" if scores[f"used_{side}_raw"] else scores[f"norm_{side}"]
                yield row["id"], f"{program}/{side}", normalise_table(row[side], generation), markup


def main(vectors: Path) -> int:
    """Print what was compared and every figure that is off."""
    return conclude("tables", compare(vectors), tolerance=lambda figure: TOLERANCE, exceptions=EXCEPTIONS)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default_vectors()))
