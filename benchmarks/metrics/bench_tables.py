"""Speed of TEDS against the `apted` package as the public programs use it, and on 60 x 20 tables.

`python -m benchmarks.metrics.bench_tables [--quick]`; `--quick` skips apted on the large tables (about half a
minute each). Ratios are per pair, within this run; every distance is also checked for equality.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.metrics import apted_teds
from benchmarks.metrics.comparing import default_vectors
from benchmarks.metrics.timing import cpu_seconds, peak_memory
from evaluation.metrics.table import PRESETS, teds
from evaluation.metrics.table.normalise_omnidocbench import Generation, normalise_table
from evaluation.metrics.table.parse import TagTokens, find_first_table, read_table
from evaluation.metrics.table.tree_edit import tree_edit_distance
from tests.evaluation.metrics.table.vectors import OWN, read_rows

_LARGE = frozenset({"huge", "large"})
_Pair = tuple[str, str]
_Seconds = tuple[float, float]  # with apted, with this implementation


def main(*, is_quick: bool) -> None:
    """Print the measurements. Raises SystemExit if a distance differs from apted's."""
    pairs = _vector_pairs(default_vectors() / "teds.jsonl")
    _compare_stages(pairs)
    for name, pair in _sixty_by_twenty().items():
        _compare_large(name, pair, is_quick)
    print(f"peak memory {peak_memory():.0f} MB")


def _vector_pairs(path: Path) -> list[_Pair]:
    """Documents of the reference vectors that the public programs can read, without the largest."""
    source = path if path.exists() else OWN
    pairs = []
    for row in read_rows(source):
        sides = [normalise_table(row[side], Generation.V1_5) for side in ("pred", "gt")]
        expected = row["scores"]["odb15"]
        if row["kind"] not in _LARGE and all(sides) and not expected.get("error") and expected["teds"]:
            pairs.append((sides[0], sides[1]))
    print(f"{len(pairs)} pairs of {source.name}, markup as OmniDocBench 1.5 cleans it")
    return pairs


def _compare_stages(pairs: list[_Pair]) -> None:
    """Per pair: the distance alone, and everything from markup to score; apted's side does not include the clean-up."""
    distances: list[_Seconds] = []
    wholes: dict[str, list[_Seconds]] = {preset: [] for preset in PRESETS}
    for prediction, reference in pairs:
        ref = apted_teds.parse(prediction), apted_teds.parse(reference)
        tokens = TagTokens()
        pred = [
            read_table(find_first_table(side), tokens, structure_only=False).forest
            for side in (prediction, reference)
        ]
        _check(apted_teds.distance(*ref), tree_edit_distance(*pred))
        distances.append(
            (_seconds(partial(apted_teds.distance, *ref)), _seconds(partial(tree_edit_distance, *pred)))
        )
        apted_seconds = _seconds(partial(apted_teds.teds, prediction, reference))
        for preset, seconds in wholes.items():
            seconds.append((apted_seconds, _seconds(partial(teds, prediction, reference, preset=preset))))
    _report("tree edit distance alone", distances)
    for preset, seconds in wholes.items():
        _report(f"markup to score, preset {preset}", seconds)


def _report(name: str, seconds: list[_Seconds]) -> None:
    ratios = sorted(apted / own for apted, own in seconds)
    apted, own = (1000 * statistics.median(side) for side in zip(*seconds, strict=True))
    tenth = ratios[len(ratios) // 10]
    print(
        f"{name}: median {apted:.2f} ms with apted, {own:.3f} ms here; "
        f"ratio {statistics.median(ratios):.0f} at the median, {tenth:.1f} at the slowest tenth"
    )


def _compare_large(name: str, pair: _Pair, is_quick: bool) -> None:
    own = _seconds(partial(teds, *pair, preset="pubtabnet"))
    line = f"60 x 20, {name}: {own:.3f} CPU s"
    if not is_quick:
        start = cpu_seconds()
        expected = apted_teds.teds(*pair)
        seconds = cpu_seconds() - start
        _check(expected, teds(*pair, preset="pubtabnet").value or 0.0)
        line += f"; apted {seconds:.1f} CPU s, equal, ratio {seconds / own:.0f}"
    print(line, flush=True)


def _seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call, best of five; calls of over half a second run once."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
        if best > 0.5:
            break
    return best


def _check(expected: float, value: float) -> None:
    if abs(expected - value) > 1e-9:
        raise SystemExit(f"apted gives {expected}, this implementation {value}")


def _sixty_by_twenty() -> dict[str, _Pair]:
    """Two tables each: the same, one cell in ten damaged, eight rows missing, nothing shared."""
    chance = random.Random(7)
    cells = [[_word(chance) for _ in range(20)] for _ in range(60)]
    damaged = [[_word(chance) if chance.random() < 0.1 else cell for cell in row] for row in cells]
    missing = [row for index, row in enumerate(damaged) if index % 8]
    unrelated = [[_word(chance) for _ in range(20)] for _ in range(60)]
    reference = _markup(cells)
    return {
        "identical": (reference, reference),
        "10 % of cells damaged": (_markup(damaged), reference),
        "8 rows missing, 10 % damaged": (_markup(missing), reference),
        "nothing shared": (_markup(unrelated), reference),
    }


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("0123456789. abcdef") for _ in range(chance.randint(3, 12)))


def _markup(cells: list[list[str]]) -> str:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return f"<html><body><table>{rows}</table></body></html>"


if __name__ == "__main__":
    main(is_quick="--quick" in sys.argv)
