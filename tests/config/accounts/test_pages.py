"""Signing in and up, preferences, and invitations, through the pages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config import settings as project_settings
from config.accounts.models import Invitation, Membership, Role, User
from config.accounts.selectors import roles_in
from config.accounts.services import invite
from config.api.services import active_tokens, find_token, make_token
from tests.factories import PASSWORD, make_project, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ENTRANCE = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]


@pytest.mark.parametrize("name", ENTRANCE)
def test_entrance_page_when_opened_by_a_visitor_then_it_is_drawn_on_our_base(
    client: Client, name: str
) -> None:
    response = client.get(reverse(name))
    assert response.status_code == 200
    assert ("Username or email" in response.text) is (name == "account_login")
    assert 'class="page page--narrow"' in response.text and "bar__brand" in response.text


def test_sign_up_when_a_stranger_does_it_then_home_is_empty_and_says_what_next(client: Client) -> None:
    make_project(slug="secret-letters")
    response = client.post(
        reverse("account_signup"),
        {"username": "stranger", "password1": "Quill-and-Ink-77", "password2": "Quill-and-Ink-77"},
        follow=True,
    )
    assert response.redirect_chain[-1][0] == reverse("home")
    assert "Open an invitation link" in response.text and "secret-letters" not in response.text.lower()


def test_sign_up_when_password_is_weak_then_the_field_says_so_and_nobody_is_made(client: Client) -> None:
    response = client.post(
        reverse("account_signup"), {"username": "a", "password1": "12345", "password2": "12345"}
    )
    assert response.status_code == 200 and "errorlist" in response.text and not User.objects.exists()


def test_password_reset_when_the_address_is_known_then_the_link_sets_a_new_one(client: Client) -> None:
    user = make_user("ann", email="ann@example.org")
    make_token(user=user, name="laptop")
    client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
    page = client.get(link.replace("http://testserver", ""), follow=True)
    answer = client.post(
        page.redirect_chain[-1][0], {"password1": "New-Quill-1905", "password2": "New-Quill-1905"}
    )
    assert answer.status_code == 302
    user.refresh_from_db()
    assert user.check_password("New-Quill-1905")
    assert not active_tokens().exists()


def test_mails_when_no_server_is_named_then_they_are_files_that_only_the_operator_reads() -> None:
    """The test run puts another backend in place of the one of the settings."""
    assert project_settings.EMAIL_BACKEND == "django.core.mail.backends.filebased.EmailBackend"
    folder = project_settings.DATA_DIR / "mail"
    assert str(folder) == project_settings.EMAIL_FILE_PATH and folder.stat().st_mode & 0o077 == 0


def test_password_change_when_done_then_the_new_one_signs_in_and_no_other_session_and_token_is_left(
    client: Client,
) -> None:
    user, other_device = make_user(), Client()
    other_device.force_login(user)
    make_token(user=user, name="laptop")
    kept = make_token(user=make_user(), name="somebody else's")
    client.force_login(user)
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "New-Quill-1905", "password2": "New-Quill-1905"},
    )
    user.refresh_from_db()
    assert user.check_password("New-Quill-1905")
    assert client.get(reverse("home")).status_code == 200
    assert other_device.get(reverse("home")).status_code == 302
    active = active_tokens()
    assert find_token(kept) == active.get()
    make_token(user=user, name="again")
    user.first_name = "Ann"
    user.save()
    assert active.count() == 2
    user.set_password("Other-Quill-1906")  # as the admin site and the command do it
    user.save()
    assert find_token(kept) == active.get()


def test_sign_out_when_asked_by_get_then_a_button_is_shown_and_nothing_happens(client: Client) -> None:
    client.force_login(make_user())
    assert "<button" in client.get(reverse("account_logout")).text
    assert client.get(reverse("home")).status_code == 200
    client.post(reverse("account_logout"))
    assert client.get(reverse("home")).status_code == 302


SIGNED_IN = [
    "account_logout",
    "account_change_password",
    "account_email",
    "mfa_index",
    "preferences",
    "own_keys",
]


@pytest.mark.parametrize("name", SIGNED_IN)
def test_account_page_when_opened_signed_in_then_it_is_drawn_on_our_base(client: Client, name: str) -> None:
    client.force_login(make_user())
    response = client.get(reverse(name), follow=True)
    assert response.status_code == 200 and "bar__brand" in response.text


PREFERENCES = {
    "first_name": "Ann",
    "last_name": "Lee",
    "email": "ann@example.org",
    "language": "zh-hans",
    "theme": "dark",
    "reading_size": "large",
}


def test_preferences_when_saved_then_the_account_keeps_them_and_pages_follow(client: Client) -> None:
    user = make_user()
    User.objects.filter(pk=user.pk).update(preferences={"divider": 40})
    client.force_login(user)
    response = client.post(reverse("preferences"), PREFERENCES, follow=True)
    assert 'lang="zh-hans"' in response.text and 'data-theme="dark"' in response.text
    user.refresh_from_db()
    assert user.preferences == {"divider": 40, "reading_size": "large"}
    assert user.display_name == "Ann Lee"


def test_preferences_when_the_address_is_somebody_elses_then_the_field_says_so(client: Client) -> None:
    make_user(email="Ann@Example.org")
    user = make_user()
    client.force_login(user)
    response = client.post(reverse("preferences"), PREFERENCES)
    assert "Another account uses this address" in response.text
    user.refresh_from_db()
    assert user.email == "" and user.theme == "auto"


def _invitation(**fields: object) -> Invitation:
    project = make_project()
    made = invite(team=project.team, by=project.created_by, roles=[Role.ANNOTATOR, Role.REVIEWER])
    Invitation.objects.filter(pk=made.pk).update(**fields)
    return Invitation.objects.get(pk=made.pk)


def test_invitation_when_a_visitor_opens_it_then_it_leads_through_sign_up_and_back(client: Client) -> None:
    invitation = _invitation()
    address = reverse("invitation", args=[invitation.token])
    page = client.get(address)
    assert invitation.team.name in page.text and "Second reviewer" in page.text
    assert f"{reverse('account_signup')}?next={address}" in page.text
    made = client.post(
        f"{reverse('account_signup')}?next={address}",
        {
            "username": "newcomer",
            "password1": "Quill-and-Ink-77",
            "password2": "Quill-and-Ink-77",
            "next": address,
        },
    )
    assert made.url == address
    assert not Membership.objects.filter(user__username="newcomer").exists()
    client.post(address)
    newcomer = User.objects.get(username="newcomer")
    assert roles_in(newcomer, invitation.team) == {Role.ANNOTATOR, Role.REVIEWER}


@pytest.mark.parametrize(
    "fields",
    [
        {"uses": 1},
        {"revoked_at": timezone.now()},
        {"expires_at": timezone.now() - timedelta(minutes=1)},
    ],
)
def test_invitation_when_it_is_over_then_it_says_so_and_gives_nothing(client: Client, fields: dict) -> None:
    invitation = _invitation(**fields)
    user = make_user()
    client.force_login(user)
    address = reverse("invitation", args=[invitation.token])
    for response in (client.get(address), client.post(address)):
        assert response.status_code == 410
        assert "Ask the person who sent it" in response.text and invitation.team.name not in response.text
    assert roles_in(user, invitation.team) == frozenset()


def test_invitation_when_the_token_is_made_up_then_404_in_words(client: Client) -> None:
    response = client.get(reverse("invitation", args=["nonsense"]))
    assert response.status_code == 404 and "Ask the person who sent it" in response.text


def test_invitation_when_taken_twice_by_one_person_then_it_is_used_once(client: Client) -> None:
    invitation = _invitation(max_uses=2)
    client.force_login(make_user())
    for _ in range(2):
        client.post(reverse("invitation", args=[invitation.token]))
    invitation.refresh_from_db()
    assert invitation.uses == 1


def test_invitation_when_the_address_holds_what_no_token_can_then_it_is_not_found(client: Client) -> None:
    assert client.get("/invitations/%00/").status_code == 404
