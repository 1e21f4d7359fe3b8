"""The pages of every structure through every stage in a real browser, filled by the demo's story.

No axe violation, no script error, no sideways scroll: tables, formulas, masks, their second review, the discussion of
each kind of field, screening, difficulty, questions to an expert; in both themes and languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from annotation.demo.seeding.steps import submit_text
from annotation.models import Assignment, Field, Project, Sample
from annotation.selectors.work_queue import held_assignment
from annotation.services.ask_question import claim_question
from annotation.services.claim_work import claim_work
from annotation.services.configure_project import change_project
from annotation.services.rate_difficulty import claim_rating
from annotation.services.screen_page import claim_screening
from annotation.stages import Stage
from config.accounts.models import User
from config.jobs.services import run_waiting
from evaluation.models import Release, ScoreRun
from evaluation.payloads.fields import FieldKind
from evaluation.predictions import Text
from evaluation.records import PredictionRecord
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score
from tests.browser.axe import check_looks
from tests.browser.real_page import sign_in
from tests.demo_sketch import copy_demo

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Step = Callable[[Page], None]
TABS = ("masks", "notes", "suggestions", "preview", "changes")


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path
    return copy_demo(monkeypatch)


@pytest.fixture
def people(demo: Project) -> dict[str, User]:
    return {user.username: user for user in User.objects.all()}


def walk(page: Page, site: str, addresses: dict[str, str]) -> None:
    """Every address, and on a work page every tab; an image is waited for until it is drawn."""
    for what, address in addresses.items():
        page.goto(site + address)
        if page.locator("ink-viewer").count():
            expect(page.locator("ink-viewer").first).to_have_attribute("data-drawn", "")
        check_looks(page, what)
        for tab in TABS:
            if page.locator(f"[role=tab][href='#{tab}']").count():
                page.locator(f"[role=tab][href='#{tab}']").click()
                check_looks(page, f"{what}, {tab}")


def assignments_of(person: User) -> Iterator[Assignment]:
    """The assignments of the discussions that wait for the person, one a kind of field."""
    for kind in (FieldKind.LINE, FieldKind.CELL, FieldKind.REGION, FieldKind.MASK):
        field = Field.objects.filter(kind=kind, settled_at=None, dispute__escalated_at=None).first()
        assert field
        yield Assignment.objects.get(sample=field.dispute.sample, person=person, stage=Stage.LABEL)


def addresses_of_work(demo: Project, people: dict[str, User]) -> dict[str, dict[str, str]]:
    """User name -> what -> address."""

    def work(name: str, stage: Stage) -> str:
        assignment = claim_work(person=people[name], project=demo, stage=stage)
        assert assignment
        return reverse("consensus" if stage is Stage.ADJUDICATE else "work", args=[assignment.uuid])

    rating = claim_rating(person=people["hugo"], project=demo)
    screening = claim_screening(person=people["finn"], project=demo)
    question = claim_question(person=people["ines"], project=demo)
    assert rating and screening and question
    return {
        "ana": {
            f"discussion {number}": reverse("consensus", args=[assignment.uuid])
            for number, assignment in enumerate(assignments_of(people["ana"]))
        },
        "ben": {"formulas": work("ben", Stage.LABEL), "home of an annotator": reverse("home")},
        "gita": {"table": work("gita", Stage.LABEL)},
        "finn": {
            "screening": reverse("screening", args=[screening.uuid]),
            "home of a screener": reverse("home"),
        },
        "hugo": {"rating": reverse("rating", args=[rating.uuid]), "home of a rater": reverse("home")},
        "ines": {"question": reverse("question", args=[question.uuid]), "home of an expert": reverse("home")},
        "eva": {"adjudication": work("eva", Stage.ADJUDICATE)},
    }


@pytest.mark.parametrize(("theme", "language"), [("light", ""), ("dark", "zh-hans")])
def test_work_pages_when_each_role_walks_through_them_then_axe_finds_nothing(
    live_server: Any,
    watched: BrowserContext,
    demo: Project,
    people: dict[str, User],
    theme: str,
    language: str,
) -> None:
    User.objects.update(theme=theme, language=language)
    hints = "['work', 'consensus'].forEach(key => localStorage.setItem(`inkbench:hints:${key}`, '1'))"
    watched.add_init_script(f"try {{ {hints} }} catch {{}}")
    for name, addresses in addresses_of_work(demo, people).items():
        sign_in(watched, live_server.url, people[name])
        page = watched.new_page()
        walk(page, live_server.url, addresses)
        page.close()


def changes_are_reported(page: Page) -> None:
    """A LaTeX that the reviewer changes stands under Your changes as such, not as the JSON it is kept in."""
    page.locator("[role=tab][href='#write']").click()
    page.locator(".region[data-active] .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("+z")
    page.locator("[role=tab][href='#changes']").click()
    message = page.locator("ink-region-changes")
    expect(message.locator("ink-diff ins")).to_contain_text("z")
    expect(message).not_to_contain_text("polygon")


@pytest.mark.parametrize("mode", ["verify", "double_blind"])
def test_second_review_when_of_a_table_and_of_formulas_then_axe_finds_nothing(
    live_server: Any, watched: BrowserContext, demo: Project, people: dict[str, User], mode: str
) -> None:
    change_project(project=demo, verification_mode=mode)
    for name in ("gita", "ben"):
        assignment = held_assignment(people[name], demo, Stage.LABEL)
        assert assignment
        submit_text(assignment, assignment.draft.text)
    # Two texts wait as well; what is looked at here comes first.
    for _ in range(4):
        assignment = claim_work(person=people["chen"], project=demo, stage=Stage.VERIFY)
        assert assignment
        sign_in(watched, live_server.url, people["chen"])
        page = watched.new_page()
        walk(
            page,
            live_server.url,
            {f"{mode} of a {assignment.sample.structure}": reverse("work", args=[assignment.uuid])},
        )
        page.close()
        submit_text(assignment, assignment.draft.text or assignment.sample.labels.get(stage=Stage.LABEL).text)
    assert claim_work(person=people["chen"], project=demo, stage=Stage.VERIFY) is None


@pytest.mark.parametrize(("theme", "language"), [("light", ""), ("dark", "zh-hans")])
def test_managers_pages_when_they_hold_every_structure_then_axe_finds_nothing(
    live_server: Any,
    watched: BrowserContext,
    demo: Project,
    people: dict[str, User],
    theme: str,
    language: str,
) -> None:
    User.objects.update(theme=theme, language=language)
    change_project(project=demo, release_needs_ratings=True)
    run = scored(demo.team.releases.get(), people["mei"])
    addresses = {
        "difficulty": reverse("project_difficulty", args=[demo.slug]),
        "board": reverse("project", args=[demo.slug]),
        "samples": reverse("project_samples", args=[demo.slug]),
        "new release": reverse("release_new", args=[demo.slug]),
        "scores by sample": reverse("score_run", args=[run.pk]),
    }
    for sample in Sample.objects.filter(project=demo, structure__in=["table", "formula"]):
        addresses[f"{sample.structure} {sample.number}"] = reverse("sample", args=[sample.uuid])
        if run.prediction_set.release.items.filter(sample_id=sample.uuid.hex).exists():
            addresses[f"result of {sample.structure}"] = reverse("item_score", args=[run.pk, sample.uuid.hex])
    sign_in(watched, live_server.url, people["mei"])
    walk(watched.new_page(), live_server.url, addresses)


def scored(release: Release, by: User) -> ScoreRun:
    """Every released page answered with its truth but for a figure, and scored."""
    records = [
        PredictionRecord(item.sample_id, Text(item.record["text"].replace("2", "z", 1)))
        for item in release.items.all()
    ]
    answers = record_predictions(release=release, system_name="Near", by=by, records=records, origin="upload")
    run = request_score(prediction_set=answers)
    run_waiting()
    run.refresh_from_db()
    assert run.state == "done", run.error
    return run
