"""Hands on the real work page of a text, and what the site has of it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

from annotation.models import Assignment, Draft, Project
from annotation.services.claim_work import claim_work
from annotation.stages import Stage
from config.accounts.models import User
from tests.factories import make_sample

HOME = re.compile(r"^http://[^/]+/$")


def take_assignment(project: Project, person: User) -> Assignment:
    make_sample(project)
    taken = claim_work(person=person, project=project, stage=Stage.LABEL)
    assert taken
    return taken


def editor(page: Page) -> Locator:
    return page.locator("#transcription .cm-content")


def text_of(page: Page) -> str:
    return str(page.evaluate("document.getElementById('transcription').text"))


def put_text(page: Page, text: str) -> None:
    page.evaluate("text => document.getElementById('transcription').setText(text)", text)


def draft(assignment: Assignment) -> tuple[str, int]:
    stored = Draft.objects.get(assignment=assignment)
    return stored.text, stored.version
