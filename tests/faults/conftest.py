"""A site on each database, to be copied by the tests that serve and kill it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.browser.conftest import DIST
from tests.sites.databases import server_of_tests, with_name
from tests.sites.site import Site, drop_site, make_site

DATABASES = [pytest.param("sqlite"), pytest.param("postgres", marks=pytest.mark.postgres)]


def seeds(count: int) -> list[object]:
    """`count` seeds, of which the first runs every time and the others in the long form."""
    return [pytest.param(seed, marks=[pytest.mark.faults] if seed else []) for seed in range(count)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A process is killed on SQLite every time, and on PostgreSQL in the long form."""
    for item in items:
        values = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if values.get("bare_site") == "postgres" and "seed" in values:
            item.add_marker(pytest.mark.faults)


@pytest.fixture(scope="session", params=DATABASES)
def bare_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A manager and a project `letters`, for each test to copy."""
    if not DIST.exists():
        pytest.skip("needs the built front end (npm run build)")
    server = postgres_server() if request.param == "postgres" else ""
    site = make_site(tmp_path_factory.mktemp(f"bare-{request.param}") / "site", postgres=server)
    yield site
    drop_site(site)


def postgres_server() -> str:
    """The URL of a server on which databases may be made; the test is skipped where there is none."""
    server = server_of_tests()
    try:
        psycopg.connect(with_name(server, "postgres"), connect_timeout=5).close()
    except psycopg.OperationalError:
        pytest.skip("needs PostgreSQL (TEST_POSTGRES)")
    return server
