"""Screening, ratings, questions and evidence through the API: the same rules as on the pages."""

from __future__ import annotations

from annotation.difficulty import Dimension
from annotation.models import Evidence, Rating, Sample, Screening
from annotation.stages import Intake
from config.accounts.models import Role
from tests.api.assignments import API, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_member, make_sample

LEVELS = dict.fromkeys(map(str, Dimension), 4)


def test_rating_when_submitted_then_closed_and_another_is_refused(cast: Cast) -> None:
    sample = make_sample(cast.project)
    client = client_for(make_member(cast.project, Role.DIFFICULTY_RATER))
    response_body = client.post(f"{API}/projects/letters/rate/").json()
    address = f"{API}/rate/{response_body['id']}/"
    assert client.put(address, {"scores": {"cursiveness": 2}}, format="json").status_code == 204
    assert client.get(address).json()["scores"] == {"cursiveness": 2}
    image = {"image_hash": sample.pixel_hash}
    short = client.post(address, {"scores": {"cursiveness": 2}, **image}, format="json")
    assert short.status_code == 422
    assert "multilingual_mixing" in short.text
    assert client.post(address, {"scores": LEVELS, **image}, format="json").status_code == 204
    again = client.post(address, {"scores": LEVELS | {"cursiveness": 1}, **image}, format="json")
    assert again.status_code == 409
    assert Rating.objects.get().scores == LEVELS
    assert client_for(cast.manager).get(address).status_code == 404
    assert client.post(f"{API}/projects/letters/rate/").json()["id"] is None


def test_screening_when_done_then_burned_in_and_a_manager_opens_the_page_on_the_record(cast: Cast) -> None:
    sample = make_sample(cast.project, intake=Intake.SCREENING)
    Screening.objects.create(sample=sample)
    client = client_for(make_member(cast.project, Role.SCREENER))
    address = f"{API}/screen/{client.post(f'{API}/projects/letters/screen/').json()['id']}/"
    assert client_for(cast.manager).get(f"{API}/samples/{sample.uuid}/").json()["image"] == ""
    sheet = client.get(address).json()
    body = {"areas": [], "image_hash": sheet["page"]["image_hash"]}
    assert client.post(address, body, format="json").status_code == 422
    box = {"id": "a", "shape": "box", "points": [[1, 1], [900, 9]], "reason": ""}
    assert client.post(address, body | {"areas": [box]}, format="json").status_code == 422
    box["points"] = [[1, 1], [30, 20]]
    assert client.put(address, {"areas": [box]}, format="json").status_code == 204
    assert client.post(address, body | {"areas": [box]}, format="json").status_code == 204
    assert Sample.objects.get().intake == Intake.READY
    opened = client_for(cast.manager).post(f"{API}/samples/{sample.uuid}/unredacted/").json()
    assert opened["image"]
    assert client.post(f"{API}/samples/{sample.uuid}/unredacted/").status_code == 404
    again = f"{API}/samples/{sample.uuid}/screen-again/"
    assert client_for(cast.manager).post(again, {"reason": "a name"}, format="json").status_code == 204
    assert Sample.objects.get().intake == Intake.SCREENING


def test_question_when_answered_then_in_the_log_of_who_asked(cast: Cast) -> None:
    make_sample(cast.project)
    annotator, expert = client_for(cast.annotator), client_for(make_member(cast.project, Role.DOMAIN_EXPERT))
    assignment = take(annotator, "letters", "label")
    asked = {"text": "Which drug?", "box": [1, 1, 20, 10]}
    response_body = annotator.post(f"{API}/work/{assignment}/questions/", asked, format="json")
    assert response_body.status_code == 201
    assert response_body.json()["questions"][0]["text"] == "Which drug?"
    question = expert.post(f"{API}/projects/letters/answer/").json()["id"]
    address = f"{API}/questions/{question}/"
    assert expert.get(address).json()["box"] == [1, 1, 20, 10]
    assert annotator.get(address).status_code == 404
    assert expert.post(address, {"answer": "Digoxin"}, format="json").status_code == 204
    assert expert.post(address, {"answer": "Aspirin"}, format="json").status_code == 409
    state = annotator.get(f"{API}/work/{assignment}/").json()["assignment"]
    assert "Digoxin" in state["evidence"][0]["note"]
    late = annotator.delete(f"{API}/work/{assignment}/questions/{state['questions'][0]['id']}/")
    assert late.status_code == 409


def test_evidence_when_changed_and_removed_then_only_ones_own(cast: Cast) -> None:
    make_sample(cast.project)
    client = client_for(cast.annotator)
    assignment = take(client, "letters", "label")
    body = {"kind": "dictionary", "link": "https://example.org/", "note": ""}
    response_body = client.post(f"{API}/work/{assignment}/evidence/", body, format="json").json()
    address = f"{API}/work/{assignment}/evidence/{response_body['evidence'][0]['id']}/"
    bad = client.put(address, body | {"link": "ftp://example.org/"}, format="json")
    assert bad.status_code == 422
    assert (
        client.put(address, body | {"note": "p. 12"}, format="json").json()["evidence"][0]["note"] == "p. 12"
    )
    assert client_for(cast.manager).delete(address).status_code == 404
    assert client.delete(address).status_code == 204
    assert client.delete(address).status_code == 404
    assert Evidence.objects.count() == 0
