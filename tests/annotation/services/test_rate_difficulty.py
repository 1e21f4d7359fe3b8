"""Places of raters: field cases 13 and 15 with five people a sample; blind to each other and to labels."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from annotation.difficulty import BadScores, Dimension
from annotation.models import Assignment, Draft, Event, Label, Rating, Work
from annotation.selectors.difficulty import difficulty_in, difficulty_of
from annotation.selectors.rating_queue import count_waiting_ratings, next_rating_at
from annotation.selectors.releases import next_release, releasable_samples
from annotation.services.claim_work import claim_work
from annotation.services.move_work import NotAllowed
from annotation.services.rate_difficulty import claim_rating, release_rating, save_rating, submit_rating
from annotation.services.release_samples import create_release
from annotation.services.renew_lease import AssignmentClosed, LeaseLost
from annotation.services.save_draft import WrongImage
from annotation.stages import Stage, Status
from config.accounts.models import Role
from config.exposure.models import Exposure, SeenContent
from config.exposure.services import record_exposure
from tests.at_once import at_once
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


def scores(level: int = 3) -> dict[str, int]:
    return dict.fromkeys(map(str, Dimension), level)


def submit_work(rating: Rating, level: int = 3) -> Rating:
    return submit_rating(rating=rating, scores=scores(level), image_hash=rating.sample.pixel_hash)


def let_lapse(rating: Rating) -> None:
    Rating.objects.filter(pk=rating.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def raters(project, n):
    return [make_member(project, Role.DIFFICULTY_RATER) for _ in range(n)]


@pytest.mark.django_db
def test_claim_rating_without_the_role_then_not_allowed():
    project = make_project()
    with pytest.raises(NotAllowed):
        claim_rating(person=make_member(project, Role.ANNOTATOR), project=project)


@pytest.mark.django_db
def test_claim_rating_when_five_have_it_then_none_is_left_for_the_sixth_until_one_drops_out():
    project = make_project()
    make_sample(project)
    people = raters(project, 6)
    held = [claim_rating(person=person, project=project) for person in people[:5]]
    assert sorted(rating.slot for rating in held) == [1, 2, 3, 4, 5]
    assert claim_rating(person=people[5], project=project) is None
    assert next_rating_at(project) == min(rating.lease_until for rating in held)
    save_rating(rating=held[0], scores={"cursiveness": 4}, note="")
    done = [submit_work(rating) for rating in held[1:]]
    let_lapse(held[0])
    late = claim_rating(person=people[5], project=project)
    assert late.slot == held[0].slot
    submit_work(late)
    assert Rating.objects.exclude(submitted_at=None).count() == len(done) + 1 == 5
    with pytest.raises(LeaseLost):
        submit_work(held[0])
    kept = Rating.objects.get(pk=held[0].pk)
    assert (kept.slot, kept.scores, kept.submitted_at) == (None, {"cursiveness": 4}, None)


@pytest.mark.django_db
def test_submit_rating_when_the_lease_ran_out_and_nobody_took_the_place_then_it_is_taken():
    project = make_project()
    make_sample(project)
    rating = claim_rating(person=raters(project, 1)[0], project=project)
    let_lapse(rating)
    assert submit_work(rating).submitted_at


@pytest.mark.django_db
def test_claim_rating_when_rated_or_passed_by_then_not_given_again():
    project = make_project()
    for _ in range(2):
        make_sample(project)
    [person] = raters(project, 1)
    first = claim_rating(person=person, project=project)
    assert claim_rating(person=person, project=project) == first
    submit_work(first)
    second = claim_rating(person=person, project=project)
    assert second.sample != first.sample
    release_rating(rating=second, is_skipped=True)
    assert claim_rating(person=person, project=project) is None
    assert count_waiting_ratings(person, project) == 0


@pytest.mark.django_db
def test_claim_rating_when_put_back_then_the_choices_are_there_when_it_is_taken_again():
    project = make_project()
    make_sample(project)
    [person] = raters(project, 1)
    rating = claim_rating(person=person, project=project)
    save_rating(rating=rating, scores={"cursiveness": 2}, note="faint")
    release_rating(rating=rating, is_skipped=False)
    again = claim_rating(person=person, project=project)
    assert (again.pk, again.scores, again.note, again.slot) == (rating.pk, {"cursiveness": 2}, "faint", 1)


@pytest.mark.django_db
def test_submit_rating_when_submitted_already_then_the_same_answers_and_another_is_refused():
    project = make_project()
    make_sample(project)
    rating = claim_rating(person=raters(project, 1)[0], project=project)
    first = submit_work(rating)
    assert submit_work(rating).submitted_at == first.submitted_at
    with pytest.raises(AssignmentClosed):
        submit_work(rating, level=5)
    with pytest.raises(AssignmentClosed):
        save_rating(rating=rating, scores=scores(1))
    assert Event.objects.filter(verb="rated").count() == 1


@pytest.mark.django_db
def test_submit_rating_when_incomplete_or_of_another_image_then_nothing_is_stored():
    project = make_project()
    make_sample(project)
    rating = claim_rating(person=raters(project, 1)[0], project=project)
    with pytest.raises(BadScores):
        submit_rating(rating=rating, scores={"cursiveness": 2}, image_hash=rating.sample.pixel_hash)
    with pytest.raises(WrongImage):
        submit_rating(rating=rating, scores=scores(), image_hash="0" * 64)
    assert Rating.objects.get().submitted_at is None


@pytest.mark.django_db
def test_claim_rating_when_the_primary_rates_then_allowed_and_not_whoever_knows_its_labels():
    project = make_project(raters_per_sample=9)
    sample = make_sample(project)
    primary = make_member(project, Role.ANNOTATOR, Role.DIFFICULTY_RATER)
    second = make_member(project, Role.REVIEWER, Role.DIFFICULTY_RATER)
    opener = make_member(project, Role.MANAGER, Role.DIFFICULTY_RATER)
    assignment = claim_work(person=primary, project=project, stage=Stage.LABEL)
    Label.objects.create(
        sample=sample, assignment=assignment, stage=Stage.LABEL, round=1, text="x", image_hash=""
    )
    Work.objects.update(stage=Stage.VERIFY, status=Status.OPEN, holder=None)
    assert claim_work(person=second, project=project, stage=Stage.VERIFY)
    record_exposure(
        user=opener, image_hash=sample.pixel_hash, role="manager", saw=SeenContent.LABEL, place="x"
    )
    assert claim_rating(person=primary, project=project).sample == sample
    assert claim_rating(person=second, project=project) is None
    assert claim_rating(person=opener, project=project) is None


@pytest.mark.django_db
def test_claim_rating_when_taken_then_the_image_counts_as_seen_and_labels_do_not():
    project = make_project()
    sample = make_sample(project)
    person = make_member(project, Role.DIFFICULTY_RATER, Role.REVIEWER)
    claim_rating(person=person, project=project)
    row = Exposure.objects.get(user=person)
    assert (row.image_hash, row.saw, row.role) == (sample.pixel_hash, "image", "difficulty_rater")


@pytest.mark.django_db
def test_difficulty_of_when_the_manager_may_still_rate_then_hidden():
    project = make_project(raters_per_sample=2)
    sample = make_sample(project)
    both = make_member(project, Role.MANAGER, Role.DIFFICULTY_RATER)
    manager = make_member(project, Role.MANAGER)
    submit_work(claim_rating(person=raters(project, 1)[0], project=project), level=5)
    assert difficulty_of(sample, both).is_hidden
    assert difficulty_of(sample, both).summaries == ()
    assert difficulty_in(project, both).figures[0].over_samples is None
    assert difficulty_of(sample, manager).summaries[0][1].mean == 5
    submit_work(claim_rating(person=both, project=project), level=1)
    assert difficulty_of(sample, both).summaries[0][1].mean == 3
    assert difficulty_in(project, both).rated == 1


@pytest.mark.django_db
def test_releasable_samples_when_the_project_waits_for_ratings_then_only_the_fully_rated(client):
    project = make_project(raters_per_sample=1, release_needs_ratings=True)
    for _ in range(2):
        sample = make_sample(project, stage=Stage.DONE, status=Status.SUBMITTED)
        assignment = Assignment.objects.create(
            sample=sample, person=project.created_by, stage=Stage.LABEL, round=1, mode="verify"
        )
        Draft.objects.create(assignment=assignment)
        Label.objects.create(
            sample=sample, stage=Stage.DONE, round=1, text="a", image_hash="", origins=["agreed"]
        )
    assert releasable_samples(project).count() == 0
    assert (next_release(project).verified, next_release(project).unrated) == (0, 2)
    client.force_login(project.created_by)
    assert (
        "Verified samples: 2. None has all its ratings (1) yet"
        in client.get(f"/projects/{project.slug}/releases/new/").text
    )
    rating = submit_work(claim_rating(person=raters(project, 1)[0], project=project), level=4)
    assert [sample.pk for sample in releasable_samples(project)] == [rating.sample_id]
    assert (next_release(project).verified, next_release(project).unrated) == (1, 1)
    page = client.get(f"/projects/{project.slug}/releases/new/").text
    assert re.search(r"verified, waiting for difficulty ratings\s*</dt>\s*<dd>1</dd>", page)
    [item] = create_release(project=project, by=project.created_by).items.all()
    assert next_release(project).gone == 0, "who waits for ratings has not gone"
    assert item.record["difficulty"]["cursiveness"] == {"mean": 4.0, "spread": 0.0, "n": 1}


def claim_in_parallel(people, project):
    return at_once(*(partial(claim_rating, person=person, project=project) for person in people))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("samples", "given"), [(4, 20), (1, 5)])
def test_claim_rating_when_twenty_ask_at_once_then_exactly_five_a_sample(samples, given):
    project = make_project()
    for _ in range(samples):
        make_sample(project)
    results = claim_in_parallel(raters(project, 20), project)
    held = [result for result in results if isinstance(result, Rating)]
    assert len(held) == given, results
    assert [result for result in results if result is None] == [None] * (20 - given)
    by_sample: dict[int, list[int]] = {}
    for rating in Rating.objects.all():
        by_sample.setdefault(rating.sample_id, []).append(rating.slot)
    assert [sorted(slots) for slots in by_sample.values()] == [[1, 2, 3, 4, 5]] * samples
