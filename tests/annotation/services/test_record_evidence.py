"""Notes, evidence and suggestions taken: kept with an assignment until it is submitted, never after."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Draft, Suggestion, SuggestionRequest, SuggestionUse
from annotation.models.project import RecogniserKind
from annotation.services.claim_work import claim_work
from annotation.services.configure_project import set_recogniser
from annotation.services.record_evidence import record_evidence, record_note, record_suggestion_use
from annotation.services.renew_lease import AssignmentClosed
from annotation.services.submit_label import submit_label
from annotation.stages import Stage
from config.accounts.models import Role
from config.api.services import make_token
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def suggestion(db: None) -> Suggestion:
    """One recogniser's answer for the only sample."""
    project = make_project()
    recogniser = set_recogniser(
        project=project,
        slot=1,
        kind=RecogniserKind.ENDPOINT,
        label="Reader",
        base_url="https://reader.example.org/v1",
        model="reader",
        prompt="Read.",
        prompt_version="1",
        parameters={},
        timeout_seconds=5,
    )
    request = SuggestionRequest.objects.create(sample=make_sample(project), recogniser=recogniser)
    return Suggestion.objects.create(request=request, text="Dear", image_hash="0" * 64)


@pytest.fixture
def assignment(suggestion: Suggestion) -> Assignment:
    project = suggestion.request.sample.project
    claimed = claim_work(
        person=make_member(project, Role.ANNOTATOR, name="ann"), project=project, stage=Stage.LABEL
    )
    assert claimed is not None
    return claimed


WRITERS: dict[str, Callable[[Assignment, Suggestion], object]] = {
    "note": lambda assignment, _: record_note(assignment=assignment, text="Faint."),
    "evidence": lambda assignment, _: record_evidence(
        assignment=assignment, kind="expert", link="", note="Asked."
    ),
    "use": lambda assignment, taken: record_suggestion_use(
        assignment=assignment, suggestion_id=taken.pk, how="whole", line=None, text="Dear"
    ),
}


def _written(assignment: Assignment) -> int:
    return (
        assignment.notes.count()
        + assignment.evidence.count()
        + SuggestionUse.objects.filter(assignment=assignment).count()
    )


def _submit(assignment: Assignment) -> None:
    version = Draft.objects.get(assignment=assignment).version
    submit_label(
        assignment=assignment,
        text="Dear",
        base_version=version,
        image_hash=assignment.sample.pixel_hash,
        idempotency_key="only once",
    )


@pytest.mark.parametrize("what", WRITERS)
def test_writing_beside_the_text_when_the_assignment_was_submitted_then_it_is_closed(
    assignment: Assignment, suggestion: Suggestion, what: str
) -> None:
    WRITERS[what](assignment, suggestion)
    assert _written(assignment) == 1
    _submit(assignment)
    with pytest.raises(AssignmentClosed):
        WRITERS[what](assignment, suggestion)
    assert _written(assignment) == 1


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("notes", {"text": "Faint."}),
        ("evidence", {"kind": "expert", "note": "Asked."}),
        ("taken", {"suggestion": 0, "how": "whole", "text": "Dear"}),
    ],
)
def test_addresses_when_the_assignment_was_submitted_then_they_answer_409_and_keep_nothing(
    client: Client, assignment: Assignment, suggestion: Suggestion, name: str, body: dict[str, object]
) -> None:
    if "suggestion" in body:
        body = {**body, "suggestion": suggestion.pk}
    _submit(assignment)
    client.force_login(assignment.person)
    kind = {"content_type": "application/json"} if name == "taken" else {}
    page = client.post(reverse(f"work_{name}", args=[assignment.uuid]), body, HTTP_HX_REQUEST="true", **kind)
    token = make_token(user=assignment.person, name="program")
    program = Client().post(
        reverse(f"api:work_{name}", args=[assignment.uuid]),
        body,
        content_type="application/json",
        HTTP_AUTHORIZATION=f"Bearer {token}",
    )
    assert (page.status_code, program.status_code) == (409, 409)
    assert "already been submitted" in page.text
    assert "already been submitted" in program.text
    assert _written(assignment) == 0
