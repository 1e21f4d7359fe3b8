"""A recogniser reads a release over real HTTP: answers and failures are kept, nothing is asked twice."""

from __future__ import annotations

import base64
import time

import pytest
from django.db import connection

from config.blobs import read_blob
from config.jobs.models import JobState
from config.jobs.queue import requeue
from config.jobs.services import Cancelled, claim_job, request_cancel, run_waiting
from evaluation.model_clients.prompts import load_prompt
from evaluation.model_clients.recogniser_record import RecogniserRecord
from evaluation.models import ModelRun, ScoreRun
from evaluation.services.run_model import request_model_run, run_model
from tests.evaluation.formula_pages import release_of
from tests.factories import make_gold, make_gold_release, make_project
from tests.openai_server import OpenAIServer, answer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def release():
    return make_gold_release(make_project().team, [make_gold("one"), make_gold("two"), make_gold("three")])


def record(server, settings):
    settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{server.port}"]
    return RecogniserRecord(
        label="a model",
        kind="endpoint",
        base_url=server.base_url,
        model="m1",
        prompt="Transcribe.",
        prompt_version="test-1",
        timeout_seconds=5,
    )


def queued(release, settings, server):
    """A run that no worker was nudged for."""
    run = request_model_run(release=release, recogniser=record(server, settings), by=release.created_by)
    run.refresh_from_db()
    return run


def test_model_run_when_one_answer_fails_then_it_is_kept_and_only_that_is_asked_again(release, settings):
    with OpenAIServer([answer("one"), answer(""), answer("three"), answer("two")]) as server:
        run = queued(release, settings, server)
        assert run.state == JobState.DONE, run.error
        answers = run.prediction_set
        assert list(answers.predictions.order_by("item__position").values_list("text", "failure")) == [
            ("one", ""),
            ("", "empty"),
            ("three", ""),
        ]
        assert answers.predictions.exclude(raw="").count() == 3
        assert ScoreRun.objects.get(prediction_set=answers).n_failed_answers == 1
        requeue(run)
        run_waiting()
        assert server.count == 4
    assert list(answers.predictions.order_by("item__position").values_list("text", flat=True)) == [
        "one",
        "two",
        "three",
    ]
    score = ScoreRun.objects.get(prediction_set=answers)
    assert (score.coverage, score.n_failed_answers) == (1, 0)
    assert answers.provenance == {
        "label": "a model",
        "kind": "endpoint",
        "engine": "",
        "model": "m1",
        "base_url": server.base_url,
        "prompt_version": "test-1",
    }


def test_model_run_when_it_is_stopped_then_what_was_answered_stays_and_is_not_asked_again(release, settings):
    with OpenAIServer(answer("one")) as server:
        run = queued(release, settings, server)
        run.prediction_set.predictions.exclude(item__position=0).delete()
        ModelRun.objects.filter(pk=run.pk).update(state=JobState.QUEUED)
        claim = claim_job(ModelRun, run.pk)
        request_cancel(claim.job)
        with pytest.raises(Cancelled):
            run_model(claim.job, claim=claim)
        assert server.count == 3 and run.prediction_set.predictions.count() == 1
        ModelRun.objects.filter(pk=run.pk).update(state=JobState.CANCELLED)
        requeue(run)
        run_waiting()
        assert server.count == 5 and run.prediction_set.predictions.count() == 3


def test_model_run_when_its_worker_died_then_a_failure_of_this_run_is_not_asked_again(release, settings):
    with OpenAIServer([answer("one"), answer(""), answer("three")]) as server:
        run = queued(release, settings, server)
        run.prediction_set.predictions.filter(item__position=2).delete()
        ModelRun.objects.filter(pk=run.pk).update(state=JobState.RUNNING, lease_until="2020-01-01T00:00Z")
        run_waiting()
        run.refresh_from_db()
        assert run.state == JobState.DONE and server.count == 4


def test_model_run_when_the_address_is_not_allowed_then_every_answer_says_so(release, settings):
    with OpenAIServer(answer("one")) as server:
        recogniser = record(server, settings)
        settings.MODEL_ENDPOINT_ALLOWLIST = []
        run = request_model_run(release=release, recogniser=recogniser, by=release.created_by)
        assert server.count == 0
    assert run.prediction_set.predictions.exclude(failure="").count() == 3


def test_model_run_when_formulas_are_answered_by_region_then_it_sees_outlines_and_its_json_is_the_answer(
    settings,
):
    release = release_of("regions")
    item = release.items.get()
    said = 'Here: ```json\n{"1": "x^2+1", "3": "y=2", "9": "z"}\n```'
    with OpenAIServer([answer(said)]) as server:
        run = queued(release, settings, server)
        assert run.state == JobState.DONE, run.error
        sent = server.requests[0].body["messages"][0]["content"]
    assert "JSON object" in sent[0]["text"]
    outlined = base64.b64encode(read_blob(item.outlines_blob)).decode()
    assert sent[1]["image_url"]["url"].endswith(outlined)
    kept = run.prediction_set.predictions.get()
    assert (kept.regions, kept.text, kept.failure) == ({"1": "x^2+1", "3": "y=2"}, "", "")
    assert ScoreRun.objects.get().item_scores.get().value == pytest.approx(2 / 3)


def test_model_run_by_region_when_the_answer_is_a_page_then_a_failure_with_what_it_said(settings):
    with OpenAIServer([answer("$$x$$")]) as server:
        run = queued(release_of("regions"), settings, server)
    kept = run.prediction_set.predictions.get()
    assert (kept.failure, kept.regions) == ("garbage", None)
    assert "No prediction by region" in kept.message and "$$x$$" in kept.raw


def test_model_run_when_a_page_is_a_table_then_it_is_asked_for_a_table(settings):
    table = "<table><tr><td>1</td></tr></table>"
    release = make_gold_release(make_project().team, [make_gold("one"), make_gold(table, structure="table")])
    with OpenAIServer([answer("one"), answer(table)]) as server:
        run = queued(release, settings, server)
        assert run.state == JobState.DONE, run.error
        asked = [request.body["messages"][0]["content"][0]["text"] for request in server.requests]
    assert asked[0] == "Transcribe." and "<table>" in asked[1]
    kept = run.prediction_set.predictions.get(item__structure="table")
    assert kept.text == table
    assert kept.provenance["prompt_version"] == load_prompt("table").label


def test_model_run_when_an_answer_takes_longer_than_the_lease_then_nobody_else_gets_the_run(
    release, settings
):
    settings.JOB_LEASE_SECONDS = 1
    taken = []

    def answer_late(_request):
        time.sleep(1.2)
        taken.append(claim_job(ModelRun, ModelRun.objects.get().pk))
        connection.close()
        return answer("late")

    with OpenAIServer([answer_late, answer("two"), answer("three")]) as server:
        run = queued(release, settings, server)
    assert taken == [None]
    assert (run.state, run.attempts, server.count) == (JobState.DONE, 1, 3)
