"""A project whose manager is signed in."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Project
from tests.factories import make_project


@pytest.fixture
def project(client: Client) -> Project:
    made = make_project()
    client.force_login(made.created_by)
    return made
