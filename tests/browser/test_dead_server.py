"""The work page while the served site is killed (kill -9) and comes back: typing goes on, nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Troubles
from tests.sites.serving import Serving, sign_in_all
from tests.sites.site import drop_site, make_site

LAY_OUT = """
from annotation.models import Project
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from tests.factories import make_sample
project = Project.objects.get(slug="letters")
ana = User.objects.create_user("ana")
give_roles(team=project.team, user=ana, roles=[Role.ANNOTATOR])
make_sample(project)
"""
BACK_MS = 120_000  # the page asks again after at most half a minute


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    site = make_site(tmp_path / "site", postgres="")
    site.script(LAY_OUT)
    with Serving(site) as running:
        yield running
    drop_site(site)


def test_server_when_killed_while_somebody_types_then_all_is_stored_once_it_is_back(
    watched: BrowserContext, serving: Serving, troubles: Troubles
) -> None:
    troubles.expect("ERR_CONNECTION", "ERR_EMPTY_RESPONSE")
    session = sign_in_all(serving.site)["ana"]
    watched.add_cookies([{"name": "sessionid", "value": session, "url": serving.url}])
    watched.add_init_script("try { localStorage.setItem('inkbench:hints:work', 'seen') } catch {}")
    page = watched.new_page()
    page.goto(serving.url)
    page.get_by_role("button", name="Transcribe").first.click()
    expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    editor = page.locator("#transcription .cm-content")
    state = page.locator(".work__foot [data-save-state]")
    editor.press_sequentially("Before the fall. ")
    expect(state).to_have_text(re.compile(r"Saved \d\d:\d\d"))
    serving.kill(power_cut=True)
    editor.press_sequentially("While it is dead.")
    expect(state).to_have_text("Offline – saved on this device")
    page.keyboard.press("Control+Enter")
    expect(state).to_have_text("Offline – saved on this device")
    assert serving.site.query("SELECT text FROM annotation_draft") == [("Before the fall. ",)]
    serving.start()
    expect(state).to_have_text(re.compile(r"Saved \d\d:\d\d"), timeout=BACK_MS)
    assert serving.site.query("SELECT text FROM annotation_draft") == [
        ("Before the fall. While it is dead.",)
    ]
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"{serving.url}/")
    labels = serving.site.query("SELECT text FROM annotation_label")
    assert labels == [("Before the fall. While it is dead.",)]
