"""Privacy screening: nobody sees the page before, and nobody gets the unredacted image afterwards."""

from __future__ import annotations

import io
import threading

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.urls import reverse
from PIL import Image

from annotation.models import (
    Draft,
    DuplicatePair,
    Event,
    ImportRun,
    Label,
    Sample,
    Screening,
    Suggestion,
    SuggestionRequest,
    Work,
)
from annotation.selectors.redactions import unredacted_image_of
from annotation.selectors.screening_queue import count_waiting_screenings
from annotation.services.claim_work import claim_work
from annotation.services.configure_project import set_recogniser
from annotation.services.create_import import open_import, receive_file, start_import
from annotation.services.move_work import NotAllowed, ReasonMissing, StaleWork
from annotation.services.open_sample import open_unredacted_image
from annotation.services.renew_lease import AssignmentClosed, LeaseLost
from annotation.services.request_screening import AlreadyReleased, rescreen_sample
from annotation.services.resolve_duplicates import decide_duplicate
from annotation.services.save_draft import WrongImage
from annotation.services.screen_page import (
    ScreeningReasonMissing,
    claim_screening,
    finish_screening,
    release_screening,
    save_screening,
)
from annotation.stages import Intake, Stage, Status
from annotation.visibility.labels import page_of
from config.accounts.models import Role
from config.blobs import read_blob
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from config.jobs.services import claim_job, run_claimed
from config.signed_images import image_token, private_image_token
from evaluation.payloads.errors import BadPayload
from tests.factories import make_member, make_project, make_sample, page_png

pytestmark = pytest.mark.database

BOX = {"id": "a", "shape": "box", "points": [[5, 5], [60, 30]], "reason": ""}


def bring_in(project, *texts):
    """Import pages as an upload would; returns the samples."""
    run = open_import(project=project, by=project.created_by, origin="browser", defaults={"language": "en"})
    for index, text in enumerate(texts):
        receive_file(run=run, name=f"{run.pk}-{index}.png", file=ContentFile(page_png(text)))
    start_import(run=run)
    claim = claim_job(ImportRun, run.pk)
    run_claimed(claim)
    return list(Sample.objects.filter(import_file__run=run).order_by("number"))


def screened_project(**fields):
    project = make_project(requires_screening=True, **fields)
    return project, make_member(project, Role.SCREENER)


def finish(screening, areas=(BOX,), **more):
    fields = {
        "areas": list(areas),
        "is_clean": not areas,
        "image_hash": unredacted_image_of(screening.sample)[1],
    }
    finish_screening(screening=screening, **(fields | more))
    return Sample.objects.get(pk=screening.sample_id)


@pytest.mark.django_db
def test_import_when_screening_is_required_then_the_sample_waits_and_no_recogniser_is_asked():
    project, screener = screened_project()
    set_recogniser(project=project, slot=1, kind="embedded", engine="x", label="X")
    [sample] = bring_in(project, "Dr Jane Roe")
    assert sample.intake == Intake.SCREENING
    assert SuggestionRequest.objects.count() == 0
    assert count_waiting_screenings(screener, project) == 1
    finish(claim_screening(person=screener, project=project))
    assert SuggestionRequest.objects.count() == 1


@pytest.mark.django_db
def test_finish_screening_when_an_area_is_marked_then_new_forms_are_grey_there_and_only_there():
    project, screener = screened_project()
    [before] = bring_in(project, "Dr Jane Roe")
    after = finish(claim_screening(person=screener, project=project))
    assert after.intake == Intake.READY
    assert {after.full_blob, after.released_blob, after.pixel_hash}.isdisjoint(
        {before.full_blob, before.released_blob, before.pixel_hash}
    )
    assert (after.unredacted_blob, after.unredacted_pixel_hash) == (before.full_blob, before.pixel_hash)
    for blob in (after.full_blob, after.released_blob):
        image = Image.open(io.BytesIO(read_blob(blob))).convert("L")
        assert image.crop((5, 5, 60, 30)).getextrema() == (128, 128)
        whole = Image.open(io.BytesIO(read_blob(before.full_blob))).convert("L")
        assert image.crop((60, 0, 240, 160)).tobytes() == whole.crop((60, 0, 240, 160)).tobytes()
    event = Event.objects.get(sample=after, verb="screened")
    assert event.actor == screener
    assert event.data["areas"] == 1


