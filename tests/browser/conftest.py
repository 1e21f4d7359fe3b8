"""A browser under the product's own policy: every violation and every script error fails the test that met it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Machines that run everything at once are slow; a test that waits in vain fails all the same.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)

DIST = Path(__file__).resolve().parents[2] / "static" / "dist"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser and needs the built front end."""
    for item in items:
        if Path(__file__).parent in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)
            if not DIST.exists():
                item.add_marker(pytest.mark.skip(reason="needs the built front end (npm run build)"))


@pytest.fixture(scope="session", autouse=True)
def _sync_orm_beside_playwright() -> Iterator[None]:
    """Playwright runs an event loop in this thread; the tests' own queries are synchronous all the same."""
    patch = pytest.MonkeyPatch()
    patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object], chromium: str) -> dict[str, object]:
    return {**browser_type_launch_args, "executable_path": chromium, "args": FLAGS}


class Troubles(list[str]):
    """What went wrong in the pages of a context; a test that provokes a trouble names it with `expect`."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[str] = []

    def expect(self, *words: str) -> None:
        self.expected.extend(words)

    def note(self, words: str) -> None:
        self.append(words)

    def unexpected(self) -> list[str]:
        return [trouble for trouble in self if not any(words in trouble for words in self.expected)]


def watch(context: BrowserContext, troubles: Troubles) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            troubles.note(message.text)

    def on_page(page: Page) -> None:
        page.on("console", on_console)
        page.on("pageerror", lambda error: troubles.note(f"script error: {error}"))

    context.on("page", on_page)


@pytest.fixture
def troubles() -> Iterator[Troubles]:
    noted = Troubles()
    yield noted
    assert noted.unexpected() == []


@pytest.fixture
def watched(browser: Browser, troubles: Troubles) -> Iterator[BrowserContext]:
    """A browser context of its own, English, 1280 x 800, watched for violations of the policy.

    Nothing moves in it: axe measures contrast, and a colour on its way to another has none that anybody chose.
    """
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    watch(context, troubles)
    yield context
    context.close()


@pytest.fixture
def chromium_alone(whole_chromium: str, tmp_path: Path) -> Iterator[list[str]]:
    """A command that starts a browser with a profile of its own, which outlives a kill -9."""
    yield [whole_chromium, *FLAGS, "--headless=new", f"--user-data-dir={tmp_path / 'profile'}", "about:blank"]
