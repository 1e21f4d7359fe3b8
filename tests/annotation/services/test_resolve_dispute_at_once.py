"""Everybody in a discussion acts at one moment: one outcome, and nobody waits for nobody."""

from __future__ import annotations

import pytest
from django.db import OperationalError

from annotation.models import Label, Work
from annotation.services.resolve_dispute import escalate_discussion, sign_field
from annotation.services.return_work import move_work_as_manager
from annotation.stages import Stage, Verb
from config.accounts.models import Role
from tests.annotation.assignments import assignment_for, submit_work
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.mark.parametrize("_round", range(3))
def test_discussion_when_all_act_at_once_then_one_outcome_and_no_deadlock(_round: int) -> None:
    project = make_project()
    sample = make_sample(project)
    first = assignment_for(project)
    submit_work(first, "aa\nbb")
    second = assignment_for(project, Stage.VERIFY, make_member(project, Role.REVIEWER))
    submit_work(second, "aa\nbX")
    manager = project.created_by
    results = at_once(
        lambda: sign_field(assignment=first, position=1, text="bb"),
        lambda: sign_field(assignment=second, position=1, text="bb"),
        lambda: escalate_discussion(assignment=second, reason="no end in sight"),
        lambda: move_work_as_manager(sample=sample, verb=Verb.RETURN, manager=manager, reason="blurred"),
    )
    assert not any(isinstance(result, OperationalError) for result in results), results
    agreed = Label.objects.filter(sample=sample, stage=Stage.DONE).count()
    assert agreed == (Work.objects.get(sample=sample).stage == Stage.DONE)
