"""The discussion through the API, to a settled sample both ways."""

from __future__ import annotations

from dataclasses import fields

import pytest
from rest_framework.test import APIClient

from annotation.models import Assignment, Label, Message, Note
from annotation.stages import Stage
from annotation.worksheets import ConsensusSheet, FieldSheet
from tests.api.assignments import API, review, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_sample

pytestmark = pytest.mark.database


def dispute(cast: Cast) -> tuple[APIClient, str, APIClient, str]:
    """A sample whose second of two lines is disputed: (annotator, assignment, reviewer, assignment)."""
    make_sample(cast.project)
    annotator, reviewer = client_for(cast.annotator), client_for(cast.reviewer)
    first = take(annotator, "letters", "label")
    submit_work(annotator, first, "Dear Anna\nit rains")
    second = review(reviewer, "letters", "Dear Anna\nit reigns")
    return annotator, first, reviewer, second


def test_discussion_when_both_sign_one_text_then_the_sample_is_verified(cast: Cast) -> None:
    annotator, first, reviewer, second = dispute(cast)
    sheet = annotator.get(f"{API}/consensus/{first}/").json()
    assert set(sheet) == {field.name for field in fields(ConsensusSheet)}
    assert set(sheet["fields"][0]) == {field.name for field in fields(FieldSheet)}
    assert [field["is_disputed"] for field in sheet["fields"]] == [False, True]
    sign = {"text": "it rains"}
    signed = annotator.post(f"{API}/consensus/{first}/lines/1/sign/", sign, format="json").json()
    assert signed["fields"][1]["have_signed"] and not signed["fields"][1]["is_settled"]
    two = reviewer.post(f"{API}/consensus/{second}/lines/1/sign/", sign, format="json").json()
    assert two["is_over"] and two["fields"][1]["text"] == "it rains"
    assert Label.objects.get(stage=Stage.DONE).text == "Dear Anna\nit rains"
    late = annotator.post(f"{API}/consensus/{first}/lines/1/sign/", sign, format="json")
    assert (late.status_code, late.json()["kind"]) == (409, "not_open")


def test_discussion_when_escalated_then_the_adjudicator_decides_with_both_arguments(cast: Cast) -> None:
    annotator, first, reviewer, second = dispute(cast)
    said = reviewer.post(f"{API}/consensus/{second}/lines/1/say/", {"text": "see the g"}, format="json")
    assert said.status_code == 201
    assert annotator.post(f"{API}/consensus/{first}/escalate/", {}, format="json").status_code == 422
    done = annotator.post(f"{API}/consensus/{first}/escalate/", {"reason": "no end"}, format="json")
    assert done.json()["is_escalated"] and not done.json()["is_open"]
    judge = client_for(cast.adjudicator)
    assignment = take(judge, "letters", "adjudicate")
    sheet = judge.get(f"{API}/consensus/{assignment}/")
    assert sheet.json()["fields"][1]["messages"][0]["text"] == "see the g"
    assert "annotator" not in sheet.text and "reviewer" not in sheet.text
    none = judge.post(f"{API}/consensus/{assignment}/decide/", {"texts": []}, format="json")
    assert none.status_code == 422 and Label.objects.filter(stage=Stage.DONE).count() == 0
    word = {"texts": [{"position": 1, "text": "it reigns"}]}
    assert judge.post(f"{API}/consensus/{assignment}/decide/", word, format="json").json()["is_over"]
    assert Label.objects.get(stage=Stage.DONE).text == "Dear Anna\nit reigns"


def test_discussion_when_a_line_does_not_exist_or_is_settled_then_404_or_409(cast: Cast) -> None:
    annotator, first, _reviewer, _second = dispute(cast)
    body = {"text": "x"}
    assert annotator.post(f"{API}/consensus/{first}/lines/9/sign/", body, format="json").status_code == 404
    settled = annotator.post(f"{API}/consensus/{first}/lines/0/sign/", body, format="json")
    assert (settled.status_code, settled.json()["kind"]) == (409, "settled")
    broken = annotator.post(f"{API}/consensus/{first}/lines/1/sign/", {"text": "a\nb"}, format="json")
    assert broken.status_code == 422 and "text" in broken.json()["fields"]


def test_message_when_sent_twice_with_one_key_then_it_stands_once(cast: Cast) -> None:
    annotator, first, _reviewer, _second = dispute(cast)
    send = {
        "path": f"{API}/consensus/{first}/lines/1/say/",
        "data": {"text": "look again"},
        "format": "json",
        "headers": {"Idempotency-Key": "say-00001"},
    }
    assert annotator.post(**send).status_code == annotator.post(**send).status_code == 201
    assert Message.objects.count() == 1


def test_reasoning_when_shown_then_only_own_notes_can_be(cast: Cast) -> None:
    annotator, first, reviewer, second = dispute(cast)
    # A note is written while one works; the assignment has submitted since.
    Note.objects.create(assignment=Assignment.objects.get(uuid=first), text="blot over the i")
    wrong = reviewer.post(f"{API}/consensus/{second}/show/", {"text": "blot over the i"}, format="json")
    assert wrong.status_code == 422
    shown = annotator.post(f"{API}/consensus/{first}/show/", {"text": "blot over the i"}, format="json")
    assert shown.status_code == 201
    response_body = reviewer.get(f"{API}/consensus/{second}/").json()["disclosed"]
    assert [(message["discussion_role"], message["text"]) for message in response_body] == [
        ("primary", "blot over the i")
    ]
