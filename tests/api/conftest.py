"""A project with one of everybody, and clients that sign in with tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from rest_framework.test import APIClient

from annotation.models import Project
from config.accounts.models import Role, User
from config.api.services import make_token
from tests.factories import make_member, make_project, make_user

ClientFor = Callable[[User], APIClient]


@dataclass(frozen=True, slots=True)
class Cast:
    """The people of one project, and one who is not in it."""

    project: Project
    manager: User
    annotator: User
    reviewer: User
    adjudicator: User
    stranger: User


@pytest.fixture
def cast(db: None) -> Cast:
    manager = make_user("manager")
    project = make_project(manager=manager, slug="letters")
    return Cast(
        project=project,
        manager=manager,
        annotator=make_member(project, Role.ANNOTATOR, name="annotator"),
        reviewer=make_member(project, Role.REVIEWER, name="reviewer"),
        adjudicator=make_member(project, Role.ADJUDICATOR, name="adjudicator"),
        stranger=make_user("stranger"),
    )


def client_for(user: User) -> APIClient:
    """A program of this person's."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user=user, name='test')}")
    return client
