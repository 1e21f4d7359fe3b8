"""Compare the metrics with the scores of the public reference programs: `make verify-metrics`.

`python -m benchmarks.metrics.verify [../shared/vectors]`. Runs every `verify_<family>.py` beside this file:
each has `main(vectors: Path) -> int`, prints what it compared, and returns 1 if a figure is off. Exit codes:
1 if one of them did, 2 if there are no vectors.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.metrics.comparing import default_vectors
from benchmarks.metrics.families import family_modules


def main(vectors: Path) -> int:
    """Run every family; 0 if all agree."""
    if not vectors.is_dir():
        print(f"{vectors} is not there: give the folder of the vectors, or set INKBENCH_SHARED.")
        return 2
    results = {
        module.__name__.rpartition("_")[2]: module.main(vectors) for module in family_modules("verify")
    }
    failed = [family for family, result in results.items() if result]
    print(f"{len(results)} families verified" + (f"; off: {', '.join(failed)}" if failed else "; none off"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default_vectors()))
