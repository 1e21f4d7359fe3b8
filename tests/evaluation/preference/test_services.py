"""A study through the services: opening, rating once, closing, results."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from config.accounts.models import Role
from config.accounts.services import give_roles
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from config.jobs.services import JobLeaseLost, claim_job, run_waiting
from evaluation.preference.analysis import PARTS, REVISION, analyse
from evaluation.preference.design import Choice, TrialKind
from evaluation.preference.models import (
    Enrolment,
    ExpertGrade,
    Item,
    PreferenceVote,
    Study,
    StudyAnalysis,
    Trial,
    TrialEvent,
)
from evaluation.preference.selectors import StudyStillOpen, build_record, current_trial, pending_studies_of
from evaluation.preference.services import rate_item
from evaluation.preference.services.analyse_study import request_results, results_of, run_analysis
from evaluation.preference.services.configure_study import (  # fmt: skip
    CannotRate,
    StudyNotDraft,
    draw_again,
    remove_study,
)
from evaluation.preference.services.open_study import close_study, open_study
from evaluation.preference.services.rate_item import open_sheet
from evaluation.preference.study_record import StudyRecord
from evaluation.preference.worksheets import ChoiceSheet, GradeSheet
from tests.evaluation.preference.world import (
    answer_all,
    make_maths_release,
    make_open_study,
    make_raters,
    make_study,
)  # fmt: skip

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def rate_all(enrolment: Enrolment, dice: random.Random) -> None:
    while (trial := current_trial(enrolment)) is not None:
        open_sheet(enrolment)
        rate_item.save_grade(
            enrolment=enrolment, position=trial.position, value=dice.randint(0, 10), marks={}
        )
        open_sheet(enrolment)
        rate_item.save_vote(
            enrolment=enrolment, position=trial.position, choice=dice.choice(list(Choice)), comment=""
        )


def test_open_when_opened_twice_then_one_plan_and_a_rater_who_manages_is_refused():
    release = make_maths_release()
    answer_all(release)
    raters = make_raters(release)
    study = make_study(release, raters)
    give_roles(team=release.team, user=raters[0], roles=[Role.MANAGER])
    with pytest.raises(CannotRate):
        open_study(study)
    raters[0].memberships.filter(role=Role.MANAGER).delete()
    open_study(study)
    open_study(study)
    assert Trial.objects.count() == 3 * (6 + 1 + 2 + 2)
    study.refresh_from_db()
    with pytest.raises(StudyNotDraft):
        remove_study(study)
    with pytest.raises(StudyNotDraft):
        draw_again(study)


def test_sheets_when_opened_then_step_1_has_no_image_or_score_and_both_are_written_down():
    _study, enrolments = make_open_study()
    enrolment = enrolments[0]
    sheet = open_sheet(enrolment)
    assert isinstance(sheet, GradeSheet)
    gold = current_trial(enrolment).item.gold
    assert has_seen(enrolment.user, gold.pixel_hash, SeenContent.GOLD) and not has_seen(
        enrolment.user, gold.pixel_hash, SeenContent.IMAGE
    )
    rate_item.save_grade(
        enrolment=enrolment, position=sheet.progress.position, value=7, marks={"final_value": 2}
    )
    sheet = open_sheet(enrolment)
    assert isinstance(sheet, ChoiceSheet) and sheet.grade == 7
    trial = current_trial(enrolment)
    shown = {"A": sheet.score_a, "B": sheet.score_b}
    assert shown[trial.first_is] == trial.item.shown_first
    assert has_seen(enrolment.user, gold.pixel_hash, SeenContent.IMAGE)


def test_answers_when_sent_twice_then_the_first_stands_and_rows_are_one():
    _study, enrolments = make_open_study()
    enrolment = enrolments[0]
    for value in (3, 9):
        rate_item.save_grade(enrolment=enrolment, position=1, value=value, marks={})
    for choice in ("A", "B"):
        rate_item.save_vote(enrolment=enrolment, position=1, choice=choice, comment=choice)
    assert ExpertGrade.objects.get().value == 3
    assert (PreferenceVote.objects.get().choice, PreferenceVote.objects.get().comment) == ("A", "A")
    assert TrialEvent.objects.filter(kind__in=("graded", "voted")).count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        PreferenceVote.objects.create(trial=PreferenceVote.objects.get().trial, choice="B")


@pytest.mark.parametrize(("position", "has_grade"), [(2, False), (99, False), (2, True)])
def test_answers_when_out_of_order_then_nothing_is_stored(position: int, has_grade: bool):
    _study, enrolments = make_open_study()
    if has_grade:
        rate_item.save_grade(enrolment=enrolments[0], position=1, value=5, marks={})
    with pytest.raises(rate_item.OutOfOrder):
        rate_item.save_grade(enrolment=enrolments[0], position=position, value=5, marks={})
    with pytest.raises(rate_item.OutOfOrder):
        rate_item.save_vote(enrolment=enrolments[0], position=position, choice="A", comment="")
    assert ExpertGrade.objects.count() == int(has_grade) and not PreferenceVote.objects.exists()


def test_vote_when_the_grade_is_not_given_then_refused():
    _study, enrolments = make_open_study()
    with pytest.raises(rate_item.OutOfOrder):
        rate_item.save_vote(enrolment=enrolments[0], position=1, choice="A", comment="")


@pytest.mark.parametrize(
    ("value", "marks"), [(11, {}), (-1, {}), (5, {"final_value": 3}), (5, {"no such category": 1})]
)
def test_grade_when_it_does_not_exist_then_refused(value: int, marks: dict[str, int]):
    _study, enrolments = make_open_study()
    with pytest.raises(rate_item.BadRating):
        rate_item.save_grade(enrolment=enrolments[0], position=1, value=value, marks=marks)
    with pytest.raises(rate_item.BadRating):
        rate_item.save_vote(enrolment=enrolments[0], position=1, choice="C", comment="")


def test_record_when_the_study_is_open_then_nothing_is_reported():
    study, _assignments = make_open_study()
    with pytest.raises(StudyStillOpen):
        build_record(study)
    assert study.results == {}


def test_study_when_three_raters_are_done_then_the_json_alone_gives_the_same_results():
    study, enrolments = make_open_study()
    dice = random.Random(5)
    for enrolment in enrolments:
        rate_all(enrolment, dice)
    assert pending_studies_of(enrolments[0].user, [study.release.team]) == []
    close_study(study)
    run_waiting()
    study.refresh_from_db()
    results = results_of(study)
    whole = json.loads(json.dumps(build_record(study).as_json()))
    again = analyse(StudyRecord.from_json(whole))
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(results))
    assert results["n"]["votes"] == 18 and results["n"]["raters"] == 3
    assert all(row["repeats"]["n"] == 2 and row["attention"]["n"] == 2 for row in results["raters"])
    names = {enrolment.user.username for enrolment in enrolments} | {study.release.created_by.username}
    assert not any(name in json.dumps(whole) for name in names)
    with pytest.raises(rate_item.StudyClosed):
        rate_item.save_grade(enrolment=enrolments[0], position=1, value=1, marks={})


def test_study_when_a_rater_drops_out_then_the_others_answers_count():
    study, enrolments = make_open_study()
    for enrolment in enrolments[:2]:
        rate_all(enrolment, random.Random(enrolment.rater_number))
    close_study(study)
    run_waiting()
    study.refresh_from_db()
    results = results_of(study)
    assert results["raters"][2]["n"] == 0 and results["preference"]["n_votes_by_item"] == {"2": 6}


def test_closing_when_no_worker_has_come_yet_then_there_are_no_results_and_the_job_waits():
    study, enrolments = make_open_study()
    rate_all(enrolments[0], random.Random(1))
    with pytest.raises(StudyStillOpen):
        results_of(study)
    with pytest.raises(StudyStillOpen):
        request_results(study)
    assert not StudyAnalysis.objects.exists()
    close_study(study)
    close_study(study)
    study.refresh_from_db()
    assert results_of(study) is None and StudyAnalysis.objects.get().state == "queued"
    run_waiting()
    study.refresh_from_db()
    assert results_of(study)["n"]["votes"] == 6
    run = StudyAnalysis.objects.get()
    assert (run.state, run.progress_done, run.progress_total) == ("done", len(PARTS), len(PARTS))


def test_results_when_the_worker_died_halfway_then_another_one_gives_the_same():
    study, enrolments = make_open_study()
    for enrolment in enrolments:
        rate_all(enrolment, random.Random(enrolment.rater_number))
    close_study(study)
    run = StudyAnalysis.objects.get()
    lost = claim_job(StudyAnalysis, run.pk)
    lost.heartbeat(done=3, total=len(PARTS))
    StudyAnalysis.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    run_waiting()
    study.refresh_from_db()
    results = results_of(study)
    with pytest.raises(JobLeaseLost):  # the first one wakes up: it has nothing to say any more
        run_analysis(run, claim=lost)
    assert Study.objects.get(pk=study.pk).results == json.loads(json.dumps(results))
    assert json.loads(json.dumps(analyse(build_record(study)))) == json.loads(json.dumps(results))


def test_results_when_their_definition_is_an_older_one_then_they_are_not_reported_until_computed_again():
    study, enrolments = make_open_study()
    rate_all(enrolments[0], random.Random(1))
    close_study(study)
    run_waiting()
    study.refresh_from_db()
    Study.objects.update(results=study.results | {"revision": REVISION - 1})
    study.refresh_from_db()
    assert results_of(study) is None
    request_results(study)
    run_waiting()
    study.refresh_from_db()
    assert results_of(study)["revision"] == REVISION


def test_rating_when_somebody_takes_away_the_predictions_then_the_study_goes_on():
    study, enrolments = make_open_study()
    study.release.prediction_sets.get().delete()
    assert isinstance(open_sheet(enrolments[0]), GradeSheet)
    assert Item.objects.filter(study=study, kind=TrialKind.MAIN).exclude(output="").count() == 6
