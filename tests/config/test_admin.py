"""The admin site: a window for superusers, without a view of what people wrote."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Event, Label, Work
from config.accounts.models import Invitation, Role, User
from config.accounts.services import invite
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from tests.factories import PASSWORD, make_member, make_project, make_sample, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]

CANARY = "zq-canary-in-a-label"
OUR_APPS = {"accounts", "exposure", "annotation", "evaluation"}
# What people wrote or systems answered; and the secret half of an invitation.
CONTENT = {
    "label", "draft", "note", "evidence", "suggestion", "suggestionuse", "dispute", "field", "signature", "message",
    "disclosure", "golditem", "prediction", "itemscore",
}  # fmt: skip


def _ours() -> list[type]:
    return [model for model in admin.site._registry if model._meta.app_label in OUR_APPS]


def _names(kind: str) -> list[str]:
    return [f"admin:{m._meta.app_label}_{m._meta.model_name}_{kind}" for m in _ours()]


def _full_project() -> Invitation:
    project = make_project()
    sample = make_sample(project, transcript=CANARY)
    person = make_member(project, Role.ANNOTATOR)
    assignment = Assignment.objects.create(
        sample=sample, person=person, stage="label", round=1, mode="verify"
    )
    Label.objects.create(
        sample=sample, assignment=assignment, stage="label", round=1, text=CANARY, image_hash="x"
    )
    Event.objects.create(sample=sample, verb="return", actor=person, reason=CANARY)
    record_exposure(user=person, image_hash="x", role="annotator", saw=SeenContent.IMAGE, place="work")
    return invite(team=project.team, by=project.created_by, roles=[Role.ANNOTATOR])


def test_admin_when_models_are_registered_then_none_holds_content() -> None:
    assert {model._meta.model_name for model in _ours()} & CONTENT == set()


def test_admin_when_a_superuser_opens_every_page_then_all_stand_and_no_content_or_token_is_shown(
    client: Client,
) -> None:
    invitation = _full_project()
    client.force_login(make_user(is_staff=True, is_superuser=True))
    seen = 0
    for model in _ours():
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"{base}_changelist"), reverse(f"{base}_changelist") + "?q=x"]
        pages += [reverse(f"{base}_change", args=[row.pk]) for row in model._default_manager.all()[:2]]
        for page in pages:
            response = client.get(page)
            assert response.status_code == 200, page
            assert CANARY not in response.text and invitation.token not in response.text, page
            seen += 1
    assert seen > 30


def test_admin_when_staff_without_powers_look_then_only_what_they_were_given_is_there(client: Client) -> None:
    _full_project()
    staff = make_user(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label__in=OUR_APPS))
    client.force_login(staff)
    for name in _names("changelist"):
        response = client.get(reverse(name))
        assert response.status_code == (200 if name == "admin:accounts_user_changelist" else 403), name
    assert client.get(reverse("admin:autocomplete"), {"term": "zq"}).status_code in (403, 404)


@pytest.mark.parametrize("kind", ["add", "change", "delete"])
def test_admin_when_a_superuser_tries_to_write_a_row_of_work_then_it_is_refused(
    client: Client, kind: str
) -> None:
    _full_project()
    client.force_login(make_user(is_staff=True, is_superuser=True))
    for model in _ours():
        if model is User:
            continue
        row = model._default_manager.first()
        args = [] if kind == "add" else [row.pk if row else 0]
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{kind}"
        response = client.post(reverse(name, args=args), {"post": "yes", "status": "done", "stage": "done"})
        assert response.status_code in ((403,) if row or kind == "add" else (302, 403)), name
    assert Work.objects.get().stage == "label"


def test_admin_when_staff_edit_people_then_powers_and_superusers_are_out_of_reach(client: Client) -> None:
    boss = make_user(is_staff=True, is_superuser=True)
    staff = make_user(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client.force_login(staff)
    own = reverse("admin:accounts_user_change", args=[staff.pk])
    client.post(own, {"username": staff.username, "is_superuser": "on", "is_staff": "on", "theme": "auto"})
    staff.refresh_from_db()
    assert not staff.is_superuser
    assert client.post(reverse("admin:auth_user_password_change", args=[boss.pk]), {}).status_code == 403


def test_admin_when_an_ordinary_person_asks_then_there_is_nothing(client: Client) -> None:
    client.force_login(make_user())
    for name in [
        "admin:index",
        "admin:login",
        "admin:logout",
        "admin:password_change",
        *_names("changelist"),
    ]:
        response = client.get(reverse(name))
        assert response.status_code == 404 and "Page not found" in response.text, name


def test_admin_when_a_visitor_asks_then_the_sites_sign_in_leads_back(client: Client) -> None:
    make_user("chief", is_staff=True, is_superuser=True)
    page = reverse("admin:accounts_user_changelist")
    asked = client.get(page)
    assert asked.url == f"{reverse('account_login')}?next={page}"
    done = client.post(asked.url, {"login": "chief", "password": PASSWORD, "next": page})
    assert done.url == page and client.get(page).status_code == 200


def test_admin_sign_in_when_a_password_is_posted_then_nobody_is_signed_in(client: Client) -> None:
    make_user("chief", is_staff=True, is_superuser=True)
    typed = {"username": "chief", "password": PASSWORD, "this_is_the_login_form": 1, "next": "/admin/"}
    for name in ("login", "index", "logout", "password_change", "accounts_user_changelist"):
        response = client.post(reverse(f"admin:{name}"), typed)
        assert response.status_code == 302 and response.url.startswith(reverse("account_login")), name
        assert "_auth_user_id" not in client.session
    away = client.get(reverse("admin:login"), {"next": "https://example.org/"})
    assert away.url == f"{reverse('account_login')}?next={reverse('admin:index')}"


def test_admin_when_staff_have_a_second_step_then_it_stands_before_the_admin_too(client: Client) -> None:
    staff = make_user("chief", is_staff=True, is_superuser=True)
    TOTP.activate(staff, generate_totp_secret())
    asked = client.get(reverse("admin:index"))
    step = client.post(asked.url, {"login": "chief", "password": PASSWORD, "next": reverse("admin:index")})
    assert step.url.startswith(reverse("mfa_authenticate"))
    assert client.get(reverse("admin:index")).status_code == 302


def test_admin_when_staff_change_the_password_or_sign_out_then_on_the_sites_pages(client: Client) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    for name in ("admin:password_change", "admin:password_change_done"):
        assert client.get(reverse(name)).url == reverse("account_change_password")
    assert client.get(reverse("admin:login")).url == reverse("admin:index")
    client.post(reverse("admin:logout"))
    assert "_auth_user_id" not in client.session
