"""An address that leads nowhere is answered in the site's own look, to visitors and to people alike."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import make_user


@pytest.mark.django_db
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_page_when_there_is_none_then_404_with_a_way_home(client: Client, is_signed_in: bool) -> None:
    if is_signed_in:
        client.force_login(make_user("ana"))
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert "Page not found" in answer.text
    assert 'href="/"' in answer.text
