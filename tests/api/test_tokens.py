"""Tokens: made and revoked by their person, body once, kept as a hash."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from config.api.models import ApiToken
from config.api.services import MAX_TOKENS, make_token
from tests.api.assignments import API
from tests.api.conftest import Cast, client_for
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_token_page_when_a_token_is_made_then_it_is_shown_once_and_works_until_revoked(
    client: Client,
) -> None:
    user = make_user("scribe")
    client.force_login(user)
    page = client.post(reverse("api_tokens"), {"name": "laptop"})
    secret = page.context["secret"]
    assert secret in page.text
    token = ApiToken.objects.get(user=user)
    assert secret not in repr(vars(token)) and secret.endswith(token.hint)
    assert secret not in client.get(reverse("api_tokens")).text
    program = APIClient(headers={"Authorization": f"Bearer {secret}"})
    assert program.get(f"{API}/projects/").status_code == 200
    token.refresh_from_db()
    assert token.last_used_at is not None
    client.post(reverse("api_token_revoke", args=[token.pk]))
    answer = program.get(f"{API}/projects/")
    assert (answer.status_code, answer.json()["kind"]) == (401, "bad_token")


def test_token_when_somebody_else_revokes_it_then_it_stays(client: Client) -> None:
    secret = make_token(user=make_user(), name="mine")
    client.force_login(make_user())
    client.post(reverse("api_token_revoke", args=[ApiToken.objects.get().pk]))
    assert APIClient(headers={"Authorization": f"Bearer {secret}"}).get(f"{API}/work/").status_code == 200


def test_token_page_when_the_person_has_too_many_then_it_says_so(client: Client) -> None:
    user = make_user()
    for number in range(MAX_TOKENS):
        make_token(user=user, name=str(number))
    client.force_login(user)
    page = client.post(reverse("api_tokens"), {"name": "one more"})
    assert page.status_code == 422 and f"{MAX_TOKENS} tokens" in page.text
    assert ApiToken.objects.count() == MAX_TOKENS


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ink_wrong", "Token x", "Basic eDp5"])
def test_request_when_not_signed_in_then_401_says_how(header: str) -> None:
    answer = APIClient(headers={"Authorization": header} if header else {}).get(f"{API}/projects/")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="InkBench"'
    assert answer.json()["kind"] in ("not_signed_in", "bad_token") and "token" in answer.json()["message"]


def test_token_when_the_account_is_switched_off_then_401(cast: Cast) -> None:
    program = client_for(cast.annotator)
    type(cast.annotator).objects.filter(pk=cast.annotator.pk).update(is_active=False)
    assert program.get(f"{API}/work/").status_code == 401


def test_session_when_a_page_posts_without_a_csrf_token_then_403(cast: Cast) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(cast.annotator)
    assert browser.get(f"{API}/projects/").status_code == 200
    answer = browser.post(f"{API}/projects/letters/next/label/")
    assert (answer.status_code, answer.json()["kind"]) == (403, "permission_denied")


def test_answer_when_signed_in_by_token_then_nobody_keeps_it(cast: Cast) -> None:
    assert "no-store" in client_for(cast.annotator).get(f"{API}/projects/")["Cache-Control"]
