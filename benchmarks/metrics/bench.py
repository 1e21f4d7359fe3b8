"""Speed of the metrics: `make bench`, or `python -m benchmarks.metrics.bench [--quick] [FAMILY ...]`.

Runs every `bench_<family>.py` beside this file (or those named): each has `main(*, is_quick: bool)` and
prints CPU seconds with their noise. Ratios are within one run.
"""

from __future__ import annotations

import argparse

from benchmarks.metrics.families import family_modules


def main(arguments: list[str] | None = None) -> None:
    """Run the given families."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metrics.bench")
    parser.add_argument("families", nargs="*", help="text, tables, ... (default: all there are)")
    parser.add_argument("--quick", action="store_true", help="smaller corpora, scaled up")
    options = parser.parse_args(arguments)
    for module in family_modules("bench"):
        family = module.__name__.rpartition("_")[2]
        if not options.families or family in options.families:
            print(f"== {family}", flush=True)
            module.main(is_quick=options.quick)


if __name__ == "__main__":
    main()
