"""Two people press at the same moment: exactly one wins, and the other is informed."""

from __future__ import annotations

import pytest

from annotation.services.configure_project import GuidelineMoved, publish_guideline, set_recogniser
from config.accounts.models import Membership, Role
from config.accounts.services import InvitationClosed, LastManager, accept_invitation, invite, set_roles
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def _count(results: list[object], kind: type) -> int:
    return sum(isinstance(result, kind) for result in results)


def test_set_roles_when_both_managers_step_down_at_once_then_one_stays() -> None:
    project = make_project()
    first, second = project.created_by, make_member(project, Role.MANAGER)
    results = at_once(
        *(lambda p=p: set_roles(team=project.team, user=p, roles=[Role.ANNOTATOR]) for p in (first, second))
    )
    assert _count(results, LastManager) == 1, results
    assert Membership.objects.filter(team=project.team, role=Role.MANAGER).count() == 1


def test_invitation_for_one_when_five_accept_at_once_then_one_is_in() -> None:
    project = make_project()
    invitation = invite(team=project.team, by=project.created_by, roles=[Role.ANNOTATOR])
    people = [make_user() for _ in range(5)]
    results = at_once(*(lambda p=p: accept_invitation(invitation=invitation, user=p) for p in people))
    assert _count(results, InvitationClosed) == 4, results
    assert Membership.objects.filter(team=project.team, role=Role.ANNOTATOR).count() == 1
    invitation.refresh_from_db()
    assert invitation.uses == 1


@pytest.mark.parametrize("uses", [1, 3])
def test_invitation_when_one_person_accepts_three_times_at_once_then_one_use_is_counted(uses: int) -> None:
    project = make_project()
    invitation = invite(
        team=project.team, by=project.created_by, roles=[Role.ANNOTATOR, Role.REVIEWER], max_uses=uses
    )
    person = make_user()
    results = at_once(*(lambda: accept_invitation(invitation=invitation, user=person) for _ in range(3)))
    assert _count(results, Exception) == 0, results
    assert Membership.objects.filter(team=project.team, user=person).count() == 2
    invitation.refresh_from_db()
    assert invitation.uses == 1


def test_guideline_when_three_publish_at_once_then_one_version_is_made() -> None:
    project = make_project()
    results = at_once(
        *(
            lambda n=n: publish_guideline(project=project, by=project.created_by, text=f"v {n}", based_on=1)
            for n in range(3)
        )
    )
    assert _count(results, GuidelineMoved) == 2, results
    assert project.guidelines.count() == 2


def test_recogniser_when_two_set_one_slot_at_once_then_one_is_in_force_and_none_is_lost() -> None:
    project = make_project()
    results = at_once(
        *(
            lambda key=key: set_recogniser(
                project=project, slot=1, kind="embedded", engine=key, label=key.upper()
            )
            for key in ("ppocr-v6", "ppocr-v5")
        )
    )
    assert _count(results, Exception) == 0, results
    assert project.recognisers.filter(retired_at=None).count() == 1 and project.recognisers.count() == 2
