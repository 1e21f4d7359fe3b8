"""The tests that a database decides, once more on PostgreSQL, where a server answers.

    python -m tools.on_postgres [--whole] [pytest options]

They are marked `database`: claims, locks, constraints, JSON, queries, sums, sorting, what a column refuses. With
--whole, every test that touches data. `TEST_POSTGRES` names the server and a database that may be made on it; by
default the local one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg

from tests.sites.databases import ROOT, server_of_tests, with_name

MARK = "pytest.mark.database"
DATA = (
    "tests/annotation/services",
    "tests/annotation/people",
    "tests/annotation/views",
    "tests/evaluation/preference",
    "tests/evaluation/services",
    "tests/evaluation/pages",
    "tests/baseline",
    "tests/config",
    "tests/api",
)


def marked_files() -> list[Path]:
    """The files that hold a marked test: to collect the others takes longer than to run most of these."""
    return sorted(path for path in (ROOT / "tests").rglob("test_*.py") if MARK in path.read_text("utf-8"))


def main() -> int:
    url = server_of_tests()
    try:
        psycopg.connect(with_name(url, "postgres"), connect_timeout=5).close()
    except psycopg.OperationalError as error:
        print(f"Skipped on PostgreSQL: no server to use at {url} ({str(error).strip().splitlines()[0]}).")
        print("Start one, or name it: TEST_POSTGRES=postgres://user:password@host:5432/database make test")
        return 1 if os.environ.get("CI") else 0
    options = [option for option in sys.argv[1:] if option != "--whole"]
    if len(options) < len(sys.argv[1:]):
        chosen = [*DATA, "-m", "not browser"]
    else:
        chosen = [*map(str, marked_files()), "-m", "database and not long and not faults"]
    command = [sys.executable, "-m", "pytest", *chosen, *options]
    return subprocess.call(command, cwd=ROOT, env=os.environ | {"TEST_DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main())
