"""The tests that touch data, once more on PostgreSQL, where a server answers.

    python -m tools.on_postgres [pytest options]

`TEST_POSTGRES` names the server and a database that may be made on it; by default the local one.
"""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

DEFAULT = "postgres://postgres@127.0.0.1:5432/inkbench_tests"
TESTS = (
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


def make_database(url: str) -> None:
    """Make the database that `url` names, where it is absent. Raises psycopg.OperationalError without a server."""
    parts = conninfo_to_dict(url)
    name = str(parts.pop("dbname"))
    with psycopg.connect(
        make_conninfo("", **(parts | {"dbname": "postgres", "connect_timeout": 5})), autocommit=True
    ) as db:
        found = db.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if found is None:
            db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def main() -> int:
    url = os.environ.get("TEST_POSTGRES", DEFAULT)
    try:
        make_database(url)
    except psycopg.OperationalError as error:
        print(f"Skipped on PostgreSQL: no server to use at {url} ({str(error).strip().splitlines()[0]}).")
        print("Start one, or name it: TEST_POSTGRES=postgres://user:password@host:5432/database make test")
        return 1 if os.environ.get("CI") else 0
    command = [
        sys.executable,
        "-m",
        "pytest",
        *TESTS,
        "-m",
        "not long and not faults and not browser",
        *sys.argv[1:],
    ]
    return subprocess.call(command, env=os.environ | {"TEST_DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main())
