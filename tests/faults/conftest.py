"""A migrated site on each database, to be copied by the tests that serve and kill it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psycopg
import pytest

from tests.browser.conftest import DIST
from tests.faults.site import Site, drop_site, make_site

DATABASES = [pytest.param("sqlite"), pytest.param("postgres", marks=pytest.mark.postgres)]


def seeds(count: int, *, at_once: int) -> list[object]:
    """`count` seeds, of which the first `at_once` run every time and the others in the long form."""
    return [
        pytest.param(seed, marks=[pytest.mark.faults] if seed >= at_once else []) for seed in range(count)
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On PostgreSQL one seed runs every time; the others are of the long form."""
    for item in items:
        values = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if values.get("bare_site") == "postgres" and values.get("seed", 0) >= 1:
            item.add_marker(pytest.mark.faults)


@pytest.fixture(scope="session", params=DATABASES)
def bare_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A manager, a project `letters`, static files collected."""
    if not DIST.exists():
        pytest.skip("needs the built front end (npm run build)")
    url = postgres_url() if request.param == "postgres" else ""
    site = make_site(tmp_path_factory.mktemp(f"bare-{request.param}") / "site", postgres=url)
    site.run("collectstatic", "--noinput", "-v0")
    yield site
    drop_site(site)


def postgres_url() -> str:
    """A server on which databases may be made; the test is skipped where there is none."""
    url = os.environ.get("TEST_DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/postgres"
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        pytest.skip("needs PostgreSQL (TEST_DATABASE_URL)")
    return url
