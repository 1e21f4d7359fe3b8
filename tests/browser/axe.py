"""What axe finds wrong with a page, and whether it fits its window."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def axe_words(page: Page, *, within: str | None = None) -> list[str]:
    violations = Axe().run(page, context=within).response["violations"]
    return [f"{rule['id']}: {node['html'][:160]}" for rule in violations for node in rule["nodes"]]


def check_looks(page: Page, what: str) -> None:
    """Axe finds nothing, and nobody has to scroll sideways."""
    if words := axe_words(page):
        pytest.fail(f"{what}: " + "\n".join(words))
    width, scroll = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert scroll <= width, f"{what} scrolls sideways at {width}"
