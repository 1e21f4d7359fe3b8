"""Keys of one's own: kept in the account, sent to every page, held to their shape."""

from __future__ import annotations

import html
import json

import pytest
from django.test import Client
from django.urls import reverse

from config.accounts.keyboard_shortcuts import keys_of
from config.accounts.models import User
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]

OWN = {"submit": ["F10"], "disagreement-next": ["Mod+Shift+PageDown"]}


def test_own_keys_when_saved_then_kept_beside_other_preferences_and_sent_to_every_page(
    client: Client,
) -> None:
    user = make_user()
    User.objects.filter(pk=user.pk).update(preferences={"reading_size": "large"})
    client.force_login(user)
    page = client.post(reverse("own_keys"), {"keys": json.dumps(OWN)}, follow=True)
    assert "Shortcuts saved." in page.text
    user.refresh_from_db()
    assert user.preferences == {"reading_size": "large", "keys": OWN}
    for name in ("home", "preferences", "own_keys"):
        assert (
            f'<meta name="ink-keys" content="{html.escape(json.dumps(OWN))}">'
            in client.get(reverse(name)).text
        )


def test_own_keys_when_reset_then_no_page_is_sent_any(client: Client) -> None:
    user = make_user(preferences={"keys": OWN})
    client.force_login(user)
    client.post(reverse("own_keys"), {"keys": json.dumps(OWN), "reset": "yes"})
    user.refresh_from_db()
    assert keys_of(user) == {} and "ink-keys" not in client.get(reverse("home")).text


WRONG = [
    "[]", "7", "{", "[" * 5_000, '{"submit": "F10"}', '{"submit": []}', '{"submit": ["F10", "F11"]}',
    '{"submit": [7]}', '{"Submit!": ["F10"]}', '{"submit": ["a b"]}', '{"submit": [""]}',
    '{"submit": ["' + "x" * 50 + '"]}', '{"submit": ["\\u0000"]}',
    json.dumps({"a" * length: ["F10"] for length in range(1, 62)}),
]  # fmt: skip


@pytest.mark.parametrize("sent", WRONG, ids=range(len(WRONG)))
def test_own_keys_when_they_are_none_then_refused_in_words_and_nothing_changes(
    client: Client, sent: str
) -> None:
    user = make_user(preferences={"keys": OWN})
    client.force_login(user)
    page = client.post(reverse("own_keys"), {"keys": sent})
    assert page.status_code == 400 and page.context["form"].errors["keys"]
    user.refresh_from_db()
    assert keys_of(user) == OWN


def test_own_keys_when_preferences_are_saved_then_they_stay(client: Client) -> None:
    user = make_user(preferences={"keys": OWN})
    client.force_login(user)
    client.post(reverse("set_display"), {"reading_size": "small", "next": "/"})
    user.refresh_from_db()
    assert keys_of(user) == OWN