@pytest.mark.django_db
def test_finish_screening_when_there_is_nothing_to_redact_then_the_image_stays_and_is_open():
    project, screener = screened_project()
    [before] = bring_in(project, "a poem")
    after = finish(claim_screening(person=screener, project=project), areas=())
    assert (after.full_blob, after.pixel_hash, after.unredacted_blob) == (
        before.full_blob,
        before.pixel_hash,
        "",
    )
    assert after.intake == Intake.READY


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("areas", "more", "refused"),
    [
        ((), {"is_clean": False}, ScreeningReasonMissing),
        ((BOX,), {"is_clean": True}, ScreeningReasonMissing),
        ((BOX | {"points": [[5, 5], [900, 900]]},), {}, BadPayload),
        ((BOX | {"points": [[5, 5], [5, 5]]},), {}, BadPayload),
        ((BOX,), {"image_hash": "0" * 64}, WrongImage),
    ],
)
def test_finish_screening_when_it_cannot_be_burned_in_then_nothing_changes(areas, more, refused):
    project, screener = screened_project()
    [before] = bring_in(project, "a letter")
    screening = claim_screening(person=screener, project=project)
    with pytest.raises(refused):
        finish(screening, areas, **more)
    after = Sample.objects.get(pk=before.pk)
    assert (after.intake, after.full_blob) == (Intake.SCREENING, before.full_blob)


@pytest.mark.django_db
def test_finish_screening_when_sent_twice_then_once_and_another_answer_is_refused():
    project, screener = screened_project()
    bring_in(project, "a letter")
    screening = claim_screening(person=screener, project=project)
    finish(screening)
    finish(screening)
    with pytest.raises(AssignmentClosed):
        finish(screening, areas=())
    assert Event.objects.filter(verb="screened").count() == 1


@pytest.mark.django_db
def test_claim_screening_without_the_role_then_not_allowed():
    project, _screener = screened_project()
    with pytest.raises(NotAllowed):
        claim_screening(person=make_member(project, Role.ANNOTATOR), project=project)


@pytest.mark.django_db
def test_put_back_screening_when_another_takes_it_then_the_drawn_areas_are_there():
    project, screener = screened_project()
    bring_in(project, "a letter")
    first = claim_screening(person=screener, project=project)
    save_screening(screening=first, areas=[BOX])
    release_screening(screening=first)
    other = claim_screening(person=make_member(project, Role.SCREENER), project=project)
    assert other.areas[0]["points"] == BOX["points"]
    with pytest.raises(LeaseLost):
        save_screening(screening=first, areas=[])


def shown(client, person, token):
    client.force_login(person)
    return client.get(reverse("image", args=[token])).status_code


@pytest.mark.django_db
def test_image_when_unredacted_then_no_token_of_anybody_else_reaches_it(client):
    project, screener = screened_project()
    [before] = bring_in(project, "Dr Jane Roe")
    manager, team = project.created_by, project.team
    annotator = make_member(project, Role.ANNOTATOR, Role.REVIEWER, Role.DIFFICULTY_RATER)

    def look():
        return {
            (name, blob): [
                shown(client, person, make(person=person, blob=getattr(before, blob), team=team))
                for make in (image_token, private_image_token)
            ]
            for name, person in (("manager", manager), ("screener", screener), ("annotator", annotator))
            for blob in ("full_blob", "released_blob")
        }

    private_only = {
        (name, blob): [404, 404 if name == "annotator" else 200]
        for name in ("manager", "screener", "annotator")
        for blob in ("full_blob", "released_blob")
    }
    assert look() == private_only
    after = finish(claim_screening(person=screener, project=project))
    assert look() == private_only
    assert shown(client, annotator, image_token(person=annotator, blob=after.full_blob, team=team)) == 200


