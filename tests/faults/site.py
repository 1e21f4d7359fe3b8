"""A site of its own in a folder, driven only through real processes, so that they can be killed.

With TEST_DATABASE_URL its rows are in a fresh PostgreSQL database, otherwise in SQLite in the folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Site:
    data: Path
    database_url: str
    settings: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        plain = {k: v for k, v in os.environ.items() if k not in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL")}
        database = {"DATABASE_URL": self.database_url} if self.database_url else {}
        lease = {"JOB_LEASE_SECONDS": str(LEASE_SECONDS), "IMPORT_PROCESSES": "2"}
        return {**plain, **database, **lease, **self.settings, "INKBENCH_DATA": str(self.data)}

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.environment(),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str) -> str:
        """Standard output of a management command that must succeed."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.environment(),
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def script(self, source: str) -> str:
        """Standard output of Python run in the site's shell, to lay out what a test begins with."""
        return self.run("shell", "-v0", "-c", source)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        if self.database_url:
            with psycopg.connect(self.database_url) as connection:
                return connection.execute(sql).fetchall()  # type: ignore[arg-type]

        with sqlite3.connect(self.data / "inkbench.sqlite3", timeout=20) as connection:
            return connection.execute(sql).fetchall()

    def files(self) -> list[str]:
        """Every stored file, half-written ones too."""
        root = self.data / "files"
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def make_site(data: Path, *, postgres: str | None = None) -> Site:
    """A migrated site with a manager and a project named `letters`; on the server `postgres` where it is named."""
    base = os.environ.get("TEST_DATABASE_URL", "") if postgres is None else postgres
    site = Site(data, _create_database(base) if base else "")
    site.run("migrate", "-v0")
    site.script(
        "from config.accounts.models import User; from config.accounts.services import make_team;"
        "from annotation.models import Project;"
        "u = User.objects.create_user('manager'); t = make_team(slug='letters', name='L', manager=u);"
        "Project.objects.create(team=t, slug='letters', name='L', created_by=u)",
    )
    return site


def copy_site(site: Site, data: Path) -> Site:
    """The same site again, rows and files."""
    shutil.copytree(site.data, data)
    url = _create_database(site.database_url, template=site.database_url) if site.database_url else ""
    return replace(site, data=data, database_url=url)


def drop_site(site: Site) -> None:
    shutil.rmtree(site.data, ignore_errors=True)
    if site.database_url:
        with psycopg.connect(_with_name(site.database_url, "postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {_name_of(site.database_url)} WITH (FORCE)")  # type: ignore[arg-type]


def kill(process: subprocess.Popen[bytes]) -> None:
    """kill -9 of the process alone: its children must find out by themselves."""
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()


def _create_database(url: str, *, template: str = "") -> str:
    name = f"faults_{uuid.uuid4().hex[:12]}"
    copy = f" TEMPLATE {_name_of(template)}" if template else ""
    with psycopg.connect(_with_name(url, "postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}{copy}")  # type: ignore[arg-type]
    return _with_name(url, name)


def _with_name(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _name_of(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")
