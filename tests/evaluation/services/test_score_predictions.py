"""Scores of a release: counts first, nothing left out, replaced at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib import admin

from config.jobs.models import JobState
from config.jobs.services import JobLeaseLost, claim_job, run_waiting
from evaluation.models import Frozen, GoldItem, ItemScore, Prediction, Release, ScoreRun, System
from evaluation.predictions import Text
from evaluation.records import PredictionRecord
from evaluation.selectors.items import items_of, read_order
from evaluation.selectors.leaderboard import is_outdated, leaderboard
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score, run_score
from tests.factories import make_answers, make_gold, make_gold_release, make_project, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def release():
    team = make_project().team
    return make_gold_release(
        team, [make_gold("abcd"), make_gold("hello"), make_gold("你好世界", language="zh-Hans", scenario="")]
    )


def score(answers, bundle="inkbench-1"):
    run = request_score(prediction_set=answers, bundle=bundle)
    run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.DONE, run.error
    return run


def figure(run, metric, group="all"):
    return next(s for s in run.results["scores"] if (s["metric"], s["group"]) == (metric, group))


def test_score_when_answers_are_missing_and_failed_then_both_are_the_worst_and_counted(release):
    run = score(make_answers(release, {"abcd": "abxd", "hello": None}))
    assert (run.coverage, run.n_missing, run.n_failed_answers) == (pytest.approx(1 / 3), 1, 1)
    edit = figure(run, "edit")
    assert edit["value"] == pytest.approx((0.25 + 1 + 1) / 3)
    assert (edit["n"], edit["n_failed"]) == (3, 2)
    cer = figure(run, "cer")
    assert cer["value"] == pytest.approx((1 + 5 + 4) / 13)
    assert dict(run.item_scores.filter(metric="edit").values_list("item__record__text", "status")) == {
        "abcd": "scored",
        "hello": "failed",
        "你好世界": "missing",
    }


def rated(**means):
    return {name: {"mean": mean, "spread": 0.5, "n": 5} for name, mean in means.items()}


def test_score_when_samples_are_rated_then_each_level_has_its_own_figures_and_the_unrated_none():
    gold = [
        make_gold("abcd", difficulty=rated(cursiveness=1, structural_complexity=2)),  # 1.5: up
        make_gold("hello", difficulty=rated(cursiveness=2.4)),
        make_gold("world", difficulty=rated(cursiveness=5)),
        make_gold("never rated"),
    ]
    release = make_gold_release(make_project().team, gold)
    run = score(make_answers(release, {"abcd": "abcd", "hello": "xxxxx", "world": "world"}))
    levels = {s["group"]: s["n"] for s in run.results["scores"] if s["metric"] == "edit"}
    assert {group: n for group, n in levels.items() if group.startswith("difficulty:")} == {
        "difficulty:2": 2,
        "difficulty:5": 1,
    }
    assert figure(run, "edit", "difficulty:2")["value"] == 0.5
    board = leaderboard(release, bundle="inkbench-1", within="difficulty:2")
    assert board.columns[0].name == "edit@difficulty:2" and board.entries[0].cells[0].value == 0.5
    assert ("difficulty:5", "Difficulty 5") in board.groups
    by_level = leaderboard(release, bundle="inkbench-1", view="difficulty", metric="edit")
    assert [column.name for column in by_level.columns] == [
        "edit@all",
        "edit@difficulty:2",
        "edit@difficulty:5",
    ]
    assert leaderboard(release, bundle="inkbench-1", within="difficulty:9").within == ""
    assert figure(run, "edit", "structure:text")["value"] == figure(run, "edit")["value"]


def test_score_when_groups_are_asked_then_language_and_scenario_have_their_own_figures(release):
    run = score(make_answers(release, {"abcd": "abcd", "hello": "hello", "你好世界": "你好世间"}))
    assert figure(run, "edit", "language:en")["value"] == 0
    assert figure(run, "edit", "language:zh-Hans")["value"] == 0.25
    assert figure(run, "edit", "scenario:letters_notes")["n"] == 2


def test_score_then_every_signature_is_stamped_with_the_release(release):
    run = score(make_answers(release, {"abcd": "abcd"}))
    assert all(s["signature"].endswith(f"|data:{release.checksum}") for s in run.results["scores"])


def test_score_again_then_the_figures_are_replaced_and_not_doubled(release):
    answers = make_answers(release, {"abcd": "abcd"})
    first = score(answers)
    before = sorted(first.item_scores.values_list("item", "metric", "value"))
    ItemScore.objects.filter(run=first).update(value=0.5)
    again = score(answers)
    assert again.pk == first.pk
    assert sorted(again.item_scores.values_list("item", "metric", "value")) == before


def test_score_when_the_lease_is_lost_then_nothing_is_written(release):
    answers = make_answers(release, {"abcd": "abcd"})
    run = ScoreRun.objects.create(prediction_set=answers, bundle="inkbench-1")
    claim = claim_job(ScoreRun, run.pk)
    ScoreRun.objects.filter(pk=run.pk).update(worker="another")
    with pytest.raises(JobLeaseLost):
        run_score(run, claim=claim)
    run.refresh_from_db()
    assert run.results == {} and not run.item_scores.exists()


def test_score_when_an_answer_comes_in_meanwhile_then_it_is_in_the_figures(release):
    answers = make_answers(release, {"abcd": "abcd"})
    run = ScoreRun.objects.create(prediction_set=answers, bundle="inkbench-1")
    late = release.items.get(record__text="hello")

    def answer_once(done, total):
        Prediction.objects.get_or_create(prediction_set=answers, item=late, defaults={"text": "hello"})

    claim = claim_job(ScoreRun, run.pk)
    run_score(run, claim=replace(claim, on_progress=answer_once))
    run.refresh_from_db()
    assert (run.n_missing, run.coverage) == (1, pytest.approx(2 / 3))
    assert run.item_scores.get(item=late, metric="edit").status == "scored"


def test_request_score_when_the_bundle_is_unknown_then_refused(release):
    with pytest.raises(ValueError, match="unknown bundle"):
        request_score(prediction_set=make_answers(release, {}), bundle="best")
    assert not ScoreRun.objects.exists()


def test_is_outdated_when_a_metric_was_revised_then_true(release):
    run = score(make_answers(release, {"abcd": "abcd"}))
    assert not is_outdated(run)
    figure(run, "edit")["signature"] = figure(run, "edit")["signature"].replace("|rev:", "|rev:9")
    assert is_outdated(run)


def test_leaderboard_when_systems_tie_then_one_rank_by_name_and_the_unscored_last(release):
    for name in ("zebra", "ant"):
        score(make_answers(release, {"abcd": "abcd", "hello": "hello"}, system=name))
    score(make_answers(release, {"abcd": None, "hello": None, "你好世界": None}, system="broken"))
    score(make_answers(release, {"abcd": "abcd", "hello": "hello", "你好世界": "你好世界"}, system="best"))
    make_answers(release, {"abcd": "abcd"}, system="0 unscored")
    board = leaderboard(release, bundle="inkbench-1")
    assert [(e.rank, e.system.name) for e in board.entries] == [
        (1, "best"),
        (2, "ant"),
        (2, "zebra"),
        (4, "broken"),
        (None, "0 unscored"),
    ]
    assert [e.coverage_percent for e in board.entries] == ["100.0", "66.7", "66.7", "0.0", ""]
    turned = leaderboard(release, bundle="inkbench-1", sort="-edit@all")
    assert [e.system.name for e in turned.entries] == ["broken", "ant", "zebra", "best", "0 unscored"]


def test_leaderboard_then_the_best_of_each_column_is_marked_for_its_direction(release):
    score(make_answers(release, {"abcd": "abcd", "hello": "hello"}, system="good"))
    score(make_answers(release, {"abcd": "a"}, system="bad"))
    board = leaderboard(release, bundle="inkbench-1")
    best = {
        column.key[0]: [entry.system.name for entry in board.entries if entry.cells[index].is_best]
        for index, column in enumerate(board.columns)
        if any(entry.cells[index].value is not None for entry in board.entries)
    }
    assert [best[metric] for metric in ("edit", "cer", "wer", "ned")] == [["good"]] * 4
    assert sorted(best["bleu"]) == ["bad", "good"]  # too short for four words: both 0


def test_leaderboard_when_a_prediction_set_is_deleted_then_the_older_one_stands_and_the_system_stays(
    release,
):
    old = make_answers(release, {"abcd": "abcd"})
    new = make_answers(release, {"hello": "hello"})
    score(old)
    score(new)
    new.delete()
    assert [entry.answers for entry in leaderboard(release, bundle="inkbench-1").entries] == [old]
    old.delete()
    assert System.objects.filter(team=release.team, name="scribe").exists()


def test_leaderboard_then_two_queries_however_many_systems(release, django_assert_num_queries):
    for name in "abc":
        score(make_answers(release, {"abcd": "abcd"}, system=name))
    with django_assert_num_queries(2):
        board = leaderboard(release, bundle="inkbench-1")
        [entry.is_outdated for entry in board.entries]


def test_predictions_when_unknown_or_twice_then_reported_and_the_rest_is_taken(release):
    item = release.items.first()
    answers = record_predictions(
        release=release,
        system_name="scribe",
        by=release.created_by,
        origin="upload",
        records=[
            PredictionRecord("nowhere", Text("x")),
            PredictionRecord(item.sample_id, Text("one")),
            PredictionRecord(item.sample_id, Text("two")),
        ],
    )
    assert [entry["problem"] for entry in answers.report] == ["unknown_sample", "answered_twice"]
    assert answers.predictions.get().text == "one"


def test_release_when_somebody_writes_to_it_then_refused(release):
    item = release.items.first()
    item.record = item.record | {"text": "better"}
    for attempt in (
        item.save,
        item.delete,
        release.delete,
        lambda: GoldItem.objects.update(file_name="x"),
        lambda: GoldItem.objects.all().delete(),
        lambda: Release.objects.filter(pk=release.pk).update(title="x"),
        lambda: Release.objects.bulk_update([release], ["title"]),
        lambda: release.items.all().delete(),
    ):
        with pytest.raises(Frozen):
            attempt()
    assert GoldItem.objects.count() == 3


def test_release_admin_when_a_superuser_asks_then_it_is_for_looking_only(release, rf):
    request = rf.get("/")
    request.user = make_user(is_superuser=True, is_staff=True)
    page = admin.site.get_model_admin(Release)
    assert not page.has_change_permission(request) and not page.has_delete_permission(request)
    assert not admin.site.is_registered(GoldItem)


def test_leaderboard_when_a_release_is_text_alone_then_no_column_of_overalls_that_nobody_has(release):
    score(make_answers(release, {"abcd": "abcd"}))
    names = [column.key[0] for column in leaderboard(release, bundle="inkbench-1").columns]
    assert "overall" not in names and names[0] == "edit"


@pytest.mark.parametrize("odd", ["\0", "nowhere", "x" * 5000])
def test_read_order_when_a_filter_names_nothing_then_nothing_is_filtered(release, odd):
    run = score(make_answers(release, {"abcd": "abcd"}))
    order = read_order(run, {"metric": odd, "by": odd, "status": odd, "language": odd})
    assert (order.status, order.language, items_of(run, order).count()) == ("", "", 3)
    assert items_of(run, read_order(run, {"language": "en", "status": "missing"})).count() == 1


def test_items_when_ordered_by_a_metric_of_another_structure_then_each_still_says_whether_it_was_answered():
    table = "<table><tr><td>a</td></tr></table>"
    other = table.replace(">a<", ">b<")
    cells = {"structure": "table", "origins": ("agreed",)}
    release = make_gold_release(
        make_project().team, [make_gold("abcd"), make_gold(table, **cells), make_gold(other, **cells)]
    )
    run = score(make_answers(release, {"abcd": "abcd", table: table}))
    order = read_order(run, {"metric": "edit", "by": "number"})
    assert [item.status for item in items_of(run, order)] == ["scored", "scored", "missing"]
    missing = read_order(run, {"metric": "edit", "status": "missing"})
    assert [item.record["text"] for item in items_of(run, missing)] == [other]