@pytest.mark.django_db
def test_open_unredacted_when_a_manager_looks_then_it_stands_in_the_history(client):
    project, screener = screened_project()
    bring_in(project, "Dr Jane Roe")
    sample = finish(claim_screening(person=screener, project=project))
    token = open_unredacted_image(sample=sample, manager=project.created_by)
    assert shown(client, project.created_by, token) == 200
    assert shown(client, screener, token) == 404
    assert Event.objects.get(verb="unredacted_opened").actor == project.created_by
    page = client.get(reverse("sample", args=[sample.uuid]))
    assert page.status_code == 404
    client.force_login(project.created_by)
    assert b"Unredacted page opened" in client.get(reverse("sample", args=[sample.uuid])).content


@pytest.mark.django_db
def test_finish_screening_when_done_then_who_saw_the_page_before_counts_as_having_seen_it():
    project, screener = screened_project()
    bring_in(project, "a letter")
    sample = finish(claim_screening(person=screener, project=project))
    assert has_seen(screener, sample.pixel_hash, SeenContent.IMAGE)


@pytest.mark.django_db
def test_finish_screening_when_evidence_holds_names_then_annotators_get_none_of_it():
    project, screener = screened_project()
    [sample] = bring_in(project, "a letter")
    links = ["https://example.org/x"]
    Sample.objects.update(transcript="Jane Roe", source_url="https://example.org", discussion_links=links)
    finish(claim_screening(person=screener, project=project), withhold_evidence=True)
    annotator = make_member(project, Role.ANNOTATOR)
    page = page_of(claim_work(person=annotator, project=project, stage=Stage.LABEL))
    assert (page.transcript, page.source_url, page.discussion_links) == ("", "", ())
    assert sample.pk


@pytest.mark.django_db
def test_import_when_a_page_comes_again_after_redaction_then_it_is_found_a_duplicate_once_screened():
    project, screener = screened_project()
    [first] = bring_in(project, "the same page")
    finish(claim_screening(person=screener, project=project))
    [second] = bring_in(project, "the same page")
    pair = DuplicatePair.objects.get()
    assert (pair.first_id, pair.second_id) == (first.pk, second.pk)
    assert Sample.objects.get(pk=second.pk).intake == Intake.SCREENING
    assert finish(claim_screening(person=screener, project=project)).intake == Intake.DUPLICATE


@pytest.mark.django_db
def test_import_when_a_page_that_is_open_comes_again_then_it_stays_open_for_its_annotator(client):
    project, screener = screened_project()
    bring_in(project, "the same page")
    sample = finish(claim_screening(person=screener, project=project), areas=())
    annotator = make_member(project, Role.ANNOTATOR)
    bring_in(project, "the same page")
    token = image_token(person=annotator, blob=sample.full_blob, team=project.team)
    assert shown(client, annotator, token) == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("stage", "status"),
    [
        (Stage.PREANNOTATE, Status.OPEN),
        (Stage.LABEL, Status.OPEN),
        (Stage.LABEL, Status.HELD),
        (Stage.VERIFY, Status.OPEN),
        (Stage.VERIFY, Status.HELD),
        (Stage.ADJUDICATE, Status.OPEN),
        (Stage.ADJUDICATE, Status.SUBMITTED),
        (Stage.ADJUDICATE, Status.HELD),
        (Stage.DONE, Status.SUBMITTED),
    ],
)
def test_screen_again_when_work_stands_anywhere_then_the_page_is_shut_and_labelling_begins_anew(
    client, stage, status
):
    project = make_project()
    sample = make_sample(project, stage=stage, status=status)
    holder = make_member(project, Role.ANNOTATOR)
    if status == Status.HELD:
        Work.objects.update(holder=holder)
    token = image_token(person=holder, blob=sample.full_blob, team=project.team)
    assert shown(client, holder, token) == 200
    rescreen_sample(sample=sample, manager=project.created_by, reason="a phone number in line 3")
    assert shown(client, holder, token) == 404
    work = Work.objects.get()
    wanted = Stage.PREANNOTATE if stage == Stage.PREANNOTATE else Stage.LABEL
    assert (work.stage, work.status, work.holder) == (wanted, Status.OPEN, None)
    assert claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL) is None
    assert Event.objects.get(verb="screen_again").reason == "a phone number in line 3"
    with pytest.raises(StaleWork):
        rescreen_sample(sample=sample, manager=project.created_by, reason="again")


