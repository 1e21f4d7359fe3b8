"""The pages around the work in a real browser: no axe violation, no script error, no sideways scroll, keys suffice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect

from annotation.models import DuplicatePair, Event, Flag, Project, Work
from annotation.services.configure_project import publish_guideline, start_project
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from config.accounts.services import give_roles, invite
from tests.browser.axe import check_looks
from tests.browser.real_page import sign_in
from tests.factories import PASSWORD, make_member, make_sample, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def project() -> Project:
    """A project in the middle of its life: every stage, a flag, a pair, an invitation, two guidelines."""
    boss = make_user("mei", first_name="Mei", last_name="Lin")
    made = start_project(
        by=boss,
        slug="letters",
        name="Letters",
        guideline_language="en",
        engines=["ppocr-v6"],
        description="Old ones",
    )
    give_roles(team=made.team, user=boss, roles=[Role.ANNOTATOR])
    worker = make_member(made, Role.ANNOTATOR)
    for stage, status in [
        (Stage.PREANNOTATE, Status.OPEN),
        (Stage.LABEL, Status.OPEN),
        (Stage.LABEL, Status.HELD),
        (Stage.VERIFY, Status.OPEN),
        (Stage.ADJUDICATE, Status.OPEN),
        (Stage.DONE, Status.SUBMITTED),
    ]:
        sample = make_sample(made, stage=stage, status=status)
        if status is Status.HELD:
            Work.objects.filter(sample=sample).update(holder=worker)
    Event.objects.create(sample=sample, verb="agree", actor=worker)
    Flag.objects.create(sample=sample, person=worker, stage="label", message="The lower edge is cut off.")
    DuplicatePair.objects.create(project=made, first=made.samples.first(), second=sample, kind="near")
    invite(team=made.team, by=boss, roles=[Role.REVIEWER])
    publish_guideline(
        project=made, by=boss, text=made.guidelines.first().text + "\nPostmarks stay out.", based_on=1
    )
    return made


def _addresses(project: Project) -> list[str]:
    slug = [project.slug]
    sample = project.samples.order_by("-number").first()
    return [
        reverse("home"),
        reverse("preferences"),
        reverse("own_keys"),
        reverse("mfa_index"),
        reverse("project_new"),
        reverse("project", args=slug),
        reverse("project_samples", args=slug) + "?language=en",
        reverse("sample", args=[sample.uuid]),
        reverse("project_people", args=slug),
        reverse("person_roles", args=[project.slug, project.created_by.pk]),
        reverse("project_guideline", args=slug),
        reverse("guideline_version", args=[project.slug, 2]) + "?against=1",
        reverse("guideline_edit", args=slug),
        reverse("project_import", args=slug),
        reverse("project_duplicates", args=slug),
        reverse("project_suggestions", args=slug),
        reverse("project_difficulty", args=slug),
        reverse("project_questions", args=slug),
        reverse("project_agreement", args=slug),
        reverse("project_checks", args=slug),
        reverse("project_releases", args=slug),
        reverse("project_recognisers", args=slug),
        reverse("recogniser_edit", args=[project.slug, 2, "endpoint"]),
        reverse("project_settings", args=slug),
        reverse("account_change_password"),
        reverse("invitation", args=[project.team.invitations.get().token]),
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_when_a_manager_walks_through_them_then_axe_finds_nothing(
    live_server: Any, watched: BrowserContext, project: Project, theme: str
) -> None:
    User.objects.filter(pk=project.created_by.pk).update(
        theme=theme, language="zh-hans" if theme == "dark" else ""
    )
    sign_in(watched, live_server.url, project.created_by)
    page = watched.new_page()
    for address in _addresses(project):
        page.goto(live_server.url + address)
        check_looks(page, address)


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_pages_when_the_window_is_small_or_large_then_none_scrolls_sideways(
    live_server: Any, watched: BrowserContext, project: Project, width: int
) -> None:
    sign_in(watched, live_server.url, project.created_by)
    page = watched.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    for address in _addresses(project):
        page.goto(live_server.url + address)
        width, scroll = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
        assert scroll <= width, address


def test_entrance_pages_when_a_visitor_reads_them_then_axe_finds_nothing(
    live_server: Any, watched: BrowserContext
) -> None:
    page = watched.new_page()
    for name in ("account_login", "account_signup", "account_reset_password", "account_reset_password_done"):
        page.goto(live_server.url + reverse(name))
        check_looks(page, name)


def test_newcomer_when_only_keys_are_used_then_invitation_account_and_role_are_theirs(
    live_server: Any, watched: BrowserContext, project: Project
) -> None:
    page = watched.new_page()
    page.goto(live_server.url + reverse("invitation", args=[project.team.invitations.get().token]))
    page.get_by_role("link", name="Create account").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Username").focus()
    page.keyboard.type("newcomer")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Accept invitation").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Letters")).to_be_visible()
    expect(page.get_by_text("Welcome to Letters.")).to_be_visible()


def test_project_when_made_in_the_browser_then_the_board_says_what_comes_next(
    live_server: Any, watched: BrowserContext
) -> None:
    sign_in(watched, live_server.url, make_user("founder"))
    page = watched.new_page()
    page.goto(live_server.url + reverse("home"))
    page.get_by_role("link", name="Create project").click()
    page.get_by_label("Name", exact=True).fill("Grandmother's recipes")
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Grandmother's recipes")).to_be_visible()
    expect(page.get_by_text("No samples yet")).to_be_visible()
    page.get_by_role("link", name="Quality").click()
    page.get_by_role("link", name="Guideline").click()
    expect(page.get_by_role("heading", name="Faithful transcription")).to_be_visible()
    page.get_by_role("link", name="Write the next version").click()
    page.get_by_label("Guideline (Markdown)").fill("# Recipes\n\nKeep $\\frac{1}{2}$ as a fraction.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Recipes", exact=True)).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Version 2 is now in force.")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 800)])
@pytest.mark.parametrize("language", ["", "zh-hans"])
def test_new_project_when_opened_then_its_button_is_in_view_and_keys_suffice(
    live_server: Any, watched: BrowserContext, width: int, height: int, language: str
) -> None:
    sign_in(watched, live_server.url, make_user("founder", language=language))
    page = watched.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(live_server.url + reverse("project_new"))
    button = page.locator("main .button--primary")
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_label("Name", exact=True).or_(page.get_by_label("名称", exact=True)).focus()
    page.keyboard.type("Postcards")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Postcards")).to_be_visible()


def test_new_project_when_a_closed_field_is_emptied_then_the_browser_opens_it_and_says_so(
    live_server: Any, watched: BrowserContext
) -> None:
    sign_in(watched, live_server.url, make_user("founder"))
    page = watched.new_page()
    page.goto(live_server.url + reverse("project_new"))
    page.get_by_label("Name", exact=True).fill("Postcards")
    advanced = page.locator("summary", has_text="Advanced")
    advanced.click()
    page.locator("textarea[name=scenarios]").fill("")
    advanced.click()
    expect(page.locator("textarea[name=scenarios]")).to_be_hidden()
    page.get_by_role("button", name="Create project").click()
    expect(page.locator("textarea[name=scenarios]")).to_be_focused()
    assert not Project.objects.exists()


def test_tabs_when_walked_with_keys_then_each_section_and_page_is_reached(
    live_server: Any, watched: BrowserContext, project: Project
) -> None:
    sign_in(watched, live_server.url, project.created_by)
    page = watched.new_page()
    page.goto(live_server.url + reverse("project", args=[project.slug]))
    page.get_by_role("link", name="Overview").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    pages = page.get_by_role("navigation", name="Samples")
    expect(page.get_by_role("heading", name="Samples", level=1)).to_be_visible()
    pages.get_by_role("link", name="List").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Duplicates", level=1)).to_be_visible()
    expect(pages.get_by_role("link", name="Duplicates")).to_have_attribute("aria-current", "page")


def test_language_and_theme_when_switched_in_the_top_bar_then_every_page_follows(
    live_server: Any, watched: BrowserContext, project: Project
) -> None:
    sign_in(watched, live_server.url, project.created_by)
    page = watched.new_page()
    page.goto(live_server.url + reverse("project", args=[project.slug]))
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.get_by_role("link", name=re.compile("^样本"))).to_be_visible()
    page.get_by_role("link", name="设置", exact=True).click()
    expect(page.get_by_role("heading", name="设置")).to_be_visible()
