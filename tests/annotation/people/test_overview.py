"""The manager's overview, list and page of samples, and the home page: what they count and what they cost."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, DuplicatePair, Event, Flag, Label, Project, Sample, Work
from annotation.selectors.overview import columns_of, distribution_of, stuck_in
from annotation.selectors.samples import STATE_FILTERS, SampleFilter, samples_of, state_of
from annotation.services.claim_work import claim_work
from annotation.stages import Intake, SampleState, Stage, Status, sample_state
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from tests.annotation.positions import POSITIONS
from tests.factories import make_member, make_project, make_sample, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def _age(sample: Sample, **age: float) -> None:
    Work.objects.filter(sample=sample).update(changed_at=timezone.now() - timedelta(**age))


def test_state_filters_when_held_against_the_stage_machine_then_both_give_one_word(project: Project) -> None:
    expected: dict[int, SampleState] = {}
    for intake, position, is_released in itertools.product(Intake, POSITIONS, (False, True)):
        sample = make_sample(project, intake=intake, stage=position.stage, status=position.status)
        Work.objects.filter(sample=sample).update(is_released=is_released)
        expected[sample.number] = sample_state(
            intake=intake, stage=position.stage, status=position.status, is_released=is_released
        )
    bare = make_sample(project, intake=Intake.READY)
    Work.objects.filter(sample=bare).delete()
    states: dict[int, SampleState] = {}
    for state in STATE_FILTERS:
        for sample in samples_of(project, SampleFilter(state=state), project.created_by):
            assert sample.number not in states, "a sample has one state"
            states[sample.number] = state
            assert state_of(sample) == state
    assert states == expected
    assert sum(column.count for column in columns_of(project).values()) == len(expected) + 1


def test_overview_when_samples_stand_everywhere_then_each_state_has_its_count_and_oldest(
    client: Client, project: Project
) -> None:
    for _ in range(3):
        make_sample(project, stage=Stage.LABEL)
    held = make_sample(project, stage=Stage.LABEL, status=Status.HELD)
    _age(held, days=3)
    done = make_sample(project, stage=Stage.DONE, status=Status.SUBMITTED)
    make_sample(project, intake=Intake.EXCLUDED)
    columns = columns_of(project)
    assert (columns[SampleState.LABELLING].count, columns[SampleState.LABELLING].held) == (4, 1)
    assert timezone.now() - columns[SampleState.LABELLING].oldest > timedelta(days=2)
    assert columns[SampleState.VERIFIED].count == 1 and columns[SampleState.EXCLUDED].count == 1
    page = client.get(reverse("project", args=[project.slug])).text
    assert "1 in progress" in page and "1 sample is excluded" in page and str(done.number) in page


def test_distribution_when_counted_then_excluded_are_out_and_lists_of_the_project_are_in(
    project: Project,
) -> None:
    make_sample(project, language="en", scenario="letters_notes", structure="text")
    make_sample(
        project,
        language="en",
        scenario="letters_notes",
        stage=Stage.DONE,
        status=Status.SUBMITTED,
        structure="text",
    )
    make_sample(project, language="ja", scenario="Postcards", structure="table")
    make_sample(project, language="en", status=Status.WITHDRAWN)
    make_sample(project, language="en", intake=Intake.EXCLUDED)
    by_structure, by_scenario = distribution_of(project)
    assert by_structure.cell("text", "en").count == 2 and by_structure.cell("text", "en").verified == 1
    assert by_structure.columns == [*project.languages, "ja"] and by_structure.total == 3
    assert (
        by_scenario.rows[: len(project.scenarios)] == project.scenarios
        and by_scenario.rows[-1] == "Postcards"
    )
    assert by_scenario.cell("Postcards", "ja").count == 1 and by_scenario.cell("Postcards", "en").heat == 0
    assert by_structure.cell("text", "en").heat == 10 and by_structure.cell("table", "ja").heat == 5


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [1, 2, 3, 4]),
        ("state=labelling", [1, 2]),
        ("state=verifying", [3]),
        ("structure=table", [2]),
        ("language=zh-Hans", [3]),
        ("scenario=business_documents", [4]),
        ("flag=open", [1]),
        ("number=4", [4]),
        ("state=labelling&structure=table", [2]),
        ("state=released", []),
        ("holder=HOLDER", [2]),
    ],
)
def test_samples_when_filtered_by_the_address_then_only_those_are_listed(
    client: Client, project: Project, query: str, numbers: list[int]
) -> None:
    worker = make_member(project, Role.ANNOTATOR)
    flagged = make_sample(project)
    held = make_sample(project, structure="table", status=Status.HELD)
    Work.objects.filter(sample=held).update(holder=worker)
    make_sample(project, language="zh-Hans", stage=Stage.VERIFY)
    make_sample(project, scenario="business_documents", stage=Stage.DONE, status=Status.SUBMITTED)
    Flag.objects.create(sample=flagged, person=worker, stage="label", message="blurred")
    Flag.objects.create(sample=held, person=worker, stage="label", message="old", closed_at=timezone.now())
    make_sample(make_project())
    address = reverse("project_samples", args=[project.slug]) + "?" + query.replace("HOLDER", str(worker.pk))
    rows = client.get(address).context["rows"]
    assert [sample.number for sample, _state in rows] == numbers


@pytest.mark.parametrize(
    "query", ["state=nonsense", "number=x", "holder=99999999", "page=banana", "language='--"]
)
def test_samples_when_the_address_is_nonsense_then_the_page_still_stands(
    client: Client, project: Project, query: str
) -> None:
    make_sample(project)
    response = client.get(reverse("project_samples", args=[project.slug]) + "?" + query)
    assert response.status_code == 200 and len(response.context["rows"]) == 1


def _bulk(project: Project, count: int) -> None:
    sample = make_sample(project)
    Project.objects.filter(pk=project.pk).update(next_number=sample.number + count + 1)
    project.refresh_from_db()
    fields = {
        f.name: getattr(sample, f.name) for f in Sample._meta.concrete_fields if f.name not in ("id", "uuid")
    }
    people = [make_user() for _ in range(3)]
    samples = Sample.objects.bulk_create(
        Sample(**fields | {"number": sample.number + n, "released_name": f"x_{sample.number + n}.png"})
        for n in range(1, count + 1)
    )
    Work.objects.bulk_create(
        Work(sample=s, stage=Stage.LABEL, status=Status.HELD, holder=people[n % 3])
        for n, s in enumerate(samples)
    )


@pytest.mark.parametrize(("name", "queries"), [("project", 11), ("project_samples", 11)])
def test_page_when_samples_grow_tenfold_then_it_asks_no_more_queries(
    client: Client, project: Project, django_assert_num_queries, name: str, queries: int
) -> None:
    address = reverse(name, args=[project.slug])
    for count in (60, 600):
        _bulk(project, count)
        with django_assert_num_queries(queries):
            assert client.get(address).status_code == 200


def test_home_when_projects_have_more_samples_then_it_asks_no_more_queries(
    client: Client, project: Project, django_assert_max_num_queries
) -> None:
    _bulk(project, 300)
    with django_assert_max_num_queries(14):
        client.get(reverse("home"))


def test_people_page_when_members_grow_then_it_asks_no_more_queries(
    client: Client, project: Project, django_assert_num_queries
) -> None:
    address = reverse("project_people", args=[project.slug])
    for _ in range(2):
        for _ in range(5):
            make_member(project, Role.ANNOTATOR, Role.REVIEWER)
        with django_assert_num_queries(8):
            client.get(address)


# Home


def test_home_when_work_waits_then_it_is_said_in_words_with_one_button_each(
    client: Client, project: Project
) -> None:
    person = make_member(project, Role.ANNOTATOR, Role.REVIEWER)
    make_sample(project)
    make_sample(project)
    make_sample(project, stage=Stage.VERIFY)
    client.force_login(person)
    page = client.get(reverse("home")).text
    assert page.count('action="/projects/') == 2
    assert "to transcribe" in page and "for second review" in page
    assert page.count("button--primary") == 1
    assignment = claim_work(person=person, project=project, stage=Stage.LABEL)
    page = client.get(reverse("home")).text
    assert f"Sample {assignment.sample.number} is assigned to you" in page and "Continue" in page


def test_home_when_a_discussion_is_open_then_both_of_them_see_it_and_nobody_else(
    client: Client, project: Project
) -> None:
    ann, bo, other = (make_member(project, Role.ANNOTATOR, Role.REVIEWER) for _ in range(3))
    sample = make_sample(project, stage=Stage.ADJUDICATE)
    now = timezone.now()
    for person, stage in ((ann, Stage.LABEL), (bo, Stage.VERIFY)):
        Assignment.objects.create(
            sample=sample, person=person, stage=stage, round=1, mode="verify", submitted_at=now
        )
    for person, sees in ((ann, True), (bo, True), (other, False)):
        client.force_login(person)
        assert ("disagreement to discuss" in client.get(reverse("home")).text) is sees


def test_home_when_samples_wait_too_long_then_the_manager_sees_where(
    client: Client, project: Project
) -> None:
    old, fresh = make_sample(project, stage=Stage.VERIFY), make_sample(project, stage=Stage.ADJUDICATE)
    _age(old, days=9)
    _age(fresh, days=1)
    assert [(s.column.state, s.column.count) for s in stuck_in([project])] == [(SampleState.VERIFYING, 1)]
    assert "Where samples are stuck" in client.get(reverse("home")).text
    client.force_login(make_member(project, Role.ANNOTATOR))
    assert "Where samples are stuck" not in client.get(reverse("home")).text


def test_home_when_pairs_and_flags_wait_then_only_managers_see_them(client: Client, project: Project) -> None:
    first, second = make_sample(project), make_sample(project)
    DuplicatePair.objects.create(project=project, first=first, second=second, kind="near")
    Flag.objects.create(sample=first, person=project.created_by, stage="label", message="blurred")
    page = client.get(reverse("home")).text
    assert "possible duplicate" in page and "open flag" in page
    client.force_login(make_member(project, Role.ANNOTATOR))
    page = client.get(reverse("home")).text
    assert "look alike" not in page and "open flag" not in page


# One sample


def _label(project: Project, text: str) -> Sample:
    sample = make_sample(project, stage=Stage.VERIFY)
    assignment = Assignment.objects.create(
        sample=sample, person=make_member(project, Role.ANNOTATOR), stage="label", round=1, mode="verify"
    )
    Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
    Label.objects.create(
        sample=sample, assignment=assignment, stage="label", round=1, text=text, image_hash="x"
    )
    return sample


def test_sample_page_when_opened_then_facts_but_no_transcription_and_the_image_is_noted(
    client: Client, project: Project
) -> None:
    sample = _label(project, "Dear Ann, canary")
    page = client.get(reverse("sample", args=[sample.uuid])).text
    assert sample.released_name in page and "canary" not in page
    assert has_seen(project.created_by, sample.pixel_hash, SeenContent.IMAGE)
    assert not has_seen(project.created_by, sample.pixel_hash, SeenContent.LABEL)


def test_transcriptions_when_a_manager_opens_them_then_it_is_written_down_and_said(
    client: Client, project: Project
) -> None:
    sample = _label(project, "Dear Ann, canary")
    page = client.post(reverse("sample_labels", args=[sample.uuid])).text
    assert "canary" in page and "You can no longer review this sample blind" in page
    assert has_seen(project.created_by, sample.pixel_hash, SeenContent.LABEL)
    assert Event.objects.get(sample=sample).verb == "labels_opened"


@pytest.mark.parametrize(
    ("stage", "status", "verb", "end"),
    [
        ("verify", "open", "return", ("label", "open")),
        ("label", "held", "release", ("label", "open")),
        ("done", "submitted", "reopen", ("label", "open")),
        ("label", "open", "withdraw", ("label", "withdrawn")),
        ("label", "withdrawn", "restore", ("label", "open")),
    ],
)
def test_manager_move_when_made_then_the_sample_moves_and_the_history_says_why(
    client: Client, project: Project, stage: str, status: str, verb: str, end: tuple[str, str]
) -> None:
    sample = make_sample(project, stage=Stage(stage), status=Status(status))
    page = client.get(reverse("sample", args=[sample.uuid])).text
    address = reverse("sample_move", args=[sample.uuid, verb])
    assert address in page
    client.post(address, {"reason": "Because of the blot"})
    work = Work.objects.get(sample=sample)
    assert (work.stage, work.status) == end
    event = Event.objects.get(sample=sample)
    assert (event.verb, event.actor) == (verb, project.created_by)
    if verb != "release":
        assert "Because of the blot" in client.get(reverse("sample", args=[sample.uuid])).text


def test_manager_move_when_no_reason_is_given_then_nothing_moves_and_it_says_so(
    client: Client, project: Project
) -> None:
    sample = make_sample(project)
    response = client.post(
        reverse("sample_move", args=[sample.uuid, "withdraw"]), {"reason": " "}, follow=True
    )
    assert "Give a reason" in response.text and Work.objects.get(sample=sample).status == "open"


def test_manager_move_when_the_sample_has_moved_on_then_nothing_happens_and_it_says_so(
    client: Client, project: Project
) -> None:
    sample = make_sample(project, stage=Stage.LABEL)
    response = client.post(reverse("sample_move", args=[sample.uuid, "reopen"]), {"reason": "x"}, follow=True)
    assert "The sample has changed in the meantime" in response.text and not Event.objects.exists()


@pytest.mark.parametrize("verb", ["submit", "agree", "decide", "claim", "nonsense"])
def test_manager_move_when_the_verb_is_not_the_managers_then_404(
    client: Client, project: Project, verb: str
) -> None:
    sample = make_sample(project, status=Status.HELD)
    assert client.post(reverse("sample_move", args=[sample.uuid, verb]), {"reason": "x"}).status_code == 404


def test_flag_when_closed_then_it_is_gone_from_the_filters_and_in_the_history(
    client: Client, project: Project
) -> None:
    sample = make_sample(project)
    flag = Flag.objects.create(sample=sample, person=project.created_by, stage="label", message="blurred")
    for _ in range(2):
        client.post(reverse("flag_close", args=[sample.uuid, flag.pk]))
    assert Event.objects.filter(sample=sample, verb="flag_closed").count() == 1
    assert not samples_of(project, SampleFilter(flag="open"), project.created_by).exists()
    assert "Flag closed" in client.get(reverse("sample", args=[sample.uuid])).text
