"""Ana's work page: page, views and rows are the product's."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from annotation.models import Assignment, Project
from config.accounts.models import Role, User
from tests.browser.real_page import (
    open_page,
    sign_in,
)
from tests.browser.work.page import take_assignment
from tests.factories import make_member, make_project


@pytest.fixture
def project() -> Project:
    return make_project(slug="letters")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, Role.ANNOTATOR, name="ana")


@pytest.fixture
def assignment(project: Project, ana: User) -> Assignment:
    return take_assignment(project, ana)


@pytest.fixture
def address(live_server: Any, assignment: Assignment) -> str:
    return f"{live_server.url}/work/{assignment.uuid}/"


@pytest.fixture
def work(watched: BrowserContext, live_server: Any, ana: User, address: str) -> Page:
    """Ana's work page, its image on the screen."""
    sign_in(watched, live_server.url, ana)
    return open_page(watched, address)
