"""A manager who also reviews: what they may not know of a sample, and what lifts that."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Draft, Project, Sample, Work
from annotation.selectors.work_queue import count_waiting_work
from annotation.services.claim_work import claim_work
from annotation.services.flag_sample import flag_sample
from annotation.services.return_work import release_assignment
from annotation.services.submit_label import submit_label
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from config.api.services import make_token
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from config.exposure.services import record_exposure
from config.signed_images import image_token
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HIDDEN = ("Zelda Annotator", "smudged corner")


@dataclass(frozen=True, slots=True)
class Case:
    project: Project
    sample: Sample
    duo: User
    manager: User


@pytest.fixture
def case(db: None) -> Case:
    """A sample that Zelda submitted and flagged, waiting for a second review; duo manages and reviews."""
    project = make_project()
    sample = make_sample(project)
    zelda = make_member(project, Role.ANNOTATOR, name="zelda")
    zelda.first_name, zelda.last_name = "Zelda", "Annotator"
    zelda.save()
    assignment = claim_work(person=zelda, project=project, stage=Stage.LABEL)
    assert assignment is not None
    flag_sample(assignment=assignment, message="smudged corner")
    submit_label(
        assignment=assignment,
        text="Dear friend",
        base_version=Draft.objects.get(assignment=assignment).version,
        image_hash=sample.pixel_hash,
        idempotency_key="only once",
    )
    duo = make_member(project, Role.MANAGER, Role.REVIEWER, name="duo")
    return Case(project, sample, duo, project.created_by)


def _reported(client: Client, person: User, case: Case) -> str:
    """What the pages and the API tell a person of the sample, its list and its actions included."""
    client.force_login(person)
    token = {"HTTP_AUTHORIZATION": f"Bearer {make_token(user=person, name='program')}"}
    pages = [reverse("sample", args=[case.sample.uuid]), reverse("api:sample", args=[case.sample.uuid])]
    return "\n".join(client.get(path, **token).text for path in pages)


def test_sample_when_its_manager_also_reviews_then_people_history_and_flags_are_hidden(
    client: Client, case: Case
) -> None:
    assert [word for word in HIDDEN if word in _reported(client, case.duo, case)] == []
    assert [word for word in HIDDEN if word in _reported(client, case.manager, case)] == list(HIDDEN)


def test_sample_when_a_reviewing_manager_opens_the_labels_then_it_is_shown_and_blind_work_is_barred(
    client: Client, case: Case
) -> None:
    assert count_waiting_work(case.duo, case.project, Stage.VERIFY) == 1
    client.force_login(case.duo)
    assert "Dear friend" in client.post(reverse("sample_labels", args=[case.sample.uuid])).text
    assert count_waiting_work(case.duo, case.project, Stage.VERIFY) == 0
    assert [word for word in HIDDEN if word in _reported(client, case.duo, case)] == list(HIDDEN)


def test_labels_when_the_manager_holds_the_second_review_then_they_stay_shut_until_it_is_put_back(
    client: Client, case: Case
) -> None:
    assignment = claim_work(person=case.duo, project=case.project, stage=Stage.VERIFY)
    assert assignment is not None
    client.force_login(case.duo)
    token = {"HTTP_AUTHORIZATION": f"Bearer {make_token(user=case.duo, name='program')}"}
    page = client.post(reverse("sample_labels", args=[case.sample.uuid]), follow=True)
    program = Client().post(reverse("api:sample_labels", args=[case.sample.uuid]), **token)
    assert "Dear friend" not in page.text + program.text
    assert "You are working on this sample blind" in page.text
    assert program.status_code == 409
    assert not has_seen(case.duo, case.sample.pixel_hash, SeenContent.LABEL)
    release_assignment(assignment=assignment)
    assert "Dear friend" in client.post(reverse("sample_labels", args=[case.sample.uuid])).text


def test_samples_list_when_the_viewer_also_annotates_then_holders_are_neither_shown_nor_found(
    client: Client, case: Case
) -> None:
    other = make_member(case.project, Role.REVIEWER, name="rev")
    other.first_name, other.last_name = "Rhea", "Reviewer"
    other.save()
    assert claim_work(person=other, project=case.project, stage=Stage.VERIFY) is not None
    address = reverse("project_samples", args=[case.project.slug])
    row = f"<td>{other.display_name}</td>"
    for person, expected in ((case.manager, True), (case.duo, False)):
        client.force_login(person)
        assert (row in client.get(address).text) is expected
        samples = client.get(address, {"holder": other.pk}).context["page"].object_list
        assert (case.sample in samples) is expected
        listed = client.get(reverse("api:samples", args=[case.project.slug])).text
        assert (other.display_name in listed) is expected


@pytest.mark.parametrize("saw", [SeenContent.LABEL, SeenContent.GOLD])
def test_queue_when_the_image_was_seen_with_its_text_then_no_blind_work_on_it(
    case: Case, saw: SeenContent
) -> None:
    reviewer = make_member(case.project, Role.REVIEWER, name="rev")
    assert count_waiting_work(reviewer, case.project, Stage.VERIFY) == 1
    record_exposure(
        user=reviewer, image_hash=case.sample.pixel_hash, role="manager", saw=saw, place="elsewhere"
    )
    assert count_waiting_work(reviewer, case.project, Stage.VERIFY) == 0
    assert claim_work(person=reviewer, project=case.project, stage=Stage.VERIFY) is None


def test_image_when_the_token_is_another_persons_then_it_is_not_found(client: Client, case: Case) -> None:
    token = image_token(person=case.duo, blob=case.sample.full_blob, team=case.project.team)
    for person, status in ((case.duo, 200), (case.manager, 404)):
        client.force_login(person)
        assert client.get(reverse("image", args=[token])).status_code == status
        assert client.get(reverse("api:image", args=[token])).status_code == status


@pytest.mark.parametrize(
    "place", [{"stage": Stage.DONE, "status": Status.SUBMITTED}, {"status": Status.WITHDRAWN}]
)
def test_sample_when_done_or_withdrawn_then_still_hidden_as_it_may_come_back(
    client: Client, case: Case, place: dict[str, str]
) -> None:
    Work.objects.filter(sample=case.sample).update(**place)
    assert [word for word in HIDDEN if word in _reported(client, case.duo, case)] == []
