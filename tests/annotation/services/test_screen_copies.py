"""What is redacted on one page is shut on every copy of it, or its manager is informed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import DuplicatePair, Event, Sample, Work
from annotation.selectors.privacy import samples_still_showing
from annotation.selectors.redactions import add_uncovered, redactions_of_copies
from annotation.services.claim_work import claim_work
from annotation.services.request_screening import rescreen_sample
from annotation.services.resolve_duplicates import decide_duplicate, undo_duplicate_decision
from annotation.services.screen_page import CopiesRedactedElsewhere, claim_screening, save_screening
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role
from config.signed_images import image_token
from tests.annotation.services.test_screen_page import BOX, bring_in, finish, screened_project, shown
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def twins(project):
    """Two imports of one page, both kept, and somebody's token for it."""
    first, second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    decide_duplicate(pair=DuplicatePair.objects.get(), decision="keep_both", by=project.created_by)
    second.refresh_from_db()
    assert (second.intake, second.full_blob) == (Intake.READY, first.full_blob)
    return first, second


def test_finish_screening_when_a_ready_copy_shows_the_name_then_it_is_shut_and_screened_with_the_same_areas(
    client,
):
    project = make_project()
    screener, annotator = make_member(project, Role.SCREENER), make_member(project, Role.ANNOTATOR)
    first, second = twins(project)
    Work.objects.filter(sample=first).update(stage=Stage.PREANNOTATE, status=Status.OPEN)
    assignment = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    assert assignment.sample_id == second.pk
    token = image_token(person=annotator, blob=first.full_blob, team=project.team)
    assert shown(client, annotator, token) == 200
    rescreen_sample(sample=first, manager=project.created_by, reason="a name")
    finish(claim_screening(person=screener, project=project))
    assert shown(client, annotator, token) == 404
    assert client.get(reverse("work", args=[assignment.uuid])).status_code == 404
    second.refresh_from_db()
    assert second.intake == Intake.SCREENING
    assert Event.objects.get(sample=second, verb="screen_copy").actor == screener
    following = claim_screening(person=screener, project=project)
    assert following.sample_id == second.pk
    assert following.areas[0]["points"] == BOX["points"]
    after = finish(following)
    assert (after.intake, after.pixel_hash) == (Intake.READY, Sample.objects.get(pk=first.pk).pixel_hash)
    assert shown(client, annotator, token) == 404
    assert samples_still_showing(project) == []


def test_finish_screening_when_a_copy_of_a_once_redacted_page_shows_more_then_it_is_screened_again():
    project, screener = screened_project()
    bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    first = finish(claim_screening(person=screener, project=project))
    second = finish(claim_screening(person=screener, project=project))
    decide_duplicate(pair=DuplicatePair.objects.get(), decision="keep_both", by=project.created_by)
    assert first.pixel_hash == second.pixel_hash
    rescreen_sample(sample=first, manager=project.created_by, reason="another name")
    more = BOX | {"id": "b", "points": [[70, 70], [90, 90]]}
    finish(claim_screening(person=screener, project=project), areas=(BOX, more))
    second.refresh_from_db()
    assert second.intake == Intake.SCREENING


OTHER = BOX | {"id": "b", "points": [[70, 70], [90, 90]], "reason": "a signature"}


def test_finish_screening_when_a_copy_was_redacted_then_the_screener_is_reported_before_it_is_called_clean():
    project, screener = screened_project()
    first, second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    finish(claim_screening(person=screener, project=project), areas=(BOX, OTHER))
    held = claim_screening(person=make_member(project, Role.SCREENER), project=project)
    assert held.sample_id == second.pk
    save_screening(screening=held, areas=[])
    with pytest.raises(CopiesRedactedElsewhere) as message:
        finish(held, areas=())
    assert [(copy.number, [area["points"] for area in copy.areas]) for copy in message.value.left] == [
        (first.number, [BOX["points"], OTHER["points"]])
    ]
    after = finish(held, areas=(), knows_copies=True)
    assert after.intake != Intake.SCREENING and not after.unredacted_blob
    assert Event.objects.get(sample=second, verb="screened").data["left_open"] == 2


def test_finish_screening_when_a_copy_was_redacted_twice_then_what_came_second_is_reported_too():
    project, screener = screened_project()
    first, _second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    finish(claim_screening(person=screener, project=project))
    held = claim_screening(person=screener, project=project)
    assert [area["points"] for area in held.areas] == [BOX["points"]]
    rescreen_sample(sample=first, manager=project.created_by, reason="another name")
    other = make_member(project, Role.SCREENER)
    again = claim_screening(person=other, project=project)
    assert again.sample_id == first.pk
    finish(again, areas=(BOX, OTHER))
    with pytest.raises(CopiesRedactedElsewhere) as message:
        finish(held, areas=(BOX,))
    (left,) = message.value.left
    assert [area["points"] for area in left.areas] == [OTHER["points"]]
    areas = add_uncovered([BOX], redactions_of_copies(held.sample))
    assert [area["id"] for area in areas] == ["a", "c1"]
    assert finish(held, areas=areas).pixel_hash == Sample.objects.get(pk=first.pk).pixel_hash


