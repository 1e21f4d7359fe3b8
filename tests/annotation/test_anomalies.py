"""The report of field case 7: one text stored for many pages, or without any time spent."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Assignment, Label, Work
from annotation.selectors.anomalies import same_texts, too_fast, unmarked
from annotation.services.claim_work import claim_work
from annotation.services.open_sample import open_labels
from annotation.stages import Stage
from config.accounts.models import Role
from config.accounts.services import give_roles
from evaluation.payloads.mask_mark import MASK_MARK
from tests.annotation.assignments import submit_work
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def project():
    """Ann submits one text for two of three pages, the third after a minute's work."""
    project = make_project()
    for _ in range(3):
        make_sample(project)
    ann = make_member(project, Role.ANNOTATOR, name="ann-the-annotator")
    for text in ("Dear Jane, the end.", "Dear Jane, the end.", "Another page altogether."):
        submit_work(claim_work(person=ann, project=project, stage=Stage.LABEL), text)
    slow = Assignment.objects.get(labels__text="Another page altogether.")
    Assignment.objects.filter(pk=slow.pk).update(opened_at=slow.opened_at - timedelta(minutes=1))
    return project


def test_report_when_one_text_stands_for_two_pages_then_both_are_named(project):
    (group,) = same_texts(project, project.created_by)
    assert (group.person, len(group.samples), group.characters) == ("ann-the-annotator", 2, 19)


def test_report_when_submitted_at_once_then_named_and_not_what_took_its_time(project):
    rows = too_fast(project, project.created_by)
    assert len(rows) == 2 and all(0 <= row.seconds < 3 for row in rows)


def test_checks_page_then_for_managers_only_without_a_text_and_without_names_for_who_works_blind(
    client, project
):
    address = reverse("project_checks", args=[project.slug])
    client.force_login(make_member(project, Role.REVIEWER))
    assert client.get(address).status_code == 404
    manager = project.created_by
    client.force_login(manager)
    words = client.get(address).content.decode()
    assert "ann-the-annotator" in words and "Dear Jane" not in words
    give_roles(team=project.team, user=manager, roles=[Role.REVIEWER])
    assert "ann-the-annotator" not in client.get(address).content.decode()


def test_report_when_the_manager_also_works_blind_then_only_what_they_opened_is_in_it(project):
    duo = make_member(project, Role.MANAGER, Role.REVIEWER, name="duo")
    assert same_texts(project, duo) == [] and too_fast(project, duo) == []
    for sample in project.samples.all():
        open_labels(sample=sample, manager=duo)
    (group,) = same_texts(project, duo)
    assert len(group.samples) == 2 and len(too_fast(project, duo)) == 2


def test_report_when_masks_and_marks_do_not_go_together_then_the_samples_are_named_until_they_are_verified_alike():
    mask = {"shape": "box", "points": [[0, 0], [9, 9]], "reason": "a blot"}
    texts = {
        f"Dear {MASK_MARK}": [mask],
        "Dear Jane": [mask],
        f"Dear {MASK_MARK} again": [],
        "Dear all": [],
    }
    project = make_project()
    samples = [make_sample(project) for _ in texts]
    for sample, (text, masks) in zip(samples, texts.items(), strict=True):
        Work.objects.filter(sample=sample).update(stage=Stage.DONE)
        Label.objects.create(sample=sample, stage=Stage.DONE, round=1, text=text, masks=masks)
    assert unmarked(project, project.created_by) == [samples[1], samples[2]]
    Work.objects.filter(sample=samples[1]).update(stage=Stage.LABEL, round=2)
    assert unmarked(project, project.created_by) == [samples[2]]
