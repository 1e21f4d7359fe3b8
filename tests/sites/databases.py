"""Migrated databases to copy from: to migrate takes seconds, and every worker of a run and every site needs one.

They are kept between runs under the hash of what makes them, so a changed migration makes a new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.run_folder import make_once

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".pytest_cache" / "migrated"
PACKAGES = ("config", "evaluation", "annotation", "baseline")
PREFIX = "inkbench_migrated_"
HASH_LENGTH = 16


@cache
def _hash_of_migrations() -> str:
    """Of our migrations, the settings that say which apps there are, and the versions of theirs."""
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("migrations/*.py")]
    files += [ROOT / "config" / "settings.py", ROOT / "constraints.txt", *ROOT.glob("requirements*.txt")]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_LENGTH]


def migrated_sqlite() -> Path:
    """A migrated SQLite file, to be copied and not to be opened."""
    return make_once(KEPT / f"{_hash_of_migrations()}.sqlite3", _make_sqlite)


def _make_sqlite(path: Path) -> None:
    for old in KEPT.glob("*.sqlite3*"):
        if not old.name.startswith(path.name):
            old.unlink()
    with tempfile.TemporaryDirectory() as data:
        _migrate(data)
        shutil.copyfile(Path(data) / "inkbench.sqlite3", path)


def server_of_tests() -> str:
    """The URL of the PostgreSQL server to use, with a database that may be made and dropped on it."""
    return os.environ.get("TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/inkbench_tests")


def migrated_postgres(server: str) -> str:
    """The name of a migrated database on `server` (a URL), to be the template of others and not to be connected to."""
    name = PREFIX + _hash_of_migrations()
    with psycopg.connect(with_name(server, "postgres"), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])  # until the connection closes
        if not _exists(connection, name):
            unfinished = f"{name}_unfinished"
            connection.execute(_statement("DROP DATABASE IF EXISTS {} WITH (FORCE)", unfinished))
            connection.execute(_statement("CREATE DATABASE {}", unfinished))
            with tempfile.TemporaryDirectory() as data:
                _migrate(data, DATABASE_URL=with_name(server, unfinished))
            connection.execute(_statement("ALTER DATABASE {} RENAME TO {}", unfinished, name))
    return name


def create_postgres(server: str, name: str, *, template: str) -> str:
    """The URL of a new database on `server`, a copy of `template`."""
    with psycopg.connect(with_name(server, "postgres"), autocommit=True) as connection:
        connection.execute(_statement("CREATE DATABASE {} TEMPLATE {}", name, template))
    return with_name(server, name)


def drop_postgres(url: str) -> None:
    with psycopg.connect(with_name(url, "postgres"), autocommit=True) as connection:
        connection.execute(_statement("DROP DATABASE {} WITH (FORCE)", name_of(url)))


def with_name(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def name_of(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")


def _exists(connection: psycopg.Connection[tuple[object, ...]], name: str) -> bool:
    rows = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
    return rows.fetchone() is not None


def _statement(template: str, *names: str) -> sql.Composed:
    return sql.SQL(template).format(*map(sql.Identifier, names))


def _migrate(data: str, **environment: str) -> None:
    hidden = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    plain = {name: value for name, value in os.environ.items() if name not in hidden}
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "-v0"],
        cwd=ROOT,
        env=plain | {"INKBENCH_DATA": data} | environment,
        check=True,
    )
