"""The tabs of a project: who sees which, what is marked, what is counted, and where old addresses lead."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone
from lxml import html

from annotation.models import DuplicatePair, Flag, Project, RecogniserSetting
from annotation.navigation import sections_for_manager, sections_for_member
from annotation.selectors.manager_tasks import ManagerCounts
from annotation.stages import Intake
from annotation.urls import moved
from config.accounts.models import Role
from config.accounts.services import invite
from tests.factories import make_gold, make_gold_release, make_member, make_project, make_sample

pytestmark = pytest.mark.django_db


def _navs(page: str) -> dict[str, Any]:
    """The navigations under the bar by their label."""
    tree = html.fromstring(page)
    return {nav.get("aria-label"): nav for nav in tree.xpath("//nav[@aria-label and not(ancestor::header)]")}


def _words(link: Any) -> str:
    """What a link says, without its badge."""
    badges = "".join(badge.text_content() for badge in link.xpath(".//*[@class='badge']"))
    return " ".join(link.text_content().replace(badges, "").split())


PAGES = {
    "project": ("Overview", None),
    "project_samples": ("Samples", "List"),
    "project_import": ("Samples", "Import"),
    "project_duplicates": ("Samples", "Duplicates"),
    "project_suggestions": ("Samples", "Suggestions"),
    "project_people": ("People", "People and invitations"),
    "project_difficulty": ("People", "Difficulty"),
    "project_questions": ("People", "Questions"),
    "project_agreement": ("Quality", "Agreement"),
    "project_checks": ("Quality", "Checks"),
    "project_guideline": ("Quality", "Guideline"),
    "project_releases": ("Releases", None),
    "project_settings": ("Settings", "Settings"),
    "project_recognisers": ("Settings", "Recognisers"),
}


def test_pages_when_listed_here_then_they_are_all_of_the_navigation() -> None:
    sections = sections_for_manager(ManagerCounts(duplicates=0, flags=0))
    listed = {page.name: str(section.label) for section in sections for page in section.pages}
    assert listed == {name: section for name, (section, _page) in PAGES.items()}
    assert {page.name for section in sections_for_member() for page in section.pages} <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_tabs_when_a_manager_is_at_a_page_then_its_section_and_itself_are_marked(
    client: Client, project: Project, name: str
) -> None:
    section, subpage = PAGES[name]
    navs = _navs(client.get(reverse(name, args=[project.slug])).text)
    tabs = navs["Project"].xpath("./a")
    assert [_words(tab) for tab in tabs] == [
        "Overview",
        "Samples",
        "People",
        "Quality",
        "Releases",
        "Settings",
    ]
    marked = [tab for tab in tabs if tab.get("aria-current")]
    assert [_words(tab) for tab in marked] == [section]
    is_first = resolve(marked[0].get("href")).url_name == name
    assert marked[0].get("aria-current") == ("page" if is_first else "true")
    assert (section in navs) == (subpage is not None)
    if subpage is not None:
        links = navs[section].xpath("./a[@aria-current='page']")
        assert [_words(link) for link in links] == [subpage]
        assert links[0].get("href") == reverse(name, args=[project.slug])


def test_tabs_when_a_manager_is_below_a_page_then_that_page_is_marked_as_the_way_back(
    client: Client, project: Project
) -> None:
    sample = make_sample(project)
    person = reverse("person_roles", args=[project.slug, project.created_by_id])
    below = {
        reverse("sample", args=[sample.uuid]): ("Samples", "List"),
        person: ("People", "People and invitations"),
        reverse("guideline_edit", args=[project.slug]): ("Quality", "Guideline"),
        reverse("recogniser_edit", args=[project.slug, 1, "embedded"]): ("Settings", "Recognisers"),
    }
    for address, (section, subpage) in below.items():
        navs = _navs(client.get(address).text)
        assert [_words(tab) for tab in navs["Project"].xpath("./a[@aria-current='true']")] == [section]
        assert [_words(link) for link in navs[section].xpath("./a[@aria-current='true']")] == [subpage]
        assert not navs["Project"].xpath("./a[@aria-current='page']")


@pytest.mark.parametrize("role", [role for role in Role if role != Role.MANAGER])
@pytest.mark.parametrize("name", ["project_guideline", "project_releases"])
def test_tabs_when_a_member_is_no_manager_then_guideline_and_releases_are_all(
    client: Client, role: Role, name: str
) -> None:
    project = make_project()
    Flag.objects.create(
        sample=make_sample(project), person=project.created_by, stage="label", message="blurred"
    )
    client.force_login(make_member(project, role))
    page = client.get(reverse(name, args=[project.slug])).text
    tabs = _navs(page)["Project"].xpath("./a")
    assert [(_words(tab), tab.get("href")) for tab in tabs] == [
        ("Guideline", reverse("project_guideline", args=[project.slug])),
        ("Releases", reverse("project_releases", args=[project.slug])),
    ]
    assert 'class="badge"' not in page


def test_badges_when_things_wait_for_a_manager_then_tab_and_page_count_them(
    client: Client, project: Project
) -> None:
    samples = [make_sample(project) for _ in range(4)]
    screened = make_sample(project, intake=Intake.SCREENING)
    for second in (samples[1], samples[2], screened):
        DuplicatePair.objects.create(project=project, first=samples[0], second=second, kind="near")
    DuplicatePair.objects.create(
        project=project, first=samples[1], second=samples[3], kind="near", decision="different"
    )
    person = project.created_by
    for closed_at in (None, timezone.now()):
        Flag.objects.create(
            sample=samples[0], person=person, stage="label", message="blurred", closed_at=closed_at
        )
    other = make_sample(make_project())
    Flag.objects.create(sample=other, person=person, stage="label", message="of another project")
    navs = _navs(client.get(reverse("project_samples", args=[project.slug])).text)
    badges = {
        _words(link): " ".join(link.xpath("string(.//*[@class='badge'])").split())
        for nav in (navs["Project"], navs["Samples"])
        for link in nav.xpath("./a[.//*[@class='badge']]")
    }
    assert badges == {
        "Samples": "3 waiting for you",
        "List": "1 waiting for you",
        "Duplicates": "2 waiting for you",
    }


def test_badges_when_nothing_waits_then_there_is_none(client: Client, project: Project) -> None:
    assert 'class="badge"' not in client.get(reverse("project_samples", args=[project.slug])).text


@pytest.mark.parametrize("name", PAGES)
def test_page_when_more_waits_then_its_tabs_ask_no_more_queries(
    client: Client, project: Project, django_assert_num_queries: Any, name: str
) -> None:
    first = make_sample(project)
    address = reverse(name, args=[project.slug])
    client.get(address)  # the session and what is cached for good
    DuplicatePair.objects.create(project=project, first=first, second=make_sample(project), kind="near")
    Flag.objects.create(sample=first, person=project.created_by, stage="label", message="blurred")
    with CaptureQueriesContext(connection) as once:
        client.get(address)
    for _ in range(4):
        second = make_sample(project)
        DuplicatePair.objects.create(project=project, first=first, second=second, kind="near")
        Flag.objects.create(sample=second, person=project.created_by, stage="label", message="blurred")
    with django_assert_num_queries(len(once)):
        client.get(address)


# Old addresses

MOVED = [
    ("/projects/{slug}/import/", "/projects/{slug}/samples/import/"),
    ("/projects/{slug}/duplicates/", "/projects/{slug}/samples/duplicates/"),
    ("/projects/{slug}/suggestions/", "/projects/{slug}/samples/suggestions/"),
    ("/projects/{slug}/difficulty/", "/projects/{slug}/people/difficulty/"),
    ("/projects/{slug}/checks/", "/projects/{slug}/quality/checks/"),
    ("/projects/{slug}/guideline/", "/projects/{slug}/quality/guideline/"),
    ("/projects/{slug}/guideline/edit/", "/projects/{slug}/quality/guideline/edit/"),
    ("/projects/{slug}/guideline/1/", "/projects/{slug}/quality/guideline/1/"),
    ("/projects/{slug}/recognisers/", "/projects/{slug}/settings/recognisers/"),
    ("/projects/{slug}/recognisers/2/clear/", "/projects/{slug}/settings/recognisers/2/clear/"),
    ("/projects/{slug}/recognisers/1/endpoint/", "/projects/{slug}/settings/recognisers/1/endpoint/"),
    ("/projects/{slug}/invitations/{link}/revoke/", "/projects/{slug}/people/invitations/{link}/revoke/"),
    ("/releases/{release}/run/", "/releases/{release}/runs/new/"),
]
POST_ONLY = ("clear/", "revoke/")


def test_moved_addresses_when_listed_here_then_they_are_all_there_are(project: Project) -> None:
    names = {resolve(_fill(old, project)).url_name for old, _new in MOVED}
    assert names == {pattern.name for pattern in moved.urlpatterns} and len(MOVED) == len(moved.urlpatterns)


def _fill(address: str, project: Project) -> str:
    release = project.team.releases.first() or make_gold_release(project.team, [make_gold("Dear Ann")])
    link = project.team.invitations.first() or invite(
        team=project.team, by=project.created_by, roles=[Role.ANNOTATOR]
    )
    return address.format(slug=project.slug, release=release.pk, link=link.pk)


@pytest.mark.parametrize(("old", "new"), MOVED)
def test_old_address_when_read_then_it_leads_to_the_new_one_for_good_with_its_query(
    client: Client, project: Project, old: str, new: str
) -> None:
    old, new = _fill(old, project), _fill(new, project)
    response = client.get(f"{old}?page=2&state=%E5%AD%97")
    assert (response.status_code, response["Location"]) == (301, f"{new}?page=2&state=%E5%AD%97")
    assert client.head(old)["Location"] == new
    assert client.get(new).status_code == (405 if new.endswith(POST_ONLY) else 200)


@pytest.mark.parametrize(("old", "new"), MOVED)
def test_old_address_when_a_form_is_sent_there_then_it_is_sent_on_unchanged(
    client: Client, project: Project, old: str, new: str
) -> None:
    response = client.post(_fill(old, project), {"text": "typed before the address moved"})
    assert (response.status_code, response["Location"]) == (308, _fill(new, project))


def test_old_address_when_the_form_is_followed_then_nothing_typed_is_lost(
    client: Client, project: Project
) -> None:
    client.post(f"/projects/{project.slug}/recognisers/2/embedded/", {"engine": "ppocr-v6"}, follow=True)
    assert RecogniserSetting.objects.get().engine == "ppocr-v6"
    text = "Typed for an hour."
    client.post(f"/projects/{project.slug}/guideline/edit/", {"text": text, "based_on": "1"}, follow=True)
    assert project.guidelines.first().text == text


@pytest.mark.parametrize(("old", "new"), MOVED)
def test_old_address_when_a_stranger_asks_then_the_redirect_tells_nothing_of_what_exists(
    client: Client, old: str, new: str
) -> None:
    values = {"slug": "no-such-project", "release": 999_999, "link": 999_999}
    response = client.get(old.format(**values))
    assert (response.status_code, response["Location"]) == (301, new.format(**values))
