"""Whatever a program sends, in the shape described or not: no fault of ours, and only answers that are described."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests
import schemathesis
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from rest_framework.test import APIClient
from rest_framework.throttling import UserRateThrottle
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.models import Screening
from annotation.stages import Intake
from config.accounts.models import Role
from config.accounts.services import give_roles
from config.api.services import make_token
from config.jobs.services import run_waiting
from evaluation.models import ExportFormat
from evaluation.services.export_release import request_export
from evaluation.services.score_predictions import request_score
from tests.api.assignments import API, review, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.api.imports import upload
from tests.factories import make_answers, make_gold, make_gold_release, make_sample

pytestmark = pytest.mark.database

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def arguments_of(cast: Cast) -> dict[str, dict[str, Any]]:
    """Ids of real things of the manager, who has every role here, by the beginning of the path (longest first)."""
    work = [
        Role.ANNOTATOR,
        Role.REVIEWER,
        Role.ADJUDICATOR,
        Role.SCREENER,
        Role.DIFFICULTY_RATER,
        Role.DOMAIN_EXPERT,
    ]
    give_roles(team=cast.project.team, user=cast.manager, roles=work)
    boss, annotator, reviewer = (client_for(who) for who in (cast.manager, cast.annotator, cast.reviewer))

    def dispute(first: Any, second: Any) -> tuple[str, str]:
        make_sample(cast.project)
        assignment = take(first, "letters", "label")
        submit_work(first, assignment, "one\ntwo")
        return assignment, review(second, "letters", "one\n2")

    discussed, _other = dispute(boss, reviewer)
    judged, _other = dispute(annotator, reviewer)
    annotator.post(f"{API}/consensus/{judged}/escalate/", {"reason": "stuck"}, format="json")
    make_sample(cast.project)
    submit_work(annotator, take(annotator, "letters", "label"), "three")
    sample = make_sample(cast.project)
    label, verify = take(boss, "letters", "label"), take(boss, "letters", "verify")
    boss.post(f"{API}/work/{label}/flag/", {"message": "look"}, format="json")
    consulted = {"kind": "dictionary", "link": "", "note": "p. 12"}
    boss.post(f"{API}/work/{label}/evidence/", consulted, format="json")
    own = boss.post(f"{API}/work/{label}/questions/", {"text": "Which year?"}, format="json").json()
    entry = boss.get(f"{API}/work/{label}/").json()["assignment"]["evidence"][0]["id"]
    release = make_gold_release(cast.project.team, [make_gold("Dear Anna")])
    answers = make_answers(release, {"Dear Anna": "Dear"})
    run = request_score(prediction_set=answers)
    export = request_export(release=release, format=ExportFormat.INKBENCH, by=cast.manager)
    image = boss.get(f"{API}/work/{label}/").json()["page"]["image"]
    started = upload(boss, "one.png", language="en", start="false").json()["id"]
    run_waiting()
    Screening.objects.create(sample=make_sample(cast.project, intake=Intake.SCREENING))
    screening, rating = (
        boss.post(f"{API}/projects/letters/{queue}/").json()["id"] for queue in ("screen", "rate")
    )
    assignment = take(annotator, "letters", "label")
    annotator.post(f"{API}/work/{assignment}/questions/", {"text": "Which drug?"}, format="json")
    question = boss.post(f"{API}/projects/letters/answer/").json()["id"]
    return {
        "screen": {"screening": screening},
        "rate": {"rating": rating},
        "questions": {"question": question},
        "projects": {"slug": "letters", "stage": "label"},
        "samples": {"sample": str(sample.uuid), "pk": sample.flags.get().pk},
        "work": {"assignment_uuid": label},
        "work/{assignment_uuid}/evidence/{pk}": {"assignment_uuid": label, "pk": entry},
        "work/{assignment_uuid}/questions/{pk}": {"assignment_uuid": label, "pk": own["questions"][0]["id"]},
        "work/{assignment_uuid}/return": {"assignment_uuid": verify},
        "work/{assignment_uuid}/reached-end": {"assignment_uuid": verify},
        "consensus": {"assignment_uuid": discussed, "position": 1},
        "consensus/{assignment_uuid}/decide": {"assignment_uuid": take(boss, "letters", "adjudicate")},
        "imports": {"pk": started},
        "releases": {"pk": release.pk},
        "exports": {"pk": export.pk},
        "prediction-sets": {"pk": answers.pk},
        "score-runs": {"pk": run.pk, "sample_id": release.items.get().sample_id},
        "images": {"token": image},
    }


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def answer_to(case: Case, headers: dict[str, str]) -> schemathesis.Response:
    """Send a case through the whole site, without a socket; the answer as the checks know answers."""
    asked = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    given = {
        name: value for name, value in asked.headers.items() if name not in ("Content-Type", "Content-Length")
    }
    body = asked.body.encode() if isinstance(asked.body, str) else asked.body or b""
    client = APIClient(raise_request_exception=False)
    response_body = client.generic(
        asked.method or "GET",
        asked.path_url,
        body,
        content_type=asked.headers.get("Content-Type", ""),
        headers=given | headers,
    )
    return schemathesis.Response(
        status_code=response_body.status_code,
        headers={name.lower(): [value] for name, value in response_body.items()},
        content=b"".join(response_body.streaming_content)
        if response_body.streaming
        else response_body.content,
        request=asked,
        elapsed=0.0,
        verify=False,
    )


def fuzz_one(
    operation: APIOperation,
    arguments: dict[str, Any],
    headers: dict[str, str],
    mode: GenerationMode,
    examples: int,
) -> int:
    """Send requests to one operation, each to the same world; how many were sent."""
    sent = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Case) -> None:
        nonlocal sent
        case.path_parameters = arguments
        with rolled_back():
            response = answer_to(case, headers)
            sent += 1
            case.validate_response(response, checks=CHECKS)

    send()
    return sent


def fuzz(cast: Cast, mode: GenerationMode, examples: int) -> int:
    """The same for every operation. All that fails is informed at once."""
    known = arguments_of(cast)
    headers = {"Authorization": f"Bearer {make_token(user=cast.manager, name='fuzz')}"}
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    sent, failures = 0, []
    for result in schema.get_all_operations():
        operation = result.ok()
        path = operation.path.removeprefix("/api/v1/").rstrip("/")
        fits = max((start for start in known if path.startswith(start)), key=len)
        names = {parameter.name for parameter in operation.path_parameters}
        arguments = {name: value for name, value in known[fits].items() if name in names}
        try:
            sent += fuzz_one(operation, arguments, headers, mode, examples)
        except Unsatisfiable:  # takes nothing that could be wrong
            continue
        except (FailureGroup, Failure) as failure:
            failures.append(f"{operation.label}: {failure}\n{getattr(failure, 'exceptions', '')}")
    assert not failures, "\n\n".join(failures)
    return sent


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UserRateThrottle, "THROTTLE_RATES", {"user": None})


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_api_when_anything_is_sent_then_it_answers_as_described(
    cast: Cast, unhurried: None, mode: GenerationMode
) -> None:
    assert fuzz(cast, mode, examples=3) > 100


@pytest.mark.long
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_api_when_very_much_is_sent_then_it_answers_as_described(
    cast: Cast, unhurried: None, mode: GenerationMode
) -> None:
    assert fuzz(cast, mode, examples=25) > 1000
