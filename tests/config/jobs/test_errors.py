"""What a job leaves behind when it fails can be stored, whatever the error quotes."""

from __future__ import annotations

import logging

import pytest
from django.utils.translation import override

from annotation.models import ImportRun
from annotation.services.create_import import open_import, start_import
from config.jobs.models import JobState
from config.jobs.services import claim_job, run_claimed
from evaluation.errors import LocalizedError
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def silence():
    """What no database takes, no report of a test takes either: the log would carry it there."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("silence")
@pytest.mark.parametrize(
    "error", [ValueError("a\0b \ud800 c"), LocalizedError("The file %(name)s", name="a\0b \ud800 c")]
)
def test_run_claimed_when_the_error_quotes_what_no_database_takes_then_the_job_is_closed_as_failed(
    error, monkeypatch
):
    project = make_project()
    run = open_import(project=project, by=project.created_by, origin="browser", defaults={"language": "en"})
    start_import(run=run)

    def fail(_job, *, claim):
        raise error

    monkeypatch.setattr("config.jobs.services.runner_of", lambda _model: fail)
    run_claimed(claim_job(ImportRun, run.pk))
    run.refresh_from_db()
    assert run.state == JobState.FAILED
    assert "\0" not in run.error and "\ud800" not in run.error
    with override("en"):
        assert run.error_message.startswith(
            "The file a\ufffdb ?" if isinstance(error, LocalizedError) else "An unexpected error"
        )
