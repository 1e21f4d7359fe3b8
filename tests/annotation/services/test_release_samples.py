"""Verified samples become a release, and stay what they were."""

from __future__ import annotations

import pytest

from annotation.models import Event, Label, Skip, Work
from annotation.selectors.releases import releasable_samples
from annotation.selectors.splits import CrossingWriter
from annotation.services.claim_work import claim_work
from annotation.services.release_samples import WritersCrossSplits, create_release
from annotation.services.return_work import move_work_as_manager
from annotation.stages import Stage, Status, Verb
from config.accounts.models import Role
from evaluation.exports.data_card import data_card
from evaluation.models import GoldItem, Release
from evaluation.records import GoldRecord
from evaluation.selectors.release_integrity import checksum_of
from evaluation.services.freeze_release import NothingToRelease, NumberTaken
from tests.annotation.assignments import assignment_for, submit_work
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


@pytest.fixture
def verified(db):
    project = make_project()
    sample = make_sample(project, writer_id="w7")
    make_sample(project)  # stays in the queue
    ann = make_member(project, Role.ANNOTATOR, name="primary")
    assignment = claim_work(person=ann, project=project, stage=Stage.LABEL)
    while assignment.sample != sample:
        submit_work(assignment, "another")
        assignment = claim_work(person=ann, project=project, stage=Stage.LABEL)
    submit_work(assignment, "Dear Jane,\nthe end.")
    rev = make_member(project, Role.REVIEWER)
    Skip.objects.bulk_create(
        Skip(sample=other, person=rev, stage=Stage.VERIFY) for other in project.samples.exclude(pk=sample.pk)
    )
    submit_work(assignment_for(project, Stage.VERIFY, rev), "Dear Jane,\nthe end.")
    return project, sample


def test_make_release_then_only_verified_samples_with_text_origins_and_checksum(verified):
    project, sample = verified
    assert list(releasable_samples(project)) == [sample]
    release = create_release(project=project, by=project.created_by, title="First")
    item = release.items.get()
    record = GoldRecord(**(item.record | {"origins": tuple(item.record["origins"])}))
    assert (record.text, record.origins) == ("Dear Jane,\nthe end.", ("agreed", "agreed"))
    assert (record.id, record.extra["writer_id"]) == (sample.uuid.hex, "w7")
    assert release.checksum == checksum_of([record]) == release.manifest["checksum"]
    assert Work.objects.get(sample=sample).is_released
    assert Event.objects.filter(sample=sample, verb="released").exists()


def test_make_release_then_the_guideline_is_frozen_with_it(verified):
    project, _sample = verified
    release = create_release(project=project, by=project.created_by)
    text = project.guidelines.get(number=release.manifest["guideline"]).text
    project.guidelines.update(text="Rewritten afterwards.")
    release.refresh_from_db()
    assert text and release.manifest["guideline_text"] == text


def test_make_release_of_nothing_then_refused(db):
    project = make_project()
    with pytest.raises(NothingToRelease):
        create_release(project=project, by=project.created_by)
    assert not Release.objects.exists()


def test_make_release_after_a_reopening_then_the_old_one_is_unchanged_and_the_new_one_has_the_errata(
    verified,
):
    project, sample = verified
    first = create_release(project=project, by=project.created_by)
    move_work_as_manager(
        sample=sample, verb=Verb.REOPEN, manager=project.created_by, reason="Line 2 has a typo."
    )
    assert not releasable_samples(project).exists()
    person = sample.assignments.get(stage=Stage.LABEL).person
    assignment = claim_work(person=person, project=project, stage=Stage.LABEL)
    assert assignment.sample == sample
    submit_work(assignment, "Dear Jane,\nThe end.", key="key-00000002")
    reviewer = sample.assignments.get(stage=Stage.VERIFY).person
    submit_work(
        claim_work(person=reviewer, project=project, stage=Stage.VERIFY),
        "Dear Jane,\nThe end.",
        "key-00000003",
    )
    second = create_release(project=project, by=project.created_by)
    texts = dict(GoldItem.objects.values_list("release__number", "record__text"))
    assert texts == {1: "Dear Jane,\nthe end.", 2: "Dear Jane,\nThe end."}
    assert (first.number, second.number, second.manifest["previous"]) == (1, 2, 1)
    first.refresh_from_db()
    assert first.checksum != second.checksum


def test_make_release_when_the_button_was_pressed_twice_then_one_release(verified):
    project, _sample = verified
    create_release(project=project, by=project.created_by, expected=1)
    with pytest.raises(NumberTaken):
        create_release(project=project, by=project.created_by, expected=1)
    assert Release.objects.count() == 1


def test_release_page_when_posted_twice_then_one_release_and_a_word(verified, client):
    project, _sample = verified
    client.force_login(project.created_by)
    address = f"/projects/{project.slug}/releases/new/"
    assert b'name="number" value="1"' in client.get(address).content
    sent = {"number": "1", "confirm": "on"}
    client.post(address, sent)
    again = client.post(address, sent, follow=True)
    assert "another release has been frozen since" in again.content.decode()
    assert Release.objects.count() == 1


@pytest.fixture
def crossing(verified):
    project, sample = verified
    other = make_sample(project, stage=Stage.DONE, status=Status.SUBMITTED, writer_id="w7", split="test")
    Label.objects.create(sample=other, stage=Stage.DONE, round=1, text="Yours", origins=["agreed"])
    project.samples.filter(pk=sample.pk).update(split="train")
    project.samples.exclude(pk__in=[sample.pk, other.pk]).update(writer_id="w7", split="dev")  # not verified
    return project


def test_make_release_when_a_writer_crosses_splits_then_refused_unless_there_is_a_reason(crossing):
    with pytest.raises(WritersCrossSplits) as refusal:
        create_release(project=crossing, by=crossing.created_by, crossing_reason=" ")
    assert refusal.value.writers == [CrossingWriter("w7", (("test", 1), ("train", 1)))]
    assert not Release.objects.exists()
    release = create_release(project=crossing, by=crossing.created_by, crossing_reason="A pilot.")
    kept = {"writers": [{"writer": "w7", "splits": ["test", "train"]}], "reason": "A pilot."}
    assert release.manifest["settings"]["writers_across_splits"] == kept
    assert "w7 (test, train). A pilot." in data_card(release)


def test_release_page_when_a_writer_crosses_splits_then_names_them_and_asks_for_a_reason(crossing, client):
    client.force_login(crossing.created_by)
    address = f"/projects/{crossing.slug}/releases/new/"
    page = client.get(address).content.decode()
    assert "1 writer appears in more than one split" in page and "w7" in page and "test: 1, train: 1" in page
    refused = client.post(address, {"number": "1", "confirm": "on"}).content.decode()
    assert "some writers appear in more than one split" in refused and not Release.objects.exists()
    made = client.post(address, {"number": "1", "confirm": "on", "crossing_reason": "A pilot."}, follow=True)
    assert "w7 (test, train). A pilot." in made.content.decode()
