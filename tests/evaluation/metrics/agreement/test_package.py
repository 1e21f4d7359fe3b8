"""The package as a whole: what it loads, and its page."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path


def test_agreement_when_imported_cold_then_neither_scipy_nor_numpy() -> None:
    code = (
        "import sys, evaluation.metrics.agreement; print([m for m in ('scipy', 'numpy') if m in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"


def test_page_when_its_examples_run_then_as_printed() -> None:
    page = Path(__file__).parents[4] / "docs" / "metrics" / "agreement.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted
    assert not failed
