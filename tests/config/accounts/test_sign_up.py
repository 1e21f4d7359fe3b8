"""Who may create an account and a project, by the operator's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from config.accounts.models import Role, User
from config.accounts.services import invite
from tests.factories import make_project, make_user

NEWCOMER = {"username": "newcomer", "password1": "Quill-and-Ink-77", "password2": "Quill-and-Ink-77"}
pytestmark = pytest.mark.django_db


def _sign_up(client: Client) -> bool:
    client.post(reverse("account_signup"), NEWCOMER)
    return User.objects.filter(username="newcomer").exists()


@pytest.mark.parametrize(("mode", "is_possible"), [("open", True), ("invitation", False), ("closed", False)])
def test_sign_up_when_a_stranger_tries_then_the_setting_decides(
    client: Client, settings: Any, mode: str, is_possible: bool
) -> None:
    settings.SIGN_UP = mode
    assert ("Create account" in client.get(reverse("account_login")).text) is is_possible
    assert _sign_up(client) is is_possible


@pytest.mark.parametrize(("mode", "is_possible"), [("invitation", True), ("closed", False)])
def test_sign_up_when_a_valid_invitation_was_opened_then_possible_unless_closed(
    client: Client, settings: Any, mode: str, is_possible: bool
) -> None:
    settings.SIGN_UP = mode
    project = make_project()
    row = invite(team=project.team, by=project.created_by, roles=[Role.ANNOTATOR])
    client.get(reverse("invitation", args=["unknown"]))
    assert not _sign_up(client)
    client.get(reverse("invitation", args=[row.token]))
    assert _sign_up(client) is is_possible


def test_new_project_when_only_the_permitted_may_then_others_are_told_and_have_no_button(
    client: Client, settings: Any
) -> None:
    settings.PROJECT_CREATION = "permitted"
    person = make_user("someone")
    client.force_login(person)
    assert reverse("project_new") not in client.get(reverse("home")).text
    for answer in (client.get(reverse("project_new")), client.post(reverse("project_new"), {"name": "Mine"})):
        assert answer.status_code == 403 and "not permitted to create projects" in answer.text
    assert not Project.objects.exists()
    person.user_permissions.add(Permission.objects.get(codename="add_project"))
    assert client.get(reverse("project_new")).status_code == 200
    assert reverse("project_new") in client.get(reverse("home")).text


@pytest.mark.parametrize(
    ("environment", "modes"),
    [
        ({}, "open everyone"),
        ({"ALLOWED_HOSTS": "ink.localhost,[::1]"}, "open everyone"),
        ({"ALLOWED_HOSTS": "localhost,ink.example.org"}, "invitation permitted"),
        ({"ALLOWED_HOSTS": "*"}, "invitation permitted"),
        ({"WEB_HOST": "0.0.0.0"}, "invitation permitted"),
        ({"WEB_HOST": "0.0.0.0", "SIGN_UP": "closed", "PROJECT_CREATION": "everyone"}, "closed everyone"),
    ],
)
def test_settings_when_others_reach_the_site_then_closed_unless_the_operator_says_otherwise(
    tmp_path: Path, environment: dict[str, str], modes: str
) -> None:
    code = "from config import settings; print(settings.SIGN_UP, settings.PROJECT_CREATION)"
    given = {"PATH": os.environ["PATH"], "INKBENCH_DATA": str(tmp_path), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == modes
