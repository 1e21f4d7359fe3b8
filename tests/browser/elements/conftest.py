"""The style page and a work page kept in memory: elements against real requests, without a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import style
from tests.browser.real_page import sign_in
from tests.browser.style.workbench import Workbench, clear_workbench, page_jpeg
from tests.factories import make_user

STYLE_TEMPLATES = Path(style.__file__).parent / "templates"


@pytest.fixture
def workbench() -> Workbench:
    fresh = clear_workbench()
    page_jpeg(fresh.page)  # drawn once, before the first page asks for it
    return fresh


@pytest.fixture
def site(live_server: Any, settings: Any) -> str:
    settings.ROOT_URLCONF = "tests.browser.style.urls"
    first = django_settings.TEMPLATES[0]
    settings.TEMPLATES = [{**first, "DIRS": [*first["DIRS"], STYLE_TEMPLATES]}]
    return str(live_server.url)


@pytest.fixture
def work(watched: BrowserContext, site: str, workbench: Workbench) -> Page:
    """The work page, signed in, hints put away, the image on the screen."""
    sign_in(watched, site, make_user("eleanor"))
    watched.add_init_script("try { localStorage.setItem('inkbench:hints:style-work', 'seen') } catch {}")
    page = watched.new_page()
    page.goto(f"{site}/style/work/")
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    return page
