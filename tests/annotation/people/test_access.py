"""Who reaches which page: strangers and wrong roles get 404, visitors are asked to sign in."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Flag, Project, Sample
from annotation.services.claim_work import claim_work
from annotation.services.configure_project import archive_project, unarchive_project
from annotation.stages import Stage
from config.accounts.models import Role
from config.accounts.services import invite
from tests.factories import make_member, make_project, make_sample, make_user

pytestmark = pytest.mark.django_db

MANAGER_ONLY = [
    ("project", {}, "get"),
    ("project_samples", {}, "get"),
    ("project_settings", {}, "get"),
    ("project_agreement", {}, "get"),
    ("project_questions", {}, "get"),
    ("project_checks", {}, "get"),
    ("project_difficulty", {}, "get"),
    ("project_import", {}, "get"),
    ("project_duplicates", {}, "get"),
    ("project_suggestions", {}, "get"),
    ("project_archive", {}, "post"),
    ("project_people", {}, "get"),
    ("guideline_edit", {}, "get"),
    ("project_recognisers", {}, "get"),
    ("recogniser_edit", {"slot": 1, "kind": "embedded"}, "get"),
    ("recogniser_edit", {"slot": 1, "kind": "endpoint"}, "get"),
    ("recogniser_clear", {"slot": 1}, "post"),
]
EVERY_MEMBER = [("project_guideline", {}, "get"), ("guideline_version", {"number": 1}, "get")]


def _addresses(project: Project) -> list[tuple[str, str]]:
    sample = make_sample(project)
    flag = Flag.objects.create(sample=sample, person=project.created_by, stage="label", message="blurred")
    invitation = invite(team=project.team, by=project.created_by, roles=[Role.ANNOTATOR])
    uuid = {"sample": sample.uuid}
    return [
        *((method, reverse(n, kwargs={"slug": project.slug, **k})) for n, k, method in MANAGER_ONLY),
        ("get", reverse("person_roles", args=[project.slug, project.created_by.pk])),
        ("post", reverse("invitation_revoke", args=[project.slug, invitation.pk])),
        ("get", reverse("sample", kwargs=uuid)),
        ("post", reverse("sample_labels", kwargs=uuid)),
        ("post", reverse("sample_move", kwargs={**uuid, "verb": "withdraw"})),
        ("post", reverse("flag_close", kwargs={**uuid, "pk": flag.pk})),
    ]


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.MANAGER)])
def test_manager_pages_when_anybody_else_asks_then_404_and_nothing_changes(
    client: Client, role: Role | None
) -> None:
    project = make_project(slug="letters")
    addresses = _addresses(project)
    client.force_login(make_user() if role is None else make_member(project, role))
    for method, address in addresses:
        response = getattr(client, method)(address, {"reason": "because"} if method == "post" else None)
        assert response.status_code == 404, address
        assert "Letters" not in response.text
    project.refresh_from_db()
    assert project.archived_at is None
    assert Sample.objects.get().work.status == "open" and Flag.objects.get().closed_at is None
    assert project.team.invitations.get().revoked_at is None


def test_manager_pages_when_a_visitor_asks_then_the_sign_in_page(client: Client) -> None:
    for method, address in _addresses(make_project()):
        response = getattr(client, method)(address)
        assert response.status_code == 302 and response.url.startswith(reverse("account_login")), address


def test_manager_pages_when_the_manager_asks_then_all_open(client: Client) -> None:
    project = make_project()
    client.force_login(project.created_by)
    for method, address in _addresses(project):
        if method == "get":
            assert client.get(address).status_code == 200, address


@pytest.mark.parametrize("role", list(Role))
def test_guideline_when_any_member_asks_then_they_read_it(client: Client, role: Role) -> None:
    project = make_project()
    client.force_login(make_member(project, role))
    for name, kwargs, _method in EVERY_MEMBER:
        response = client.get(reverse(name, kwargs={"slug": project.slug, **kwargs}))
        assert response.status_code == 200 and "Write what the ink says." in response.text


def test_guideline_when_an_annotator_reads_it_then_no_names_and_no_manager_links(client: Client) -> None:
    boss = make_user("boss-with-a-name")
    project = make_project(manager=boss)
    client.force_login(make_member(project, Role.REVIEWER))
    page = client.get(reverse("project_guideline", args=[project.slug])).text
    assert "boss-with-a-name" not in page and reverse("guideline_edit", args=[project.slug]) not in page


def test_guideline_when_a_stranger_asks_then_404(client: Client) -> None:
    project = make_project()
    client.force_login(make_user())
    assert client.get(reverse("project_guideline", args=[project.slug])).status_code == 404


def test_archived_project_when_somebody_asks_for_work_then_its_queues_are_closed(client: Client) -> None:
    project = make_project()
    worker = make_member(project, Role.ANNOTATOR)
    make_sample(project)
    archive_project(project=project)
    assert claim_work(person=worker, project=project, stage=Stage.LABEL) is None
    unarchive_project(project=project)
    assert claim_work(person=worker, project=project, stage=Stage.LABEL) is not None


def test_archived_project_when_its_members_look_then_it_is_not_on_their_home(client: Client) -> None:
    project = make_project(slug="old-letters")
    worker = make_member(project, Role.ANNOTATOR)
    make_sample(project)
    client.force_login(project.created_by)
    client.post(reverse("project_archive", args=[project.slug]))
    client.force_login(worker)
    assert "to transcribe" not in client.get(reverse("home")).text
    client.force_login(project.created_by)
    client.post(reverse("project_archive", args=[project.slug]), {"undo": "1"})
    client.force_login(worker)
    assert "to transcribe" in client.get(reverse("home")).text
