"""Releases, exports, predictions and scores through the API, by role."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from config.exposure.models import SeenContent
from config.exposure.selectors import exposures_of
from config.jobs.services import run_waiting
from evaluation.models import ExportRun, PredictionSet, Release
from tests.api.assignments import API, review, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_answers, make_gold, make_gold_release, make_sample


def make_verified(cast: Cast, text: str) -> None:
    make_sample(cast.project)
    annotator, reviewer = client_for(cast.annotator), client_for(cast.reviewer)
    submit_work(annotator, take(annotator, "letters", "label"), text)
    review(reviewer, "letters", text)


def make_release(cast: Cast) -> Release:
    return make_gold_release(cast.project.team, [make_gold("Dear Anna"), make_gold("Yours, Fritz")])


def send(client: APIClient, release: Release, lines: list[dict[str, object]], **fields: str) -> object:
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    body = {"files": [SimpleUploadedFile("answers.jsonl", data)], "system": "scribe", **fields}
    return client.post(f"{API}/releases/{release.pk}/prediction-sets/", body, format="multipart")


def test_release_when_a_manager_confirms_then_the_verified_samples_are_frozen_once(cast: Cast) -> None:
    make_verified(cast, "Dear Anna")
    client, url = client_for(cast.manager), f"{API}/projects/letters/releases/"
    unsure = client.post(url, {"title": "first", "confirm": False}, format="json")
    assert unsure.status_code == 422 and list(unsure.json()["fields"]) == ["confirm"]
    body = {"title": "first", "confirm": True}
    answers = [
        client.post(url, body, format="json", headers={"Idempotency-Key": "release-1"}) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["release"]["count"] == 1 and answers[0].json()["changes"] is None
    assert Release.objects.count() == 1
    response_body = client_for(cast.annotator).get(url).json()["results"]
    assert [(row["number"], row["title"]) for row in response_body] == [(1, "first")]


def test_release_when_nothing_is_verified_then_409(cast: Cast) -> None:
    answer = client_for(cast.manager).post(
        f"{API}/projects/letters/releases/", {"confirm": True}, format="json"
    )
    assert (answer.status_code, answer.json()["kind"]) == (409, "nothing_to_release")


def test_release_addresses_when_another_role_asks_then_only_the_leaderboard_is_there(cast: Cast) -> None:
    release = make_release(cast)
    answers = make_answers(release, {"Dear Anna": "Dear Anna"})
    client = client_for(cast.manager)
    export = client.post(
        f"{API}/releases/{release.pk}/exports/", {"format": "inkbench"}, format="json"
    ).json()
    run = client.post(f"{API}/prediction-sets/{answers.pk}/scores/", {}, format="json").json()
    item = release.items.first()
    closed = [
        f"releases/{release.pk}/",
        f"releases/{release.pk}/exports/",
        f"releases/{release.pk}/prediction-sets/",
        f"exports/{export['id']}/",
        f"exports/{export['id']}/download/",
        f"prediction-sets/{answers.pk}/",
        f"score-runs/{run['id']}/",
        f"score-runs/{run['id']}/items/",
        f"score-runs/{run['id']}/items/{item.sample_id}/",
    ]
    run_waiting()
    for path in closed:
        assert client.get(f"{API}/{path}").status_code == 200, path
    for person in (cast.annotator, cast.reviewer, cast.adjudicator, cast.stranger):
        visitor = client_for(person)
        assert {visitor.get(f"{API}/{path}").status_code for path in closed} == {404}
        assert visitor.delete(f"{API}/prediction-sets/{answers.pk}/").status_code == 404
        board = visitor.get(f"{API}/releases/{release.pk}/leaderboard/")
        assert board.status_code == (404 if person is cast.stranger else 200)
        assert "Dear Anna" not in board.text
    assert PredictionSet.objects.count() == 1


@pytest.mark.parametrize("format", ["inkbench", "omnidocbench"])
def test_export_when_done_then_it_downloads_whole_or_in_parts_and_is_on_record(
    cast: Cast, format: str
) -> None:
    release = make_release(cast)
    client = client_for(cast.manager)
    made = client.post(f"{API}/releases/{release.pk}/exports/", {"format": format}, format="json")
    assert made.status_code == 201
    url = f"{API}/exports/{made.json()['id']}/"
    if made.json()["job"]["state"] != "done":
        assert client.get(f"{url}download/").status_code == 404
    run_waiting()
    response_body = client.get(url).json()
    assert response_body["job"]["state"] == "done" and response_body["size"] > 0
    whole = b"".join(client.get(f"{url}download/").streaming_content)
    assert len(whole) == response_body["size"]
    assert zipfile.ZipFile(io.BytesIO(whole)).testzip() is None
    part = client.get(f"{url}download/", headers={"Range": "bytes=10-19"})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, whole[10:20])
    assert exposures_of(cast.manager, SeenContent.GOLD).count() == 2


def test_export_when_the_format_is_unknown_then_422_and_none_begins(cast: Cast) -> None:
    release = make_release(cast)
    answer = client_for(cast.manager).post(
        f"{API}/releases/{release.pk}/exports/", {"format": "docx"}, format="json"
    )
    assert answer.status_code == 422 and list(answer.json()["fields"]) == ["format"]
    assert not ExportRun.objects.exists()


def test_predictions_when_sent_then_they_are_scored_and_what_is_missing_counts(cast: Cast) -> None:
    release = make_release(cast)
    first, second = release.items.all()
    client = client_for(cast.manager)
    lines = [{"id": first.sample_id, "text": "Dear Anna"}, {"id": "nobody", "text": "x"}]
    made = send(client, release, lines)
    assert made.status_code == 201, made.content
    response_body = made.json()
    assert (response_body["answered"], response_body["missing"], response_body["not_taken"]) == (1, 1, 1)
    assert "answers.jsonl" in response_body["faults"][0] and "nobody" in response_body["faults"][0]
    run_waiting()
    (run,) = client.get(f"{API}/prediction-sets/{response_body['id']}/").json()["score_runs"]
    assert (run["job"]["state"], run["coverage"], run["missing"]) == ("done", 0.5, 1)
    board = client.get(f"{API}/releases/{release.pk}/leaderboard/").json()
    index = [column["metric"] for column in board["columns"]].index("edit")
    assert board["entries"][0]["cells"][index]["value"] == pytest.approx(0.5)
    items = client.get(f"{API}/score-runs/{run['id']}/items/?metric=edit").json()["results"]
    assert [item["sample_id"] for item in items] == [second.sample_id, first.sample_id]
    result = client.get(f"{API}/score-runs/{run['id']}/items/{second.sample_id}/").json()
    assert (result["gold"], result["prediction"]) == ("Yours, Fritz", None)
    assert exposures_of(cast.manager, SeenContent.GOLD).count() == 1
    unknown = client.get(f"{API}/score-runs/{run['id']}/items/?metric=beauty")
    assert unknown.status_code == 422 and list(unknown.json()["fields"]) == ["metric"]


def test_predictions_when_none_is_for_the_release_then_422_and_nothing_stays(cast: Cast) -> None:
    release = make_release(cast)
    client = client_for(cast.manager)
    answer = send(client, release, [{"id": "nobody", "text": "x"}])
    assert answer.status_code == 422 and "nobody" in answer.json()["fields"]["files"][0]
    assert not PredictionSet.objects.exists()
    item = release.items.first()
    nameless = send(client, release, [{"id": item.sample_id, "text": "x"}], system=" ")
    assert nameless.status_code == 422 and list(nameless.json()["fields"]) == ["system"]


def test_predictions_when_sent_twice_with_one_key_then_there_is_one_set(cast: Cast) -> None:
    release = make_release(cast)
    client = client_for(cast.manager)
    client.credentials(**client._credentials, HTTP_IDEMPOTENCY_KEY="answers-01")
    lines = [{"id": release.items.first().sample_id, "text": "Dear Anna"}]
    first, second = (send(client, release, lines) for _ in range(2))
    assert first.json()["id"] == second.json()["id"] and PredictionSet.objects.count() == 1
    assert client.delete(f"{API}/prediction-sets/{first.json()['id']}/").status_code == 204
    gone = send(client, release, lines)
    assert (gone.status_code, gone.json()["kind"]) == (404, "not_found")
