"""Three recognisers, one of them in trouble: field case 54."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image, ImageDraw

from annotation.models import RecogniserSetting, Suggestion, SuggestionRequest, Work
from annotation.models.project import RecogniserKind
from annotation.services.preannotate_sample import request_suggestions
from annotation.stages import Stage
from config.blobs import put_blob, read_blob
from config.jobs.models import JobState
from config.jobs.services import run_waiting
from tests.annotation.recognisers import endpoint
from tests.factories import make_project, make_sample
from tests.openai_server import OpenAIServer, answer

pytestmark = pytest.mark.database


@pytest.fixture
def good():
    with OpenAIServer(answer("Dear Jane,")) as server:
        yield server


@pytest.fixture
def empty():
    with OpenAIServer(answer("")) as server:
        yield server


@pytest.fixture
def allowed(settings, good, empty):
    settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{good.port}", f"127.0.0.1:{empty.port}"]


def images_sent(server):
    for request in server.requests:
        for part in request.body["messages"][-1]["content"]:
            if part["type"] == "image_url":
                yield base64.b64decode(part["image_url"]["url"].partition(",")[2])


@pytest.mark.django_db
def test_request_suggestions_without_recognisers_then_straight_to_the_annotators():
    project = make_project()
    make_sample(project, stage=Stage.PREANNOTATE)
    assert request_suggestions(project=project) == 0
    assert Work.objects.get().stage == Stage.LABEL


@pytest.mark.django_db
def test_request_suggestions_when_one_endpoint_fails_then_a_failure_row_and_the_sample_moves_on(
    good, empty, allowed
):
    project = make_project()
    sample = make_sample(project, stage=Stage.PREANNOTATE)
    endpoint(project, 1, good.base_url)
    endpoint(project, 2, empty.base_url)
    assert request_suggestions(project=project) == 2
    run_waiting()
    answers = Suggestion.objects.order_by("request__recogniser__slot").values_list("text", "failure")
    assert list(answers) == [("Dear Jane,", ""), ("", "empty")]
    assert Work.objects.get().stage == Stage.LABEL
    states = set(SuggestionRequest.objects.values_list("recogniser__slot", "state"))
    assert states == {(1, JobState.DONE), (2, JobState.FAILED)}
    assert [*images_sent(good), *images_sent(empty)] == [read_blob(sample.released_blob)] * 2


@pytest.mark.django_db
def test_request_suggestions_again_then_only_the_missing_one_is_asked(good, empty, allowed):
    project = make_project()
    make_sample(project, stage=Stage.PREANNOTATE)
    endpoint(project, 1, good.base_url)
    endpoint(project, 2, empty.base_url)
    request_suggestions(project=project)
    run_waiting()
    assert request_suggestions(project=project) == 1
    run_waiting()
    assert (good.count, empty.count) == (1, 2)
    assert Suggestion.objects.filter(request__recogniser__slot=2).count() == 2


@pytest.mark.django_db
def test_suggestions_when_the_address_is_private_and_not_allowed_then_refused_without_a_call(good):
    project = make_project()
    make_sample(project, stage=Stage.PREANNOTATE)
    endpoint(project, 1, good.base_url)
    request_suggestions(project=project)
    run_waiting()
    assert Suggestion.objects.get().failure == "address_refused"
    assert good.count == 0


@pytest.mark.django_db
def test_embedded_recogniser_on_a_drawn_line_then_reads_it():
    project = make_project()
    image = Image.new("RGB", (900, 200), "white")
    ImageDraw.Draw(image).text((40, 60), "HELLO WORLD 1905", fill="black", font_size=64)
    out = io.BytesIO()
    image.save(out, "PNG")
    make_sample(
        project,
        stage=Stage.PREANNOTATE,
        released_blob=put_blob(out.getvalue()),
        released_width=900,
        released_height=200,
    )
    RecogniserSetting.objects.create(
        project=project, slot=1, kind=RecogniserKind.EMBEDDED, label="v6", engine="ppocr-v6"
    )
    request_suggestions(project=project)
    run_waiting()
    answer = Suggestion.objects.get()
    assert "1905" in answer.text and answer.lines[0]["box"]