@pytest.mark.django_db
def test_screen_again_when_an_assignment_is_open_then_its_pages_are_gone_until_it_is_done(client):
    project = make_project()
    sample = make_sample(project)
    annotator = make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    Draft.objects.update(text="half a page")
    rescreen_sample(sample=sample, manager=project.created_by, reason="names")
    client.force_login(annotator)
    assert client.get(reverse("work", args=[assignment.uuid])).status_code == 404
    finish(claim_screening(person=make_member(project, Role.SCREENER), project=project))
    again = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    assert (again.pk, again.draft.text) == (assignment.pk, "half a page")
    assert client.get(reverse("work", args=[assignment.uuid])).status_code == 200


@pytest.mark.django_db
def test_screen_again_when_the_image_changes_then_what_was_read_from_it_is_gone_and_asked_anew():
    project = make_project()
    sample = make_sample(project)
    setting = set_recogniser(project=project, slot=1, kind="embedded", engine="x", label="X")
    request = SuggestionRequest.objects.create(sample=sample, recogniser=setting, state="done")
    Suggestion.objects.create(request=request, text="Jane Roe, 0123", image_hash=sample.released_blob)
    rescreen_sample(sample=sample, manager=project.created_by, reason="names")
    finish(claim_screening(person=make_member(project, Role.SCREENER), project=project))
    assert Suggestion.objects.count() == 0
    request.refresh_from_db()
    assert request.state == "queued"


@pytest.mark.django_db
@pytest.mark.parametrize("decision", ["keep_both", "keep_second"])
def test_screen_again_when_the_same_scan_waits_as_a_duplicate_then_it_is_shut_too_and_screened_if_kept(
    client, decision
):
    """Who had the image on the screen before must not reach the name by the other page's image."""
    project = make_project()
    screener, annotator = make_member(project, Role.SCREENER), make_member(project, Role.ANNOTATOR)
    first, twin = bring_in(project, "Dear Jane Doe", "Dear Jane Doe")
    assert (first.intake, twin.intake, twin.full_blob) == (Intake.READY, Intake.DUPLICATE, first.full_blob)
    token = image_token(person=annotator, blob=first.full_blob, team=project.team)
    client.force_login(annotator)
    assert client.get(reverse("image", args=[token])).status_code == 200
    rescreen_sample(sample=first, manager=project.created_by, reason="a name")
    assert client.get(reverse("image", args=[token])).status_code == 404
    finish(claim_screening(person=screener, project=project))
    assert client.get(reverse("image", args=[token])).status_code == 404
    decide_duplicate(pair=DuplicatePair.objects.get(), decision=decision, by=project.created_by)
    twin.refresh_from_db()
    assert twin.intake == Intake.SCREENING
    finish(claim_screening(person=screener, project=project))
    twin.refresh_from_db()
    assert twin.intake == Intake.READY and twin.unredacted_blob
    assert client.get(reverse("image", args=[token])).status_code == 404


@pytest.mark.django_db
def test_screen_again_without_a_reason_or_after_release_then_refused():
    project = make_project()
    sample = make_sample(project)
    with pytest.raises(ReasonMissing):
        rescreen_sample(sample=sample, manager=project.created_by, reason=" ")
    Event.objects.create(sample=sample, verb="released")
    with pytest.raises(AlreadyReleased):
        rescreen_sample(sample=sample, manager=project.created_by, reason="names")
    assert Label.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_claim_screening_when_ten_ask_for_three_pages_then_three_have_one_each():
    project, _screener = screened_project()
    for _ in range(3):
        sample = make_sample(project, intake=Intake.SCREENING)
        Screening.objects.create(sample=sample)
    people = [make_member(project, Role.SCREENER) for _ in range(10)]
    barrier, results = threading.Barrier(10), []

    def ask(person):
        try:
            barrier.wait(timeout=60)
            results.append(claim_screening(person=person, project=project))
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    held = [row for row in results if isinstance(row, Screening)]
    assert len({row.sample_id for row in held}) == len(held) == 3, results
    assert results.count(None) == 7
