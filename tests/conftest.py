"""What every test can use, and which skips CI puts up with."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
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
    """The site under test speaks both languages, and is emptied quickly."""
    TransactionTestCase._fixture_teardown = _delete_rows
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


def _delete_rows(_case: TransactionTestCase) -> None:
    """Empty the database after a test that commits.

    Django's flush makes new files for each table of PostgreSQL, and makes every content type and permission anew, which
    takes longer than most tests. Foreign keys are checked at the end of the transaction, so the order does not matter.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        has_rows = " UNION ALL ".join(f"SELECT '{t}' WHERE EXISTS (SELECT 1 FROM \"{t}\")" for t in _tables())
        cursor.execute(has_rows)
        for (table,) in cursor.fetchall():
            cursor.execute(f'DELETE FROM "{table}"')


@cache
def _tables() -> list[str]:
    """Every table of a model, but for those that migrations fill."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted({*tables} - {"django_content_type", "auth_permission"})


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium: where there is one its headless shell, which takes half the processor time."""
    return _browser("chromium-headless-shell", "chromium", "google-chrome")


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    """The path of a Chromium that keeps its profile when it is killed, as the headless shell does not."""
    return _browser("chromium", "google-chrome")


def _browser(*names: str) -> str:
    """The first there is; the test is skipped where there is none."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        pytest.skip("needs Chromium (apt-get install chromium)")
    return path


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A request leaves its language to the thread it ran in; no test begins in the one before's."""
    with translation.override("en"):
        yield
