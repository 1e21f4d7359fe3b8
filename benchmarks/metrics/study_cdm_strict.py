"""The study of docs/metrics/cdm-strict.md: what the strict score changes, by kind of pair.

`python -m benchmarks.metrics.study_cdm_strict [../shared/vectors]`: mean CDM and mean strict CDM (`inkbench-1`) over
the pairs where both sides render, how many pairs the strict score lowers, and how many pairs are perfect for CDM
but differ in their layout trees.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.metrics.verify import default_vectors
from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.cdm import cdm, cdm_strict


def main(vectors: Path) -> None:
    """Print the table, kinds with the largest change first."""
    kinds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for line in (vectors / "cdm.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        loose, strict = cdm(row["pred"], row["gt"]), cdm_strict(row["pred"], row["gt"])
        if loose.status is ScoreStatus.SCORED and loose.value is not None and strict.value is not None:
            kinds[row["kind"]].append((loose.value, strict.value))
    everything = [pair for pairs in kinds.values() for pair in pairs]
    print(f"{'kind':22} {'n':>4} {'CDM':>6} {'strict':>6} {'lower':>6} {'1 -> <1':>8}")
    rows = sorted(kinds.items(), key=lambda item: -_drop(item[1]))
    for kind, pairs in [*rows, ("all", everything)]:
        loose, strict = (statistics.mean(side) for side in zip(*pairs, strict=True))
        lower = sum(b < a for a, b in pairs)
        lost = sum(a == 1.0 and b < 1.0 for a, b in pairs)
        print(f"{kind:22} {len(pairs):4} {loose:6.3f} {strict:6.3f} {lower:6} {lost:8}")


def _drop(pairs: list[tuple[float, float]]) -> float:
    return statistics.mean(a - b for a, b in pairs)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default_vectors())
