"""Jobs that ask a model endpoint wait in a queue of their own, whoever sends them there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import SuggestionRequest
from annotation.models.project import RecogniserKind, RecogniserSetting
from config.jobs import tasks
from config.jobs.brokers import Queue
from config.jobs.models import JobState
from config.jobs.queue import enqueue, enqueue_all
from config.jobs.services import next_waiting, waiting_kinds
from evaluation.models import ModelRun, PredictionSet, System, SystemKind
from tests.factories import make_gold, make_gold_release, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def sent(monkeypatch):
    """(task, queue, arguments) of every message, instead of running it."""
    messages = []
    for task in (tasks.run_job, tasks.drain):
        monkeypatch.setattr(
            task, "apply_async", lambda args, queue, name=task.name: messages.append((name, queue, args))
        )
    return messages


@pytest.fixture
def requests():
    """A request to a built-in recogniser and one to an endpoint."""
    project = make_project()
    sample = make_sample(project)
    return [
        SuggestionRequest.objects.create(
            sample=sample,
            recogniser=RecogniserSetting.objects.create(project=project, slot=slot, kind=kind, label=kind),
        )
        for slot, kind in enumerate([RecogniserKind.EMBEDDED, RecogniserKind.ENDPOINT], start=1)
    ]


@pytest.fixture
def runs():
    """A run of a built-in recogniser over a release, and one of an endpoint."""
    release = make_gold_release(make_project().team, [make_gold("one")])
    made = []
    for kind in ("embedded", "endpoint"):
        system = System.objects.create(team=release.team, name=kind, kind=SystemKind.MODEL)
        answers = PredictionSet.objects.create(
            release=release, system=system, origin="run", created_by=release.created_by
        )
        made.append(ModelRun.objects.create(prediction_set=answers, recogniser={"kind": kind}))
    return made


@pytest.mark.parametrize("jobs", ["requests", "runs"])
def test_jobs_when_some_ask_an_endpoint_then_they_alone_go_to_its_queue(
    jobs, request, sent, django_capture_on_commit_callbacks
):
    here, endpoint = request.getfixturevalue(jobs)
    model = type(here)
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(here)
        enqueue(endpoint)
        enqueue_all(model)
    label = model._meta.label_lower
    assert sent == [
        ("config.jobs.tasks.run_job", "celery", (label, here.pk)),
        ("config.jobs.tasks.run_job", "endpoints", (label, endpoint.pk)),
        ("config.jobs.tasks.drain", "celery", (label, "celery")),
        ("config.jobs.tasks.drain", "endpoints", (label, "endpoints")),
    ]
    assert [next_waiting(model, queue) for queue in Queue] == [here.pk, endpoint.pk]


def test_sweep_when_messages_were_lost_then_each_queue_is_told_of_its_own_jobs_only(requests, sent):
    SuggestionRequest.objects.update(queued_at=timezone.now() - timedelta(days=1))
    SuggestionRequest.objects.filter(pk=requests[0].pk).update(state=JobState.DONE)
    tasks.sweep()
    label = SuggestionRequest._meta.label_lower
    assert sent == [("config.jobs.tasks.drain", "endpoints", (label, "endpoints"))]
    assert waiting_kinds(older_than=timedelta(0)) == [(SuggestionRequest, Queue.ENDPOINTS)]