def test_finish_screening_when_the_own_area_covers_the_copys_then_nothing_is_asked():
    project, screener = screened_project()
    bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    finish(claim_screening(person=screener, project=project))
    nearly = BOX | {"id": "z", "points": [[4, 4], [62, 31]]}
    assert (
        finish(claim_screening(person=screener, project=project), areas=(nearly,)).intake != Intake.SCREENING
    )


def test_screening_page_when_a_copy_was_redacted_then_its_areas_are_reported_and_can_be_taken(client):
    project, screener = screened_project()
    _first, second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    finish(claim_screening(person=screener, project=project), areas=(BOX, OTHER))
    held = claim_screening(person=screener, project=project)
    save_screening(screening=held, areas=[])
    client.force_login(screener)
    message = client.get(reverse("screening", args=[held.uuid])).content.decode()
    assert "A copy of this page was redacted" in message
    assert "(70, 70; 90, 90)" in " ".join(message.split()) and "a signature" in message
    finishing = reverse("screening_finish", args=[held.uuid])
    sent = {"masks": "[]", "boxes": "", "image_hash": second.pixel_hash}
    asked = client.post(finishing, sent | {"clean": "1"})
    assert asked.status_code == 422 and "Continue anyway" in asked.content.decode()
    assert client.post(finishing, sent | {"take": "1"}).url == reverse("screening", args=[held.uuid])
    held.refresh_from_db()
    assert [area["points"] for area in held.areas] == [BOX["points"], OTHER["points"]]
    assert held.done_at is None
    assert "A copy of this page" not in client.get(reverse("screening", args=[held.uuid])).content.decode()
    assert client.post(finishing, sent | {"despite": "clean"}).status_code == 302
    held.refresh_from_db()
    assert held.is_clean


def test_still_showing_when_a_copy_is_released_or_called_clean_or_only_alike_then_the_manager_is_reported(
    client,
):
    project, screener = screened_project()
    first, clean, released = bring_in(project, *["Dear Jane Doe"] * 3)
    Sample.objects.filter(pk=released.pk).update(intake=Intake.READY)
    Event.objects.create(sample=released, verb="released")
    project.refresh_from_db()
    alike = make_sample(project, text="another photograph")
    DuplicatePair.objects.create(
        project=project, first=first, second=alike, kind="near", distance=0.1, decision="keep_both"
    )
    finish(claim_screening(person=screener, project=project))
    finish(claim_screening(person=screener, project=project), areas=(), knows_copies=True)
    released.refresh_from_db()
    assert released.intake == Intake.READY
    assert samples_still_showing(project) == [clean, released, alike]
    client.force_login(project.created_by)
    page = client.get(reverse("project_checks", args=[project.slug])).content.decode()
    assert reverse("sample", args=[alike.uuid]) in page
    rescreen_sample(sample=alike, manager=project.created_by, reason="look")
    finish(claim_screening(person=screener, project=project), areas=())
    assert samples_still_showing(project) == [clean, released]


def test_undo_decision_when_the_image_was_redacted_meanwhile_then_the_page_that_comes_back_is_screened():
    project = make_project()
    screener = make_member(project, Role.SCREENER)
    first, second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    pair = DuplicatePair.objects.get()
    decide_duplicate(pair=pair, decision="keep_second", by=project.created_by)
    rescreen_sample(sample=second, manager=project.created_by, reason="a name")
    finish(claim_screening(person=screener, project=project))
    pair.refresh_from_db()
    undo_duplicate_decision(pair=pair, by=project.created_by)
    first.refresh_from_db()
    assert first.intake == Intake.SCREENING


def test_duplicate_pair_when_a_page_is_shut_then_its_manager_sees_it_and_that_is_written_down(client):
    project = make_project()
    first, second = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    make_member(project, Role.SCREENER)
    rescreen_sample(sample=first, manager=project.created_by, reason="a name")
    finish(claim_screening(person=make_member(project, Role.SCREENER), project=project))
    client.force_login(project.created_by)
    page = client.get(reverse("duplicate_pair", args=[DuplicatePair.objects.get().pk]))
    tokens = [token for _side, token in page.context["sides"]]
    assert [client.get(reverse("image", args=[token])).status_code for token in tokens] == [200, 200]
    assert [event.sample_id for event in Event.objects.filter(verb="unredacted_opened")] == [second.pk]
    assert b"Open the unredacted page" in client.get(reverse("sample", args=[second.uuid])).content
