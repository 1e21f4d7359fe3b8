"""`python -m evaluation.metrics`: see `cli`."""

from __future__ import annotations

import sys

from evaluation.metrics.cli import main

if __name__ == "__main__":  # spawned workers import this module too
    sys.exit(main())
