"""The small calls of a work page, and the discussion's, when what comes in is odd."""

from __future__ import annotations

import json

import pytest

from annotation.models import Evidence, Label, Note
from annotation.stages import Stage
from config.accounts.models import Role
from tests.annotation.assignments import assignment_for, submit_work
from tests.factories import make_member, make_project, make_sample

pytestmark = pytest.mark.database


@pytest.fixture
def project(db):
    return make_project()


@pytest.fixture
def assignment(project, client):
    make_sample(project)
    claimed = assignment_for(project)
    client.force_login(claimed.person)
    return claimed


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff",
        json.dumps({"text": "a", "base_version": 2**70, "image_hash": "\ud800"}).encode(),
        json.dumps({"text": "\ud800", "base_version": 0, "image_hash": ""}).encode(),
    ],
)
def test_autosave_when_the_json_is_odd_then_refused_in_words(client, assignment, body):
    response = client.put(f"/work/{assignment.uuid}/autosave/", body, content_type="application/json")
    assert response.status_code in (409, 422) and response.json()


@pytest.mark.parametrize("line", [2**70, -1, True, "1", None, 1.5, [1]])
def test_take_suggestion_when_the_line_is_no_line_then_refused(client, assignment, project, line):
    from_nowhere = {"suggestion": 2**70, "how": "line", "line": line, "text": "a"}
    response = client.post(
        f"/work/{assignment.uuid}/taken/", json.dumps(from_nowhere), content_type="application/json"
    )
    assert response.status_code == 422


@pytest.mark.parametrize("odd", ["bell \x07", "nul \0"])
def test_note_and_evidence_when_unprintable_then_said_beside_the_field_and_nothing_is_lost(
    client, assignment, odd
):
    note = client.post(f"/work/{assignment.uuid}/notes/", {"text": odd})
    entry = client.post(f"/work/{assignment.uuid}/evidence/", {"kind": "other", "note": odd})
    assert (note.status_code, entry.status_code) == (422, 422)
    assert odd.split()[0] in note.content.decode()
    assert not Note.objects.exists() and not Evidence.objects.exists()


@pytest.mark.parametrize("position", [7, 2**70])
@pytest.mark.parametrize("act", ["sign", "say"])
def test_discussion_when_there_is_no_such_line_then_404(client, project, position, act):
    make_sample(project)
    first = assignment_for(project)
    submit_work(first, "one reading")
    submit_work(assignment_for(project, Stage.VERIFY, make_member(project, Role.REVIEWER)), "another one")
    client.force_login(first.person)
    response = client.post(
        f"/consensus/{first.uuid}/{position}/{act}/", {"choice": "primary", "text": "I read it so."}
    )
    assert response.status_code == 404


MASK = {"id": "m", "shape": "box", "points": [[10, 100], [60, 130]], "reason": "torn"}


@pytest.mark.parametrize(
    ("text", "masks", "words"),
    [
        ("Dear Jane", [MASK], "The image has a mask, but the text has no"),
        ("Dear ⟦masked⟧", [], "but nothing is masked in the image"),
    ],
)
def test_submit_when_mask_and_mark_do_not_answer_each_other_then_asked_why_and_all_typed_is_kept(
    client, assignment, text, masks, words
):
    sent = {
        "text": text,
        "masks": json.dumps(masks),
        "base_version": 0,
        "image_hash": assignment.sample.pixel_hash,
        "idempotency_key": "key-00000001",
    }
    refused = client.post(f"/work/{assignment.uuid}/submit/", sent)
    page = refused.content.decode()
    assert refused.status_code == 422 and words in page
    assert 'name="mask_reason"' in page and text in page
    assert not Label.objects.exists()
    assert (
        client.post(f"/work/{assignment.uuid}/submit/", sent | {"mask_reason": "a stain"}).status_code == 302
    )
    assert Label.objects.get().text == text


def test_submit_when_the_reason_holds_what_cannot_be_kept_then_refused_in_words(client, assignment):
    sent = {
        "text": "Dear Jane",
        "masks": json.dumps([MASK]),
        "base_version": 0,
        "image_hash": assignment.sample.pixel_hash,
        "idempotency_key": "key-00000001",
        "mask_reason": "bell \x07",
    }
    assert client.post(f"/work/{assignment.uuid}/submit/", sent).status_code == 422
    assert not Label.objects.exists()
