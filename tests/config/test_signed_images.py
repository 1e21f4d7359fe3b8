"""An image's address works for one person, and only while they belong to where the image is."""

from __future__ import annotations

import pytest
from django.core import signing
from django.test import Client

from config.accounts.models import Role
from config.accounts.services import set_roles
from config.signed_images import image_token
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.django_db


def test_image_when_the_person_has_left_the_project_then_an_old_address_is_dead(client: Client) -> None:
    project = make_project()
    person = make_member(project, Role.REVIEWER)
    token = image_token(person=person, blob=make_sample(project).full_blob, team=project.team)
    client.force_login(person)
    assert client.get(f"/images/{token}").status_code == 200
    set_roles(team=project.team, user=person, roles=[])
    assert client.get(f"/images/{token}").status_code == 404


def test_image_when_the_address_is_anothers_or_of_an_older_form_then_404(client: Client) -> None:
    project = make_project()
    blob = make_sample(project).full_blob
    client.force_login(make_member(project, Role.ANNOTATOR))
    old = signing.dumps([client.session["_auth_user_id"], blob], salt="inkbench.image")
    for token in (image_token(person=project.created_by, blob=blob, team=project.team), old, "x"):
        assert client.get(f"/images/{token}").status_code == 404
