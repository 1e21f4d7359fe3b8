"""Nobody reads what they have seen, and nobody is shown what they are still to read."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import DuplicatePair, Sample, Screening
from annotation.models.sample import DuplicateDecision, DuplicateKind
from annotation.selectors.rating_queue import eligible_samples
from annotation.selectors.screening_queue import count_waiting_screenings
from annotation.selectors.work_queue import ROLE_OF_STAGE, count_waiting_work
from annotation.services.claim_work import claim_work
from annotation.services.screen_page import claim_screening
from annotation.stages import Intake, Stage
from baseline.models import Baseline, Response, TaskState
from baseline.services.assign_samples import open_baseline
from baseline.services.configure_baseline import close_baseline, enrol_participant
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from config.exposure.models import Exposure, Reservation, SeenContent
from config.exposure.reservations import release_reservations, reserve
from config.exposure.services import record_exposure
from config.jobs.services import run_waiting
from evaluation.models import ExportFormat, Release, ScoreRun
from evaluation.services.export_release import request_export
from evaluation.services.score_predictions import request_score
from tests.annotation.assignments import submit_work
from tests.baseline.made import TEXTS, make_baseline, make_release, release_of, the_taker
from tests.evaluation.preference.world import answer_all, make_maths_release, make_open_study, make_study
from tests.factories import make_gold, make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_show_when_the_image_was_seen_elsewhere_meanwhile_then_it_is_void_and_the_next_comes() -> None:
    taker = the_taker(make_baseline())
    taker.start()
    Exposure.objects.create(
        user=taker.row.person,
        image_hash=taker.task().item.pixel_hash,
        role="annotator",
        saw=SeenContent.IMAGE,
        place="work",
    )
    taker.do("show")
    assert taker.task(0).state == TaskState.VOID and taker.task(0).void_reason == "seen"
    assert taker.fresh().position == 1 and taker.page() == "ready"


@pytest.mark.parametrize("saw", [SeenContent.IMAGE, SeenContent.LABEL, SeenContent.GOLD])
def test_page_when_it_is_opened_elsewhere_while_the_clock_runs_then_it_is_void(saw: SeenContent) -> None:
    taker = the_taker(make_baseline())
    taker.start()
    taker.do("show")
    record_exposure(
        user=taker.row.person,
        image_hash=taker.task().item.pixel_hash,
        role=Role.MANAGER,
        saw=saw,
        place="sample",
    )
    assert taker.submit("copied from there").status_code == 302
    assert (taker.task(0).state, taker.task(0).void_reason) == (TaskState.VOID, "seen")
    assert not Response.objects.exists() and taker.page() == "ready"


def closed_pages(release: Release) -> list[str]:
    """Addresses that show ground truth, a reference answer or figures of a release, to its managers."""
    answers, run = release.prediction_sets.get(), ScoreRun.objects.get()
    item = release.items.get(position=0)
    at_release = (
        "release release_runs release_reports release_data_card "
        "leaderboard release_changes predictions_upload studies study_new baselines baseline_new "
        "model_run_new api:release api:leaderboard api:exports api:prediction_sets"
    )
    pages = [reverse(name, args=[release.pk]) for name in at_release.split()]
    pages += [reverse("leaderboard_file", args=[release.pk, kind]) for kind in ("csv", "json")]
    pages += [reverse(name, args=[answers.pk]) for name in ("prediction_set", "api:prediction_set")]
    pages += [reverse(name, args=[run.pk]) for name in ("score_run", "api:score_run", "api:score_items")]
    pages += [reverse(name, args=[run.pk, item.sample_id]) for name in ("item_score", "api:score_item")]
    export = release.exports.get()
    pages += [reverse(name, args=[export.pk]) for name in ("export", "export_download", "api:export")]
    study = release.studies.get()
    pages += [reverse(name, args=[study.pk]) for name in ("study", "study_setup", "study_sampling")]
    baseline = Baseline.objects.get()
    names = ("baseline", "baseline_edit", "baseline_results")
    pages += [reverse(name, args=[baseline.pk]) for name in names]
    pages += [reverse("baseline_conduct", args=[baseline.pk, kind]) for kind in ("csv", "json")]
    return pages


@pytest.fixture
def release() -> Release:
    """The second release of a project, with a system's answers, an export and a study of it."""
    first = make_maths_release(3)
    made = make_maths_release(4, team=first.team)
    answer_all(made)
    request_score(prediction_set=made.prediction_sets.get())
    request_export(release=made, format=ExportFormat.INKBENCH, by=made.created_by)
    run_waiting()
    make_study(made, n_items=2, n_attention=0, n_repeats=0, n_practice=0)
    return made


