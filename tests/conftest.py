"""What every test can use, and which skips CI puts up with."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import translation
from hypothesis import settings

from config.translations.catalogue import compile_all
from tests.sites.databases import migrated_postgres, migrated_sqlite

# On a user's machine anything may be absent. In CI a skip is a hole: only these reasons are accepted there.
ACCEPTED_SKIPS = (
    r"needs root to mount",  # a small disk to fill
    r"needs \.\./shared",  # reference vectors and real scans are not part of the project
)
# How long one example takes says nothing on a machine that runs everything at once.
settings.register_profile("inkbench", deadline=None)
settings.load_profile("inkbench")
# The longest files, and the folders of files that mostly wait for processes and pages, begin first: no worker is to be
# left alone with one of them at the end. `--durations` shows when the order is no longer right.
LONGEST = (
    "blindness/test_verify.py",
    "browser/test_journey",
    "faults/test_votes_killed.py",
    "blindness",
    "browser/test_structure_pages.py",
    "browser/test_expert_study.py",
    "faults",
    "baseline/test_at_once.py",
    "evaluation/model_clients/recognisers",
    "browser",
    "annotation/demo",
    "baseline",
    "api/test_fuzz.py",
    "evaluation/preference",
    "",
)
_skipped: list[tuple[str, str]] = []


def pytest_configure(config: pytest.Config) -> None:
    """The site under test speaks both languages."""
    if hasattr(config, "workerinput"):
        return  # a worker, whose controller has compiled them
    compile_all(Path(__file__).resolve().parent.parent / "locale")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first; takes effect between workers with `--no-loadscope-reorder`."""
    here = Path(__file__).resolve().parent

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(here).as_posix()
        return next(number for number, folder in enumerate(LONGEST) if path.startswith(folder))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end: the collector need not look through them again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        _skipped.append((report.nodeid, report.longrepr[2].removeprefix("Skipped: ")))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if not os.environ.get("CI") or exitstatus != pytest.ExitCode.OK:
        return
    holes = [(test, why) for test, why in _skipped if not any(re.match(ok, why) for ok in ACCEPTED_SKIPS)]
    for test, why in holes:
        print(f"\nSkipped in CI without being on the list: {test}: {why}")
    if holes:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """On SQLite the file that `django_db_modify_db_settings` lays down is used as it is."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The test database begins as a copy of a migrated one."""
    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        shutil.copyfile(migrated_sqlite(), test["NAME"])
    else:
        test["TEMPLATE"] = migrated_postgres(os.environ["TEST_DATABASE_URL"])
        connection.ops.sql_flush = _delete_rows


def _delete_rows(style: object, tables: Iterable[str], **options: bool) -> list[str]:
    """Empty the tables after a test that commits. TRUNCATE, as Django has it, makes new files for each table, slowly.

    Foreign keys are checked when the flush commits, so the order does not matter.
    """
    return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; the test is skipped where there is none."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        pytest.skip("needs Chromium (apt-get install chromium)")
    return path


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A request leaves its language to the thread it ran in; no test begins in the one before's."""
    with translation.override("en"):
        yield
