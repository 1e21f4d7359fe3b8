"""A second step at sign-in: switched on with an app, asked for at sign-in, recovery codes, switched off again."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client
from django.urls import reverse

from config.accounts.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

ENGLISH = re.compile(r">\s*[A-Za-z][a-z]+( [A-Za-z]?[a-z]+)+[^<]*<")


def code_of(secret: str, steps_ahead: int = 0) -> str:
    """What an authenticator app shows: RFC 6238, six digits, 30 seconds."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps_ahead))


def signed_in(client: Client, user: User) -> Client:
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert "_auth_user_id" in client.session
    asked = client.get(reverse("mfa_activate_totp"))  # which asks once more, whoever sits there
    if asked.status_code == 302:
        asked = client.post(asked.url, {"password": PASSWORD})
        assert asked.url == reverse("mfa_activate_totp")
    return client


def switch_on(client: Client) -> tuple[str, list[str]]:
    """The secret and the recovery codes that the pages show."""
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    assert f"<code>{secret}</code>" in page.text and "data:image/svg+xml" in page.text
    done = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}, follow=True)
    assert done.status_code == 200
    codes = client.get(reverse("mfa_view_recovery_codes")).context["unused_codes"]
    return secret, codes


def second_step(client: Client, user: User, code: str) -> bool:
    """Signs in anew with the password and this code; True when that lets the person in."""
    client.logout()
    asked = client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert asked.url == reverse("mfa_authenticate") and "_auth_user_id" not in client.session
    page = client.get(asked.url)
    assert page.status_code == 200 and "bar__brand" in page.text
    client.post(asked.url, {"code": code})
    return "_auth_user_id" in client.session


def test_second_step_when_switched_on_then_the_password_alone_does_not_sign_in(client: Client) -> None:
    """Also for an account that was signed up with an address, which nobody has verified."""
    values = {"username": "ann", "email": "ann@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), values)
    client.post(reverse("account_logout"))
    user = User.objects.get(username="ann")
    secret, _ = switch_on(signed_in(client, user))
    assert "Turned on." in client.get(reverse("mfa_index")).text
    assert not second_step(client, user, "000000")
    assert second_step(client, user, code_of(secret, 1))


def test_second_step_when_a_code_was_used_then_it_does_not_sign_in_again(client: Client) -> None:
    user = make_user()
    secret, _ = switch_on(signed_in(client, user))
    code = code_of(secret, 1)
    assert second_step(client, user, code)
    assert not second_step(client, user, code)


def test_switching_on_when_the_code_is_wrong_then_nothing_is_switched_on(client: Client) -> None:
    user = make_user()
    signed_in(client, user)
    client.get(reverse("mfa_activate_totp"))
    page = client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    assert page.status_code == 200 and page.context["form"].errors["code"]
    assert not Authenticator.objects.exists()


def test_recovery_code_when_given_then_it_signs_in_once(client: Client) -> None:
    user = make_user()
    _, codes = switch_on(signed_in(client, user))
    assert len(codes) == 10
    assert second_step(client, user, codes[0])
    assert not second_step(client, user, codes[0])
    assert second_step(client, user, codes[1])


def test_recovery_codes_when_made_anew_then_the_old_ones_stop_working(client: Client) -> None:
    user = make_user()
    _, old = switch_on(signed_in(client, user))
    client.post(reverse("mfa_generate_recovery_codes"))
    new = client.get(reverse("mfa_view_recovery_codes")).context["unused_codes"]
    assert len(new) == 10 and not set(new) & set(old)
    text = client.get(reverse("mfa_download_recovery_codes")).text
    assert all(code in text for code in new)
    assert not second_step(client, user, old[0])
    assert second_step(client, user, new[0])


def test_second_step_when_switched_off_then_the_password_alone_signs_in(client: Client) -> None:
    user = make_user()
    switch_on(signed_in(client, user))
    assert client.get(reverse("mfa_deactivate_totp")).status_code == 200
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()
    client.logout()
    signed_in(client, user)


def test_second_step_when_it_is_changed_then_the_password_is_asked_for_once_more(client: Client) -> None:
    user = make_user()
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked.status_code == 302 and asked.url.startswith(reverse("account_reauthenticate"))
    assert "bar__brand" in client.get(asked.url).text
    assert client.post(asked.url, {"password": "wrong"}).status_code == 200
    assert client.get(reverse("mfa_activate_totp")).status_code == 302


PAGES = ["mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_deactivate_totp"]


def test_pages_of_the_second_step_when_the_account_reads_chinese_then_no_english_is_left(
    client: Client,
) -> None:
    user = make_user("ann", language="zh-hans")
    signed_in(client, user)
    pages = {"off": client.get(reverse("mfa_index")), "on": client.get(reverse("mfa_activate_totp"))}
    pages["wrong"] = client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    switch_on(client)
    pages |= {name: client.get(reverse(name)) for name in PAGES}
    client.logout()
    client.cookies["django_language"] = "zh-hans"
    client.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    pages["asked"] = client.get(reverse("mfa_authenticate"))
    pages["refused"] = client.post(reverse("mfa_authenticate"), {"code": "000000"})
    for name, page in pages.items():
        assert page.status_code == 200, name
        assert re.search(r'<html\s+lang="zh-hans"', page.text)
        body = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page.text.split("<body", 1)[1], flags=re.DOTALL)
        assert ENGLISH.findall(body) == [] and not ENGLISH.search(body), (name, ENGLISH.search(body))


def test_forms_of_signing_in_when_shown_then_no_words_stand_inside_the_fields(client: Client) -> None:
    user = make_user()
    signed_in(client, user)
    pages = [client.get(reverse(name)) for name in ("mfa_activate_totp", "account_change_password")]
    client.get(reverse("account_reauthenticate"))
    pages.append(client.get(reverse("account_reauthenticate")))
    switch_on(client)
    client.logout()
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    pages.append(client.get(reverse("mfa_authenticate")))
    assert [page.status_code for page in pages] == [200] * 4
    assert all("<input" in page.text and "placeholder" not in page.text for page in pages)