def test_pages_with_figures_or_gold_when_a_reader_is_still_to_read_then_they_are_closed_until_the_end(
    release: Release,
) -> None:
    taker = the_taker(make_baseline(release))
    give_roles(team=release.team, user=taker.row.person, roles=[Role.MANAGER])
    pages = closed_pages(release)
    for page in pages:
        refused = taker.client.get(page)
        assert (page, refused.status_code) == (page, 403) and "still to read" in refused.text
    taker.start()
    for item in release.items.all():
        taker.read(item.sample_id)
    taker.do("finish")
    assert {page: taker.client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


def test_changes_when_a_text_that_is_gone_is_still_to_be_read_then_they_are_closed() -> None:
    before = make_release()
    after = release_of([make_gold("another page")], team=before.team)
    taker = the_taker(make_baseline(before))
    give_roles(team=before.team, user=taker.row.person, roles=[Role.MANAGER])
    page = reverse("release_changes", args=[after.pk])
    assert taker.client.get(reverse("release", args=[after.pk])).status_code == 200
    assert taker.client.get(page).status_code == 403
    taker.do("withdraw", sure="yes")
    shown = taker.client.get(page)
    assert shown.status_code == 200 and TEXTS[0] in shown.text


def test_enrolment_in_a_study_when_its_rater_is_still_to_read_then_the_reference_answer_waits() -> None:
    study, (tab_token,) = make_open_study(n_raters=1, n=8)
    release = study.release
    baseline = make_baseline(release, people=0, is_open=False)
    enrol_participant(baseline=baseline, person=tab_token.user)
    open_baseline(baseline=baseline)
    rater = the_taker(baseline)
    page = reverse("study_enrolment", args=[tab_token.uuid])
    refused = rater.client.get(f"{page}?begin=1")
    assert refused.status_code == 403 and "The half of" not in refused.text
    assert rater.client.post(f"{page}grade/", {"position": 1, "grade": 5}).status_code == 403
    close_baseline(baseline=baseline)
    assert "The half of" in rater.client.get(f"{page}?begin=1").text


@pytest.fixture
def sample() -> Sample:
    """A page of a project, with a label, that somebody with every role is still to read elsewhere."""
    project = make_project()
    made = make_sample(project)
    first = make_member(project, Role.ANNOTATOR)
    submit_work(claim_work(person=first, project=project, stage=Stage.LABEL))
    return made


@pytest.fixture
def reader(sample: Sample) -> User:
    person = make_member(sample.project, *Role)
    reserve(user=person, image_hashes=[sample.pixel_hash], holder="a baseline")
    return person


def test_queues_when_somebody_is_still_to_read_the_image_then_they_pass_over_it(
    sample: Sample, reader: User
) -> None:
    fresh = make_sample(sample.project)
    reserve(user=reader, image_hashes=[fresh.pixel_hash], holder="a baseline")
    for wanted in (set(), {Stage.LABEL, Stage.VERIFY}):
        stages = {stage for stage in ROLE_OF_STAGE if count_waiting_work(reader, sample.project, stage)}
        assert stages == wanted and eligible_samples(reader, sample.project).exists() is bool(wanted)
        release_reservations(user=reader, holder="a baseline")


@pytest.mark.parametrize("field", ["pixel_hash", "unredacted_pixel_hash"])
def test_screening_when_the_screener_is_still_to_read_the_image_then_passes_over_it(
    reader: User, sample: Sample, field: str
) -> None:
    kept = "a" * 64
    fresh = make_sample(sample.project, text="fresh", intake=Intake.SCREENING, **{field: kept})
    Screening.objects.create(sample=fresh)
    assert count_waiting_screenings(reader, sample.project) == 1
    reserve(user=reader, image_hashes=[kept], holder="a baseline")
    assert count_waiting_screenings(reader, sample.project) == 0
    assert claim_screening(person=reader, project=sample.project) is None
    release_reservations(user=reader, holder="a baseline")
    assert count_waiting_screenings(reader, sample.project) == 1
    held = claim_screening(person=reader, project=sample.project)
    assert held is not None and held.sample == fresh


@pytest.mark.parametrize("name", ["sample_labels", "api:sample_labels"])
def test_labels_when_a_manager_is_still_to_read_the_image_then_they_stay_shut(
    sample: Sample, reader: User, client: Client, name: str
) -> None:
    client.force_login(reader)
    url = reverse(name, args=[sample.uuid])
    refused = client.post(url)
    assert refused.status_code == 403 and "still to read" in refused.text
    assert not Exposure.objects.filter(user=reader).exists()
    release_reservations(user=reader, holder="a baseline")
    assert client.post(url).status_code == 200


@pytest.mark.parametrize("is_different", [False, True])
def test_hand_out_when_a_page_looks_like_one_they_are_to_read_then_it_is_reserved_too(
    is_different: bool,
) -> None:
    project = make_project()
    page, alike = make_sample(project), make_sample(project)
    DuplicatePair.objects.create(
        project=project,
        first=page,
        second=alike,
        kind=DuplicateKind.NEAR,
        decision=DuplicateDecision.KEEP_BOTH if is_different else DuplicateDecision.PENDING,
    )
    release = release_of([make_gold(text) for text in TEXTS], team=project.team)
    released = release.items.first()
    assert released is not None
    Sample.objects.filter(pk=page.pk).update(pixel_hash=released.pixel_hash)
    reader = the_taker(make_baseline(release=release)).row.person
    reserved = set(Reservation.objects.filter(user=reader).values_list("image_hash", flat=True))
    assert released.pixel_hash in reserved
    assert (alike.pixel_hash in reserved) is not is_different
