"""Speed of CDM: per pair, by length, 278 formulas, import and memory.

`python -m benchmarks.metrics.bench cdm`. Pairs are those of the vectors if `../shared` exists, else the committed ones
of tests/data. The cache of reference layouts is emptied before each round.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.metrics.comparing import default_vectors
from benchmarks.metrics.timing import measure
from evaluation.metrics.cdm import cdm, cdm_strict
from evaluation.metrics.cdm.comparison import clear_layout_cache

OWN = Path(__file__).parents[2] / "tests/data/cdm_own.jsonl"
_ROUNDS = 5
_IMPORT = (
    "import time\nt = time.process_time()\nfrom evaluation.metrics.cdm import cdm{}\nprint(time.process_time() - t)\n"
    "print([int(row.split()[1]) / 1024 for row in open('/proc/self/status') if row.startswith('VmHWM')][0])"
)


def main(*, is_quick: bool) -> None:
    """Print the measurements."""
    pairs = read_pairs()
    rounds = 2 if is_quick else _ROUNDS
    cdm(*pairs[0], preset="unimernet")
    for metric in (cdm, cdm_strict):
        for preset in ("unimernet", "inkbench-1", "omnidocbench-1.6"):
            times = sorted(min(_seconds(metric, pair, preset) for _ in range(rounds)) for pair in pairs)
            print(
                f"{metric.__name__} {preset}, {len(pairs)} pairs: median {1000 * statistics.median(times):.2f} ms CPU, "
                f"p95 {1000 * times[int(0.95 * len(times))]:.2f} ms, max {1000 * times[-1]:.0f} ms (best of {rounds})"
            )
    for count in (10, 100, 600, 2000):
        formula = r"\frac{a_{1}+b^{2}}{c} + " * (count // 10)
        pair = (formula + "x", formula + "y")
        best = min(_seconds(cdm, pair, "inkbench-1") for _ in range(rounds))
        print(f"{count} tokens a side: {1000 * best:.0f} ms CPU")
    repeated = (pairs * 2)[:278]
    print(f"278 formula pairs: {measure(lambda: _all(repeated), rounds)}")
    _print_import()


def read_pairs() -> list[tuple[str, str]]:
    """(prediction, reference) of every row."""
    path = default_vectors() / "cdm.jsonl"
    rows = [json.loads(line) for line in (path if path.exists() else OWN).read_text("utf-8").splitlines()]
    return [(row["pred"], row["gt"]) for row in rows]


def _seconds(metric: object, pair: tuple[str, str], preset: str) -> float:
    clear_layout_cache()
    start = time.process_time()
    metric(*pair, preset=preset)  # type: ignore[operator]
    return time.process_time() - start


def _all(pairs: list[tuple[str, str]]) -> None:
    clear_layout_cache()
    for pair in pairs:
        cdm(*pair)


def _print_import() -> None:
    for label, more in (("import", ""), ("import and first score", "\ncdm('x^2 + y', 'x^2 + z')")):
        runs = []
        for _ in range(_ROUNDS):
            program = _IMPORT.format(more)
            process = subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, check=True
            )
            runs.append([float(figure) for figure in process.stdout.split()])
        print(f"{label}: {min(run[0] for run in runs):.2f} CPU s, {runs[0][1]:.0f} MB (best of {_ROUNDS})")


if __name__ == "__main__":
    main(is_quick="--quick" in sys.argv)
