"""Speed of the string metrics: imports, 500 samples, and 77,572 pairs with five metrics each.

`python -m benchmarks.metrics.bench_text [--quick]`; `--quick` takes a twentieth of the 77,572 and scales up.
"""

from __future__ import annotations

import subprocess
import sys
import time
from functools import partial

from benchmarks.metrics.handwriting import COUNTS, handwriting_samples
from benchmarks.metrics.timing import cpu_seconds, measure, peak_memory
from evaluation.metrics.bundles import ALL, Report, ScoringSample, score_samples
from evaluation.metrics.normalise.unicode_maths import clear_cache
from evaluation.predictions import Text

_IMPORTS = (
    "import time; start = time.process_time()\n"
    "from evaluation.metrics import edit, cer, wer, ned, bleu, token_f1{more}\n"
    "print(time.process_time() - start)"
)


def main(*, is_quick: bool) -> None:
    """Print the measurements."""
    for name, more in (("string metrics", ""), ("every metric", ", all_metrics; all_metrics()")):
        seconds = [_import_seconds(more) for _ in range(5)]
        print(f"import, {name}: {min(seconds):.2f} CPU s (best of 5, worst {max(seconds):.2f})")
    samples = list(_five_hundred())
    score_samples(samples[:5], bundle="omnidocbench-1.5")  # loads on first use are not measured
    for preset in ("inkbench-1", "omnidocbench-1.5", "omnidocbench-1.6"):
        timing = measure(partial(_score_afresh, samples, preset))
        print(f"{len(samples)} texts, every string metric with the preset {preset}: {timing}")
    _whole_suite(0.05 if is_quick else 1.0)


def _import_seconds(more: str) -> float:
    program = _IMPORTS.format(more=more)
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(process.stdout)


def _five_hundred() -> list[ScoringSample]:
    samples = [sample for sample in handwriting_samples(0.05) if sample.structure == "text"]
    texts = samples[:: max(1, len(samples) // 500)][:500]
    return [
        ScoringSample(
            text.id, "text", Text(f"{text.prediction} $x_{{{i}}}^2$"), Text(f"{text.reference} $x_{{{i}}}^2$")
        )
        for i, text in enumerate(texts)
    ]


def _score_afresh(samples: list[ScoringSample], preset: str) -> None:
    clear_cache()  # otherwise later rounds would use cached formulas
    score_samples(samples, bundle=preset)


def _whole_suite(share: float) -> None:
    count = sum(COUNTS.values())
    reports: list[Report] = []
    for workers in (1, 2):
        start, wall_start = cpu_seconds(), time.perf_counter()
        reports.append(
            score_samples(handwriting_samples(share), bundle="omnihandwritingocr", workers=workers)
        )
        seconds, passed = cpu_seconds() - start, time.perf_counter() - wall_start
        scaled = f", {seconds / share:.0f} for all {count}" if share < 1 else ""
        print(
            f"{reports[-1].n_samples} pairs, five metrics, {workers} worker(s): {seconds:.1f} CPU s{scaled}, "
            f"{passed:.1f} s passed, peak {peak_memory():.0f} MB"
        )
    same = reports[0].as_dict() == reports[1].as_dict()
    print(f"results identical for 1 and 2 workers: {same}; 1-NED {reports[0].scores['ned', ALL].value}")
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main(is_quick="--quick" in sys.argv)
