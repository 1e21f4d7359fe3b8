"""Own work through the API: the worksheets, nothing lost, nothing twice."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from annotation.models import Label, Note, Skip, Work
from annotation.models.project import VerificationMode
from annotation.stages import Stage, Status
from annotation.worksheets import AssignmentState, LabelSheet, Page, VerifySheet
from tests.api.assignments import API, body_for, review, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_sample

pytestmark = pytest.mark.database


def keys_of(record: type) -> set[str]:
    return {field.name for field in fields(record)}


def assert_is_exactly(response_body: dict[str, Any], record: type) -> None:
    assert set(response_body) == keys_of(record)
    assert set(response_body["page"]) == keys_of(Page)
    assert set(response_body["assignment"]) == keys_of(AssignmentState)


def test_worksheet_when_an_annotator_reads_it_then_it_is_the_label_sheet_and_nothing_else(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    response_body = client.get(f"{API}/work/{take(client, 'letters', 'label')}/").json()
    assert_is_exactly(response_body, LabelSheet)


@pytest.mark.parametrize("mode", VerificationMode.values)
def test_worksheet_when_a_reviewer_reads_it_then_it_is_the_verify_sheet_of_the_mode(
    cast: Cast, mode: str
) -> None:
    type(cast.project).objects.update(verification_mode=mode)
    make_sample(cast.project)
    annotator, reviewer = client_for(cast.annotator), client_for(cast.reviewer)
    assignment = take(annotator, "letters", "label")
    annotator.post(f"{API}/work/{assignment}/notes/", {"text": "a doubtful word"}, format="json")
    assert submit_work(annotator, assignment, "Dear Anna").status_code == 200
    response = reviewer.get(f"{API}/work/{take(reviewer, 'letters', 'verify')}/")
    assert_is_exactly(response.json(), VerifySheet)
    is_open = mode == VerificationMode.VERIFY
    assert response.json()["primary_text"] == ("Dear Anna" if is_open else None)
    assert ("Dear Anna" in response.text) is is_open
    assert "a doubtful word" not in response.text and "annotator" not in response.text


def test_assignment_when_it_is_somebody_elses_then_every_address_of_it_is_not_there(cast: Cast) -> None:
    make_sample(cast.project)
    assignment = take(client_for(cast.annotator), "letters", "label")
    posts = ["heartbeat", "submit", "reached-end", "put-back", "skip", "flag", "return", "notes", "evidence"]
    posts += ["taken"]
    for person in (cast.manager, cast.reviewer, cast.stranger):
        client = client_for(person)
        answers = [client.post(f"{API}/work/{assignment}/{verb}/", {}, format="json") for verb in posts]
        answers += [client.get(f"{API}/work/{assignment}/"), client.get(f"{API}/consensus/{assignment}/")]
        answers += [client.put(f"{API}/work/{assignment}/draft/", {}, format="json")]
        assert {answer.status_code for answer in answers} == {404}
        assert {answer.json()["kind"] for answer in answers} == {"not_found"}


def test_next_when_the_role_is_missing_then_404_and_when_nothing_is_left_then_null(cast: Cast) -> None:
    assert client_for(cast.reviewer).post(f"{API}/projects/letters/next/label/").status_code == 404
    assert client_for(cast.annotator).post(f"{API}/projects/letters/next/done/").status_code == 404
    response_body = client_for(cast.annotator).post(f"{API}/projects/letters/next/label/").json()
    assert response_body == {"assignment": None, "stage": "label", "free_at": None}


def test_draft_when_saved_on_an_old_version_then_409_brings_both_texts_and_nothing_is_lost(
    cast: Cast,
) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    old = body_for(client, assignment, "from this workbench")
    first = client.put(
        f"{API}/work/{assignment}/draft/", old | {"text": "from that workbench"}, format="json"
    )
    assert first.status_code == 200 and first.json()["version"] == old["base_version"] + 1
    second = client.put(f"{API}/work/{assignment}/draft/", old, format="json")
    assert second.status_code == 409
    response_body = second.json()
    assert response_body["kind"] == "newer_version"
    assert (response_body["stored_text"], response_body["sent_text"]) == (
        "from that workbench",
        "from this workbench",
    )
    again = client.put(
        f"{API}/work/{assignment}/draft/", old | {"base_version": response_body["version"]}, format="json"
    )
    assert again.status_code == 200


def test_submit_when_sent_twice_with_one_key_then_there_is_one_label(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    body = body_for(client, assignment, "Dear Anna  ")
    send = {"path": f"{API}/work/{assignment}/submit/", "data": body, "format": "json"}
    first = client.post(**send, headers={"Idempotency-Key": "once-and-only"})
    second = client.post(**send, headers={"Idempotency-Key": "once-and-only"})
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json() and first.json()["text"] == "Dear Anna"
    assert Label.objects.count() == 1
    other = client.post(**send, headers={"Idempotency-Key": "another-key"})
    assert (other.status_code, other.json()["kind"]) == (409, "closed")


def test_submit_when_the_key_is_missing_then_422_names_the_header(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    response = client.post(
        f"{API}/work/{assignment}/submit/", body_for(client, assignment, "x"), format="json"
    )
    assert response.status_code == 422 and list(response.json()["fields"]) == ["Idempotency-Key"]
    assert not Label.objects.exists()


def test_submit_when_typed_for_another_image_then_409_and_nothing_is_stored(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    body = body_for(client, assignment, "x") | {"image_hash": "0" * 64}
    response = client.post(
        f"{API}/work/{assignment}/submit/", body, format="json", headers={"Idempotency-Key": "12345678"}
    )
    assert (response.status_code, response.json()["kind"]) == (409, "wrong_image")
    assert not Label.objects.exists()


def test_draft_when_a_field_is_wrong_then_422_names_every_field_at_once(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    response = client.put(f"{API}/work/{assignment}/draft/", {"base_version": -1}, format="json")
    assert response.status_code == 422
    assert set(response.json()["fields"]) == {"text", "base_version", "image_hash"}
    body = body_for(client, assignment, "a\x07b")
    bell = client.put(f"{API}/work/{assignment}/draft/", body, format="json")
    assert bell.status_code == 422 and "U+0007" in bell.json()["message"]


def test_review_when_the_end_was_not_reached_then_422_says_how_to_go_on(cast: Cast) -> None:
    make_sample(cast.project)
    annotator, reviewer = client_for(cast.annotator), client_for(cast.reviewer)
    submit_work(annotator, take(annotator, "letters", "label"), "Dear Anna")
    response = submit_work(reviewer, take(reviewer, "letters", "verify"), "Dear Anna")
    assert (response.status_code, response.json()["kind"]) == (422, "end_not_reached")
    review(reviewer, "letters", "Dear Anna")
    assert Work.objects.get().stage == Stage.DONE


def test_return_when_a_reviewer_gives_a_reason_then_the_annotator_reads_it_without_a_name(cast: Cast) -> None:
    make_sample(cast.project)
    annotator, reviewer = client_for(cast.annotator), client_for(cast.reviewer)
    submit_work(annotator, take(annotator, "letters", "label"), "Dear Anna")
    assignment = take(reviewer, "letters", "verify")
    assert (
        reviewer.post(f"{API}/work/{assignment}/return/", {"reason": " "}, format="json").status_code == 422
    )
    done = reviewer.post(f"{API}/work/{assignment}/return/", {"reason": "line 2 is missing"}, format="json")
    assert done.status_code == 204
    back = annotator.get(f"{API}/work/{take(annotator, 'letters', 'label')}/")
    assert back.json()["returned_because"] == "line 2 is missing"
    assert back.json()["assignment"]["text"] == "Dear Anna" and "reviewer" not in back.text


def test_put_back_and_skip_when_done_then_the_queue_has_the_sample_or_not(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    assert client.post(f"{API}/work/{assignment}/put-back/").status_code == 204
    assert Work.objects.get().status == Status.OPEN
    assert take(client, "letters", "label") == assignment
    assert (
        client.post(f"{API}/work/{assignment}/skip/", {"reason": "too faint"}, format="json").status_code
        == 204
    )
    assert Skip.objects.get().reason == "too faint"
    assert client.post(f"{API}/projects/letters/next/label/").json()["assignment"] is None
    gone = client.post(f"{API}/work/{assignment}/heartbeat/")
    assert (gone.status_code, gone.json()["kind"]) == (409, "lease_lost")


def test_note_when_sent_twice_with_one_key_then_there_is_one_note(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    send = {
        "path": f"{API}/work/{assignment}/notes/",
        "format": "json",
        "headers": {"Idempotency-Key": "note-0001"},
    }
    assert client.post(data={"text": "a torn corner"}, **send).status_code == 201
    again = client.post(data={"text": "a torn corner"}, **send)
    assert [note["text"] for note in again.json()["notes"]] == ["a torn corner"]
    assert Note.objects.count() == 1
    other = client.post(data={"text": "something else"}, **send)
    assert (other.status_code, other.json()["kind"]) == (409, "key_reused")


def test_work_list_when_a_sample_is_in_hand_then_it_names_the_assignment(cast: Cast) -> None:
    sample = make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    response_body = client.get(f"{API}/work/").json()
    assert response_body == {
        "count": 1,
        "next": None,
        "results": [
            {
                "assignment": assignment,
                "project": "letters",
                "stage": "label",
                "sample_number": sample.number,
                "is_discussion": False,
            }
        ],
    }
    assert client_for(cast.reviewer).get(f"{API}/work/").json()["count"] == 0


def test_image_when_asked_with_the_worksheets_token_then_only_its_owner_gets_the_png(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    token = client.get(f"{API}/work/{take(client, 'letters', 'label')}/").json()["page"]["image"]
    response = client.get(f"{API}/images/{token}/")
    assert response.status_code == 200 and b"".join(response.streaming_content)[:4] == b"\x89PNG"
    assert "no-store" in response["Cache-Control"]
    assert client_for(cast.reviewer).get(f"{API}/images/{token}/").status_code == 404
