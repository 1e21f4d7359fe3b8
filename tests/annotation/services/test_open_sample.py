"""Taking blind work and opening the labels at the same moment: whoever saw them never holds it."""

from __future__ import annotations

import contextlib
import threading

import pytest
from django.db import connection, transaction

from annotation.models import Work
from annotation.services.claim_work import claim_work
from annotation.services.open_sample import HeldByBlindReviewer, open_labels
from annotation.stages import Stage
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from tests.annotation.assignments import assignment_for, submit_work
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


@pytest.mark.django_db(transaction=True)
def test_claim_when_the_labels_are_being_opened_then_the_sample_is_not_given():
    project = make_project()
    sample = make_sample(project)
    submit_work(assignment_for(project), "Dear friend")
    duo = make_member(project, Role.MANAGER, Role.REVIEWER)
    has_opened, claimed = threading.Event(), []

    def claim() -> None:
        try:
            has_opened.wait()
            claimed.append(claim_work(person=duo, project=project, stage=Stage.VERIFY))
        finally:
            connection.close()

    claiming = threading.Thread(target=claim)
    claiming.start()
    with transaction.atomic():
        open_labels(sample=sample, manager=duo)
        has_opened.set()
        claiming.join(timeout=1)  # it waits for the row, or already found nothing
    claiming.join()
    assert claimed == [None]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trial", range(5))
def test_claim_and_opening_when_at_once_then_only_one_comes_to_pass(trial):
    project = make_project()
    sample = make_sample(project)
    submit_work(assignment_for(project), "Dear friend")
    duo = make_member(project, Role.MANAGER, Role.REVIEWER)

    def take() -> None:
        claim_work(person=duo, project=project, stage=Stage.VERIFY)

    def look() -> None:
        with contextlib.suppress(HeldByBlindReviewer):
            open_labels(sample=sample, manager=duo)

    assert at_once(take, look) == [None, None]
    is_held = Work.objects.get(sample=sample).holder_id == duo.pk
    assert is_held != has_seen(duo, sample.pixel_hash, SeenContent.LABEL)
