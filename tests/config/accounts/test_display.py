"""The menus of the top bar: what a person chooses stays, on the account or in the browser."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_display_when_signed_in_then_the_account_keeps_it(client: Client) -> None:
    user = make_user(preferences={"divider": 40})
    client.force_login(user)
    client.post(reverse("set_display"), {"theme": "dark"})
    client.post(reverse("set_display"), {"reading_size": "large", "language": "zh-hans"})
    user.refresh_from_db()
    assert (user.theme, user.language) == ("dark", "zh-hans")
    assert user.preferences == {"divider": 40, "reading_size": "large"}


def test_display_when_a_visitor_chooses_then_the_next_page_has_it(client: Client) -> None:
    client.post(reverse("set_display"), {"theme": "dark"})
    client.post(reverse("set_display"), {"language": "zh-hans"})
    page = client.get(reverse("account_login")).content.decode()
    assert 'data-theme="dark"' in page
    assert 'lang="zh-hans"' in page


def test_display_when_the_value_is_unknown_then_it_is_refused_and_nothing_changes(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    answer = client.post(reverse("set_display"), {"theme": "sepia", "language": "zh-hans"})
    user.refresh_from_db()
    assert answer.status_code == 400
    assert (user.theme, user.language) == ("auto", "")


@pytest.mark.parametrize(
    "target", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"]
)
def test_display_when_next_leads_away_then_it_stays_on_this_site(client: Client, target: str) -> None:
    assert client.post(reverse("set_display"), {"theme": "dark", "next": target})["Location"] == "/"


def test_display_when_next_is_ours_then_it_goes_back(client: Client) -> None:
    answer = client.post(reverse("set_display"), {"theme": "dark", "next": "/a/?b=1"})
    assert answer["Location"] == "/a/?b=1"


def test_display_when_read_with_get_then_it_is_refused(client: Client) -> None:
    assert client.get(reverse("set_display")).status_code == 405
