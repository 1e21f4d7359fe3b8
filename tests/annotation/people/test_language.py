"""Every page of the area in both languages."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Event, Flag
from config.accounts.models import Role
from config.accounts.services import invite
from tests.factories import make_project, make_sample

pytestmark = pytest.mark.django_db


def _english_left(page: str) -> list[str]:
    body = re.sub(
        r"<(script|style|code|textarea|svg)\b.*?</\1>",
        " ",
        page.split("<body", 1)[1].split(">", 1)[1],
        flags=re.DOTALL,
    )
    text = re.sub(r"<[^>]+>", "\n", body)
    return [
        line.strip(" ,")
        for line in text.splitlines()
        if re.search(r"[a-z]{3,}", line) and not re.search(r"[\u4e00-\u9fff]", line)
    ]


PAGES = [
    "home", "project_new", "preferences", "own_keys", "account_change_password", "account_logout", "mfa_index",
    "project_agreement", "project_questions", "project_checks", "project_difficulty", "project_import",
    "project_duplicates", "project_suggestions", "project_releases",
    "project", "project_samples", "project_settings", "project_people", "project_guideline", "guideline_edit",
    "project_recognisers", "embedded", "endpoint", "sample", "person_roles",
]  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_page_when_the_account_reads_chinese_then_no_english_is_left(client: Client, name: str) -> None:
    project = make_project(slug="letters-box")
    boss = project.created_by
    boss.language = "zh-hans"
    boss.first_name = "boss"
    boss.save()
    sample = make_sample(project)
    Flag.objects.create(sample=sample, person=boss, stage="label", message="模糊")
    Event.objects.create(sample=sample, verb="claim", actor=boss)
    invite(team=project.team, by=boss, roles=[Role.ANNOTATOR])
    client.force_login(boss)
    addresses = {
        "embedded": reverse("recogniser_edit", args=[project.slug, 1, "embedded"]),
        "endpoint": reverse("recogniser_edit", args=[project.slug, 1, "endpoint"]),
        "sample": reverse("sample", args=[sample.uuid]),
        "person_roles": reverse("person_roles", args=[project.slug, boss.pk]),
    }
    slugged = name.startswith(("project", "guideline")) and name != "project_new"
    address = addresses.get(name) or reverse(name, args=[project.slug] if slugged else [])
    page = client.get(address, follow=True).text
    assert re.search(r'<html\s+lang="zh-hans"', page)
    allowed = {"Letters-Box", "boss", "English", "InkBench", "Write what the ink says.", boss.username}
    left = [
        line
        for line in _english_left(page)
        if line not in allowed and not line.startswith(("http", "scan-", "page_", "PP-OCR", "ppocr"))
    ]
    assert left == []


def test_page_when_the_language_is_switched_then_the_account_remembers_on_the_next_page(
    client: Client,
) -> None:
    project = make_project()
    client.force_login(project.created_by)
    assert "<h1>Settings</h1>" in client.get(reverse("project_settings", args=[project.slug])).text
    client.post(reverse("set_display"), {"language": "zh-hans", "next": "/"})
    client.cookies.clear()
    client.force_login(project.created_by)
    assert "<h1>设置</h1>" in client.get(reverse("project_settings", args=[project.slug])).text
