"""A site of its own in a folder, driven only through real processes, so that they can be killed.

Its rows are in SQLite in the folder, or in a PostgreSQL database of its own.
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

import psycopg

from tests.run_folder import make_once, run_folder
from tests.sites.databases import (
    ROOT,
    create_postgres,
    drop_postgres,
    migrated_postgres,
    migrated_sqlite,
    name_of,
)

LEASE_SECONDS = 1
SETTINGS = {"JOB_LEASE_SECONDS": str(LEASE_SECONDS), "IMPORT_PROCESSES": "2"}
DATABASE_FILE = "inkbench.sqlite3"


@dataclass(frozen=True, slots=True)
class Site:
    data: Path
    database_url: str
    settings: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        plain = {k: v for k, v in os.environ.items() if k not in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL")}
        database = {"DATABASE_URL": self.database_url} if self.database_url else {}
        return {**plain, **database, **self.settings, "INKBENCH_DATA": str(self.data)}

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
                return connection.execute(sql).fetchall()

        with sqlite3.connect(self.data / DATABASE_FILE, timeout=20) as connection:
            return connection.execute(sql).fetchall()

    def files(self) -> list[str]:
        """Every stored file, half-written ones too."""
        root = self.data / "files"
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def make_bare_site(data: Path, *, postgres: str = "") -> Site:
    """A site as installed: migrated, static files collected, no accounts. `postgres` names a server for its rows."""
    data.mkdir()
    if postgres:
        site = Site(data, create_postgres(postgres, _new_name(), template=migrated_postgres(postgres)))
    else:
        site = Site(data, "")
        shutil.copyfile(migrated_sqlite(), data / DATABASE_FILE)
    (data / "static").symlink_to(make_once(run_folder() / "static", _collect_static))
    return site


def make_site(data: Path, *, postgres: str | None = None) -> Site:
    """A bare site with a manager, a project named `letters`, and short leases of jobs.

    On the server of the test run where `postgres` names none.
    """
    server = os.environ.get("TEST_DATABASE_URL", "") if postgres is None else postgres
    site = replace(make_bare_site(data, postgres=server), settings=SETTINGS)
    site.script(
        "from config.accounts.models import User; from config.accounts.services import make_team;"
        "from annotation.models import Project;"
        "u = User.objects.create_user('manager'); t = make_team(slug='letters', name='L', manager=u);"
        "Project.objects.create(team=t, slug='letters', name='L', created_by=u)",
    )
    return site


def with_settings(site: Site, **settings: str) -> Site:
    """The site with more environment variables."""
    return replace(site, settings=site.settings | settings)


def copy_site(site: Site, data: Path) -> Site:
    """The same site again, rows and files."""
    shutil.copytree(site.data, data, symlinks=True)
    url = site.database_url
    return replace(
        site,
        data=data,
        database_url=create_postgres(url, _new_name(), template=name_of(url)) if url else "",
    )


def drop_site(site: Site) -> None:
    shutil.rmtree(site.data, ignore_errors=True)
    if site.database_url:
        drop_postgres(site.database_url)


def kill(process: subprocess.Popen[bytes]) -> None:
    """kill -9 of the process alone: its children must find out by themselves."""
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()


def _new_name() -> str:
    return f"site_{uuid.uuid4().hex[:12]}"


def _collect_static(folder: Path) -> None:
    site = Site(folder.with_name("collecting"), "")
    site.data.mkdir()
    site.run("collectstatic", "--noinput", "-v0")
    (site.data / "static").rename(folder)
