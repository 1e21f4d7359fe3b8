"""Projects, samples and imports through the API, by role."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Event, ImportRun, Sample
from config.exposure.models import SeenContent
from config.exposure.selectors import has_seen
from config.jobs.services import run_waiting
from tests.api.assignments import API, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.api.imports import upload
from tests.factories import make_project, make_sample, page_png

pytestmark = pytest.mark.database

MANAGER_ONLY = [
    ("get", "projects/letters/samples/"),
    ("get", "projects/letters/imports/"),
    ("post", "projects/letters/imports/"),
    ("post", "projects/letters/releases/"),
]


@pytest.mark.parametrize(("method", "path"), MANAGER_ONLY)
def test_manager_address_when_another_role_asks_then_it_is_not_there(
    cast: Cast, method: str, path: str
) -> None:
    for person in (cast.annotator, cast.reviewer, cast.adjudicator, cast.stranger):
        answer = getattr(client_for(person), method)(f"{API}/{path}")
        assert (answer.status_code, answer.json()["kind"]) == (404, "not_found")


def test_projects_when_listed_then_only_own_ones_with_own_roles(cast: Cast) -> None:
    make_project(slug="elsewhere")
    for person, roles in ((cast.manager, ["manager"]), (cast.annotator, ["annotator"])):
        response_body = client_for(person).get(f"{API}/projects/").json()["results"]
        assert [(project["slug"], project["roles"]) for project in response_body] == [("letters", roles)]
    assert client_for(cast.stranger).get(f"{API}/projects/").json()["count"] == 0
    assert client_for(cast.stranger).get(f"{API}/projects/letters/").status_code == 404


def test_project_when_read_then_states_are_for_managers_and_queues_for_each(cast: Cast) -> None:
    make_sample(cast.project)
    response_body = client_for(cast.annotator).get(f"{API}/projects/letters/").json()
    assert response_body["states"] is None
    assert response_body["queues"] == [{"stage": "label", "waiting": 1, "held": None}]
    states = client_for(cast.manager).get(f"{API}/projects/letters/").json()["states"]
    assert {row["state"]: row["count"] for row in states}["labelling"] == 1


def test_guideline_when_read_then_it_is_the_version_in_force(cast: Cast) -> None:
    response_body = client_for(cast.annotator).get(f"{API}/projects/letters/guideline/").json()
    assert (response_body["number"], response_body["text"]) == (1, "Write what the ink says.")


def test_samples_when_listed_in_parts_then_each_comes_once_and_filters_hold(cast: Cast) -> None:
    for index in range(5):
        make_sample(cast.project, language="en" if index else "zh-Hans")
    client, seen, url = client_for(cast.manager), [], f"{API}/projects/letters/samples/?limit=2"
    while url:
        part = client.get(url).json()
        seen += [row["number"] for row in part["results"]]
        assert part["count"] == 5
        url = part["next"]
    assert seen == [1, 2, 3, 4, 5]
    chinese = client.get(f"{API}/projects/letters/samples/?language=zh-Hans&state=labelling").json()
    assert chinese["count"] == 1
    wrong = client.get(f"{API}/projects/letters/samples/?language=tlh")
    assert wrong.status_code == 422 and list(wrong.json()["fields"]) == ["language"]


def test_sample_when_its_manager_moves_it_then_the_history_has_the_reason(cast: Cast) -> None:
    sample = make_sample(cast.project)
    client, url = client_for(cast.manager), f"{API}/samples/{sample.uuid}/"
    assert client.get(url).json()["moves"] == ["withdraw"]
    assert client.post(f"{url}move/", {"verb": "withdraw"}, format="json").status_code == 422
    body = {"verb": "withdraw", "reason": "blank page"}
    moved = client.post(f"{url}move/", body, format="json").json()
    assert moved["sample"]["state"] == "excluded" and moved["events"][0]["reason"] == "blank page"
    again = client.post(f"{url}move/", body, format="json")
    assert (again.status_code, again.json()["kind"]) == (409, "moved_on")


def test_sample_when_handed_to_the_adjudicator_without_a_discussion_then_409(cast: Cast) -> None:
    sample = make_sample(cast.project)
    body = {"verb": "escalate", "reason": "no end"}
    answer = client_for(cast.manager).post(f"{API}/samples/{sample.uuid}/move/", body, format="json")
    assert (answer.status_code, answer.json()["kind"]) == (409, "moved_on")


def test_sample_when_another_role_asks_then_it_is_not_there(cast: Cast) -> None:
    sample = make_sample(cast.project)
    for person in (cast.annotator, cast.reviewer, cast.adjudicator, cast.stranger):
        client = client_for(person)
        assert client.get(f"{API}/samples/{sample.uuid}/").status_code == 404
        assert client.post(f"{API}/samples/{sample.uuid}/labels/").status_code == 404
        assert client.post(f"{API}/samples/{sample.uuid}/move/", {}, format="json").status_code == 404


def test_labels_when_a_manager_opens_them_then_it_is_written_down(cast: Cast) -> None:
    sample = make_sample(cast.project)
    annotator = client_for(cast.annotator)
    submit_work(annotator, take(annotator, "letters", "label"), "Dear Anna")
    client = client_for(cast.manager)
    assert "Dear Anna" not in client.get(f"{API}/samples/{sample.uuid}/").text
    assert not has_seen(cast.manager, sample.pixel_hash, SeenContent.LABEL)
    response_body = client.post(f"{API}/samples/{sample.uuid}/labels/").json()["labels"]
    assert [label["text"] for label in response_body] == ["Dear Anna"]
    assert has_seen(cast.manager, sample.pixel_hash, SeenContent.LABEL)
    assert Event.objects.filter(verb="labels_opened").count() == 1


def test_flag_when_raised_and_closed_then_the_managers_see_both(cast: Cast) -> None:
    sample = make_sample(cast.project)
    annotator, client = client_for(cast.annotator), client_for(cast.manager)
    assignment = take(annotator, "letters", "label")
    annotator.post(f"{API}/work/{assignment}/flag/", {"message": "upside down"}, format="json")
    (flag,) = client.get(f"{API}/samples/{sample.uuid}/").json()["flags"]
    assert (flag["message"], flag["closed_at"]) == ("upside down", None)
    closed = client.delete(f"{API}/samples/{sample.uuid}/flags/{flag['id']}/").json()
    assert closed["flags"][0]["closed_at"]


def test_import_when_files_are_sent_then_the_status_tells_each_ones_fate(cast: Cast) -> None:
    client = client_for(cast.manager)
    files = [SimpleUploadedFile("one.png", page_png("one")), SimpleUploadedFile("notes.txt", b"no image")]
    made = client.post(
        f"{API}/projects/letters/imports/", {"files": files, "language": "en"}, format="multipart"
    )
    assert made.status_code == 201, made.content
    run_waiting()
    response_body = client.get(f"{API}/imports/{made.json()['id']}/").json()
    assert (response_body["state"], response_body["samples"]) == ("done", 1)
    fates = {group["outcome"]: group for group in response_body["files"]}
    assert fates["failed"]["files"][0]["name"] == "notes.txt" and fates["failed"]["mend"]
    assert Sample.objects.get().original_name == "one.png"
    assert client_for(cast.annotator).get(f"{API}/imports/{response_body['id']}/").status_code == 404


def test_import_when_sent_twice_with_one_key_then_there_is_one(cast: Cast) -> None:
    client = client_for(cast.manager)
    client.credentials(**client._credentials, HTTP_IDEMPOTENCY_KEY="import-0001")
    first, second = (upload(client, "one.png", language="en") for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    assert ImportRun.objects.get().files.count() == 1


def test_import_when_sent_in_parts_then_it_begins_when_it_is_started(cast: Cast) -> None:
    client = client_for(cast.manager)
    run = upload(client, "one.png", language="en", start="false").json()
    assert run["is_receiving"]
    run_waiting()
    more = {"files": [SimpleUploadedFile("two.png", page_png("two"))], "start": "false"}
    assert client.post(f"{API}/imports/{run['id']}/files/", more, format="multipart").status_code == 200
    assert not Sample.objects.exists()
    client.post(f"{API}/imports/{run['id']}/start/")
    run_waiting()
    assert Sample.objects.count() == 2
    late = client.post(
        f"{API}/imports/{run['id']}/files/",
        {"files": [SimpleUploadedFile("three.png", page_png("three"))]},
        format="multipart",
    )
    assert (late.status_code, late.json()["kind"]) == (409, "started")


def test_import_when_a_field_or_the_files_are_wrong_then_422_names_it_and_nothing_begins(cast: Cast) -> None:
    client = client_for(cast.manager)
    wrong = upload(client, "one.png", language="tlh")
    assert wrong.status_code == 422 and list(wrong.json()["fields"]) == ["language"]
    empty = client.post(f"{API}/projects/letters/imports/", {"language": "en"}, format="multipart")
    assert empty.status_code == 422 and list(empty.json()["fields"]) == ["files"]
    paths = {"files": [SimpleUploadedFile("a.png", page_png())], "paths": ["x/a.png", "x/b.png"]}
    uneven = client.post(f"{API}/projects/letters/imports/", paths, format="multipart")
    assert uneven.status_code == 422 and list(uneven.json()["fields"]) == ["paths"]
    assert not ImportRun.objects.exists()


def test_import_when_paths_are_given_then_files_keep_their_folders(cast: Cast) -> None:
    client = client_for(cast.manager)
    made = upload(client, "a.png", "b.png", language="en", paths=["box/a.png", "box/b.png"])
    names = set(ImportRun.objects.get(pk=made.json()["id"]).files.values_list("name", flat=True))
    assert names == {"box/a.png", "box/b.png"}
