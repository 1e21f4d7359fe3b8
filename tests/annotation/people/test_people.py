"""Members, roles and invitations of a project."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from config.accounts.models import Invitation, Role
from config.accounts.selectors import members_of, roles_in
from tests.factories import make_member, make_project, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def _set(client: Client, project: Project, person, roles: list[str]):
    return client.post(reverse("person_roles", args=[project.slug, person.pk]), {"roles": roles}, follow=True)


def test_roles_when_changed_then_the_person_has_exactly_those(client: Client, project: Project) -> None:
    person = make_member(project, Role.ANNOTATOR)
    _set(client, project, person, ["reviewer", "adjudicator"])
    assert roles_in(person, project.team) == {Role.REVIEWER, Role.ADJUDICATOR}


def test_roles_when_all_are_taken_then_the_person_has_left(client: Client, project: Project) -> None:
    person = make_member(project, Role.ANNOTATOR)
    _set(client, project, person, [])
    assert [user for user, _roles in members_of(project.team)] == [project.created_by]


def test_roles_when_the_last_manager_steps_down_then_it_is_refused_in_words(
    client: Client, project: Project
) -> None:
    response = _set(client, project, project.created_by, ["annotator"])
    assert "Make someone else a manager first" in response.text
    assert roles_in(project.created_by, project.team) == {Role.MANAGER}


def test_roles_when_one_of_two_managers_steps_down_then_they_land_on_home(
    client: Client, project: Project
) -> None:
    make_member(project, Role.MANAGER)
    response = _set(client, project, project.created_by, ["annotator"])
    assert response.redirect_chain[-1][0] == reverse("home")


def test_roles_when_the_person_is_not_in_the_project_then_404(client: Client, project: Project) -> None:
    assert _set(client, project, make_user(), ["annotator"]).status_code == 404


@pytest.mark.parametrize("roles", [["king"], ["annotator", "king"]])
def test_roles_when_unknown_then_the_field_says_so(
    client: Client, project: Project, roles: list[str]
) -> None:
    person = make_member(project, Role.ANNOTATOR)
    assert "roles" in _set(client, project, person, roles).context["form"].errors
    assert roles_in(person, project.team) == {Role.ANNOTATOR}


def test_invitation_when_made_then_its_whole_link_stands_there_to_copy(
    client: Client, project: Project
) -> None:
    address = reverse("project_people", args=[project.slug])
    page = client.post(address, {"roles": ["reviewer"], "days": 3, "max_uses": 2}, follow=True).text
    invitation = Invitation.objects.get()
    link = f"http://testserver{reverse('invitation', args=[invitation.token])}"
    assert f'data-copy="{link}"' in page and "used 0 of 2" in page
    assert (invitation.roles, invitation.max_uses) == (["reviewer"], 2)
    assert (invitation.expires_at - invitation.created_at).days in (2, 3)


def test_invitation_when_revoked_then_it_leaves_the_list_and_stops_working(
    client: Client, project: Project
) -> None:
    address = reverse("project_people", args=[project.slug])
    client.post(address, {"roles": ["reviewer"], "days": 3, "max_uses": 2})
    invitation = Invitation.objects.get()
    page = client.post(reverse("invitation_revoke", args=[project.slug, invitation.pk]), follow=True).text
    assert invitation.token not in page and "1 older link is used up, expired or revoked." in page
    assert client.get(reverse("invitation", args=[invitation.token])).status_code == 410


@pytest.mark.parametrize(
    ("change", "field"),
    [({"roles": []}, "roles"), ({"days": 0}, "days"), ({"days": 400}, "days"), ({"max_uses": 0}, "max_uses")],
)
def test_invitation_when_a_value_is_bad_then_its_field_says_so(
    client: Client, project: Project, change: dict, field: str
) -> None:
    data = {"roles": ["reviewer"], "days": 3, "max_uses": 1} | change
    response = client.post(reverse("project_people", args=[project.slug]), data)
    assert list(response.context["form"].errors) == [field] and not Invitation.objects.exists()


def test_invitation_of_another_project_when_revoked_from_this_one_then_404(
    client: Client, project: Project
) -> None:
    other = make_project()
    foreign = Invitation.objects.create(
        team=other.team, created_by=other.created_by, roles=["annotator"], expires_at=other.created_at
    )
    assert client.post(reverse("invitation_revoke", args=[project.slug, foreign.pk])).status_code == 404
