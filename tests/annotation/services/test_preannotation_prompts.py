"""What an endpoint is asked, structure by structure: set on the page, sent, and named by each suggestion."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Suggestion
from annotation.services.preannotate_sample import request_suggestions
from config.jobs.services import run_waiting
from evaluation.model_clients.prompts import load_prompt
from tests.factories import make_project, make_sample
from tests.openai_server import OpenAIServer, answer

pytestmark = pytest.mark.django_db

ANSWERS = {
    "text": "Dear Ann,",
    "table": "<table><tr><td>a</td></tr></table>",
    "formula": "$$x^2$$",
}


def post(client: Client, project, url: str, **prompts: str):
    form = {"label": "x", "base_url": url, "model": "m", "timeout_seconds": "5", "prompt": "Copy the words."}
    return client.post(f"/projects/{project.slug}/settings/recognisers/1/endpoint/", form | prompts)


def message(server: OpenAIServer) -> str:
    parts = server.requests[-1].body["messages"][-1]["content"]
    return next(part["text"] for part in parts if part["type"] == "text")


@pytest.mark.parametrize("structure", ANSWERS)
def test_prompts_when_set_for_each_structure_then_each_is_sent_and_named(
    client: Client, settings, structure: str
):
    project = make_project()
    client.force_login(project.created_by)
    own = {"text": "Copy the words.", "table": "Give one <table>.", "formula": "Give LaTeX in $$."}
    names = {"text": "own-1", "table": "own-table-1", "formula": "own-formula-1"}
    with OpenAIServer(answer(ANSWERS[structure])) as server:
        settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{server.port}"]
        sent = post(
            client, project, server.base_url, table_prompt=own["table"], formula_prompt=own["formula"]
        )
        assert sent.status_code == 302
        sample = make_sample(project, structure=structure)
        request_suggestions(project=project)
        run_waiting()
        assert message(server) == own[structure]
    suggestion = Suggestion.objects.get(request__sample=sample)
    assert suggestion.failure == "" and suggestion.provenance["prompt_version"] == names[structure]
    page = client.get(f"/projects/{project.slug}/settings/recognisers/").content.decode()
    assert all(name in page for name in names.values())
    edit = client.get(f"/projects/{project.slug}/settings/recognisers/1/endpoint/").context["form"]
    assert edit["table_prompt"].value() == own["table"]


def test_prompts_when_left_empty_then_ours_are_kept_by_their_version(client: Client, settings) -> None:
    project = make_project()
    client.force_login(project.created_by)
    settings.MODEL_ENDPOINT_ALLOWLIST = ["127.0.0.1"]
    post(client, project, "http://127.0.0.1:9/v1")
    row = project.recognisers.get()
    assert (row.table_prompt, row.table_prompt_version) == (load_prompt("table").text, "table-1")
    assert (row.formula_prompt, row.formula_prompt_version) == (load_prompt("formula").text, "formula-1")


def test_prompts_when_one_changes_then_the_settings_are_retired_and_the_wording_gets_the_next_number(
    client: Client, settings
) -> None:
    project = make_project()
    client.force_login(project.created_by)
    settings.MODEL_ENDPOINT_ALLOWLIST = ["127.0.0.1"]
    for prompt in ("One <table>.", "A <table>.", "One <table>.", "One <table>."):
        post(client, project, "http://127.0.0.1:9/v1", table_prompt=prompt)
    versions = list(project.recognisers.order_by("pk").values_list("table_prompt_version", flat=True))
    assert versions == ["own-table-1", "own-table-2", "own-table-1"]
