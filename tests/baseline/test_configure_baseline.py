"""A manager's pages: set-up, who is left, opening, results."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from baseline.models import Baseline, State
from config.exposure.models import Exposure
from config.jobs.services import run_waiting
from evaluation.models import PredictionSet, ScoreRun, System
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.predictions import AnswerCounts, counts_of
from tests.baseline.made import TEXTS, make_baseline, make_release, manager_of, takers, the_taker
from tests.factories import make_answers, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]
FORM = {
    "name": "Reading",
    "system_name": "Human",
    "method": "all",
    "seed": "3",
    "gap_minutes": "10",
    "clamp_minutes": "60",
    "break_every": "0",
    "consent": "You may stop.",
    "questions": "Which hand? | left | right\nSince when? (optional)",
}


def client_of(release) -> Client:
    client = Client()
    client.force_login(release.created_by)
    return client


def test_set_up_when_filled_in_then_a_draft_stands_there_and_can_be_opened() -> None:
    release = make_release()
    client = client_of(release)
    assert client.get(reverse("baselines", args=[release.pk])).status_code == 200
    assert client.get(reverse("baseline_new", args=[release.pk])).status_code == 200
    made = client.post(reverse("baseline_new", args=[release.pk]), FORM)
    baseline = Baseline.objects.get()
    assert made["Location"] == reverse("baseline", args=[baseline.pk])
    assert [q["label"] for q in baseline.questions] == ["Which hand?", "Since when?"]
    person = make_user("ann")
    client.post(reverse("baseline_people", args=[baseline.pk]), {"names": "ann\nnobody"})
    assert baseline.participations.get().person == person
    client.post(reverse("baseline_action", args=[baseline.pk, "open"]))
    baseline.refresh_from_db()
    assert baseline.state == State.OPEN and len(baseline.sample_ids) == 4
    edit = client.get(reverse("baseline_edit", args=[baseline.pk]))
    assert "can no longer be changed" in edit.text and "Which hand? | left | right" in edit.text


def test_set_up_when_open_then_the_exam_cannot_be_changed_but_the_consent_can() -> None:
    baseline = make_baseline()
    client = client_of(baseline.release)
    client.post(
        reverse("baseline_edit", args=[baseline.pk]), FORM | {"seed": "99", "time_limit_seconds": "30"}
    )
    baseline.refresh_from_db()
    assert (baseline.seed, baseline.time_limit_seconds) == (7, None)
    assert baseline.consents.count() == 2


def test_set_up_when_a_person_manages_the_project_then_they_cannot_take_part() -> None:
    baseline = make_baseline(is_open=False)
    name = manager_of(baseline).username
    answer = client_of(baseline.release).post(reverse("baseline_people", args=[baseline.pk]), {"names": name})
    assert answer.status_code == 422 and "can see the ground truth" in answer.text


def test_plan_when_too_few_people_are_left_then_it_is_said_and_refused() -> None:
    baseline = make_baseline(is_open=False, people=2, people_per_sample=2)
    first = baseline.release.items.first()
    Exposure.objects.create(
        user=the_taker(baseline).row.person,
        image_hash=first.pixel_hash,
        role="annotator",
        saw="image",
        place="work",
    )
    client = client_of(baseline.release)
    page = client.get(reverse("baseline", args=[baseline.pk])).text
    assert "1 sample has too few participants" in page and "disabled" in page
    client.post(reverse("baseline_action", args=[baseline.pk, "open"]))
    baseline.refresh_from_db()
    assert baseline.state == State.DRAFT


def test_people_when_one_saw_a_image_in_another_role_then_they_do_not_get_it() -> None:
    baseline = make_baseline(is_open=False)
    taker = the_taker(baseline)
    seen = baseline.release.items.first()
    Exposure.objects.create(
        user=taker.row.person, image_hash=seen.pixel_hash, role="annotator", saw="image", place="work"
    )
    other = make_user()
    from baseline.services.assign_samples import open_baseline  # noqa: PLC0415
    from baseline.services.configure_baseline import enrol_participant  # noqa: PLC0415

    enrol_participant(baseline=baseline, person=other)
    open_baseline(baseline=baseline)
    counts = [taker.row.tasks.count() for taker in takers(baseline)]
    assert counts == [3, 4]
    assert not taker.row.tasks.filter(item=seen).exists()


def test_publish_when_called_then_people_stand_beside_models_scored_by_the_same_code() -> None:
    release = make_release()
    make_answers(
        release, {TEXTS[0]: TEXTS[0], TEXTS[1]: "nothing right at all", TEXTS[2]: None}, system="model"
    )
    baseline = make_baseline(release, people=3)
    for index, taker in enumerate(takers(baseline)):
        taker.start()
        while taker.fresh().step == "items":
            gold = taker.task().item.record["text"]
            taker.read(gold if index < 2 else "", **({} if index < 2 else {"cannot_read": "yes"}))
        taker.do("finish")
    client = client_of(release)
    shown = client.post(reverse("baseline_action", args=[baseline.pk, "publish"]))
    assert shown["Location"] == reverse("baseline_results", args=[baseline.pk])
    run_waiting()
    board = {entry.system.name: entry for entry in leaderboard(release, bundle="inkbench-1").entries}
    names = ["Human P01", "Human P02", "Human P03", "Human", "Human (best person)", "Human (consensus)"]
    assert set(names) <= set(board) and all(board[name].is_human for name in names)
    edit = {name: board[name].cells[0].value for name in names}
    assert edit["Human P01"] == 0.0 and edit["Human P03"] == 1.0
    assert edit["Human (consensus)"] == 0.0 and edit["Human (best person)"] == 0.0
    assert edit["Human"] == pytest.approx(1 / 3)
    page = client.get(reverse("baseline_results", args=[baseline.pk]))
    assert page.status_code == 200 and "Human P01" in page.text and "model" in page.text
    for kind in ("csv", "json"):
        file = client.get(reverse("baseline_conduct", args=[baseline.pk, kind]))
        assert file.status_code == 200 and "cannot_read" in file.text


def test_publish_when_one_person_withdraws_then_they_vanish_from_all_of_it() -> None:
    baseline = make_baseline(people=2)
    for taker in takers(baseline):
        taker.start()
        taker.read(f"by {taker.row.number}")
    client = client_of(baseline.release)
    client.post(reverse("baseline_action", args=[baseline.pk, "publish"]))
    run_waiting()
    before = set(PredictionSet.objects.values_list("pk", flat=True))
    takers(baseline)[1].do("withdraw", sure="yes")
    run_waiting()
    names = set(PredictionSet.objects.values_list("system__name", flat=True))
    assert names == {"Human P01", "Human", "Human (best person)", "Human (consensus)"}
    assert not before & set(PredictionSet.objects.values_list("pk", flat=True))
    assert not PredictionSet.objects.filter(predictions__text__contains="by 2").exists()
    assert ScoreRun.objects.filter(state="done").count() == 4
    assert "by 2" not in client.get(reverse("baseline_results", args=[baseline.pk])).text
    board = reverse("leaderboard", args=[baseline.release_id])
    assert (
        "Human P02" not in client.get(board).text
        and set(System.objects.values_list("name", flat=True)) == names
    )
    takers(baseline)[0].do("withdraw", sure="yes")
    assert not System.objects.exists() and "Human" not in client.get(board).text.partition("<main")[2]


def test_scores_when_only_some_samples_were_asked_then_the_others_are_not_missing() -> None:
    baseline = make_baseline(method="random", n=2)
    taker = the_taker(baseline)
    taker.start()
    for _ in range(2):
        gold = taker.fresh() and taker.task()
        taker.do("show")
        taker.submit(gold.item.record["text"])
    client_of(baseline.release).post(reverse("baseline_action", args=[baseline.pk, "publish"]))
    run_waiting()
    run = ScoreRun.objects.get(prediction_set__system__name="Human P01")
    assert (run.n_missing, run.coverage, run.item_scores.values("item").distinct().count()) == (0, 1.0, 2)


def test_counts_when_people_were_asked_about_some_samples_then_only_these_can_be_missing() -> None:
    release = make_release()
    make_answers(release, {TEXTS[0]: "x"}, system="model")
    baseline = make_baseline(release, people=2, method="random", n=2)
    first, second = takers(baseline)
    for taker in (first, second):
        taker.start()
        taker.read("read")
    first.read("", cannot_read="yes")
    client = client_of(release)
    client.post(reverse("baseline_action", args=[baseline.pk, "publish"]))
    run_waiting()
    counts = {
        answers.system.name: counts_of(answers) for answers in PredictionSet.objects.select_related("system")
    }
    assert counts == {
        "model": AnswerCounts(asked=4, answered=1, failed=0, missing=3),
        "Human P01": AnswerCounts(asked=2, answered=1, failed=1, missing=0),
        "Human P02": AnswerCounts(asked=1, answered=1, failed=0, missing=0),
        "Human": AnswerCounts(asked=2, answered=2, failed=1, missing=0),
        "Human (best person)": AnswerCounts(asked=1, answered=1, failed=0, missing=0),
        "Human (consensus)": AnswerCounts(asked=2, answered=1, failed=1, missing=0),
    }
    board = {entry.system.name: entry for entry in leaderboard(release, bundle="inkbench-1").entries}
    assert {name: entry.n_asked for name, entry in board.items()} == {n: c.asked for n, c in counts.items()}
    page = client.get(reverse("leaderboard", args=[release.pk])).text
    assert "scored on 2 of 4" in page and "scored on 1 of 4" in page and "scored on 4 of 4" not in page
    table = client.get(reverse("leaderboard_file", args=[release.pk, "csv"])).text
    assert table.splitlines()[0].split(",")[3] == "asked"
    answers = PredictionSet.objects.get(system__name="Human P02")
    run = answers.score_runs.get()
    assert client.get(reverse("score_run", args=[run.pk])).text.count("/items/") == 1
    asked = second.task(0).item
    other = release.items.exclude(pk=asked.pk).first()
    assert "was not given" in client.get(reverse("item_score", args=[run.pk, other.sample_id])).text
    pooled = PredictionSet.objects.get(system__name="Human").score_runs.get()
    both = client.get(reverse("item_score", args=[pooled.pk, asked.sample_id])).text
    assert "What each participant wrote" in both and "Human P02" in both and "has no prediction" not in both


@pytest.mark.parametrize("name", ["baselines", "baseline_new"])
def test_managers_pages_when_somebody_else_asks_then_they_are_not_there(name: str) -> None:
    baseline = make_baseline()
    taker = the_taker(baseline)
    assert taker.client.get(reverse(name, args=[baseline.release_id])).status_code == 404
    assert taker.client.get(reverse("baseline", args=[baseline.pk])).status_code == 404
    assert taker.client.get(reverse("baseline_results", args=[baseline.pk])).status_code == 404
    assert taker.client.post(reverse("baseline_action", args=[baseline.pk, "publish"])).status_code == 404
