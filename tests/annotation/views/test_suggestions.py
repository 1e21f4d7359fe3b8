"""The managers' page of the recognisers: failures as failures, asking again for what is missing."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Suggestion, SuggestionRequest
from annotation.services.preannotate_sample import request_suggestions
from annotation.stages import Stage
from config.accounts.models import Role
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.jobs.services import run_waiting
from tests.annotation.recognisers import endpoint
from tests.factories import make_member, make_project, make_sample
from tests.openai_server import OpenAIServer, answer, error, refuse

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_suggestions_page_when_a_recogniser_failed_then_says_so_and_asks_again_only_there(settings):
    with OpenAIServer(answer("Dear Jane,")) as good, OpenAIServer(refuse(retry_after="900")) as busy:
        settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{good.port}", f"127.0.0.1:{busy.port}"]
        project = make_project()
        make_sample(project, stage=Stage.PREANNOTATE)
        endpoint(project, 1, good.base_url, label="Good reader")
        endpoint(project, 2, busy.base_url, label="Busy reader")
        request_suggestions(project=project)
        run_waiting()
        page = reverse("project_suggestions", args=[project.slug])
        client = signed_in(project.created_by)
        words = client.get(page).content.decode()
        assert (
            "Too many requests" in words
            and "Samples read: 1 of 1" in words
            and "Samples read: 0 of 1" in words
        )
        assert "Dear Jane" not in words
        assert client.post(page).status_code == 302
        run_waiting()
        assert good.count == 1
        assert Suggestion.objects.filter(request__recogniser__label="Busy reader").count() == 2


@pytest.mark.parametrize("is_blind", [False, True])
def test_suggestions_page_when_its_reader_works_blind_too_then_no_message_quotes_the_pages(
    settings, is_blind
):
    with OpenAIServer(error(400, "I will not read “Dear Jane”")) as server:
        settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{server.port}"]
        project = make_project()
        sample = make_sample(project, stage=Stage.PREANNOTATE)
        endpoint(project, 1, server.base_url)
        request_suggestions(project=project)
        run_waiting()
    manager = make_member(project, Role.MANAGER, *[Role.ANNOTATOR] * is_blind)
    page = signed_in(manager).get(reverse("project_suggestions", args=[project.slug])).text
    assert ("Dear Jane" in page, "Not shown" in page) == (not is_blind, is_blind)
    record_exposure(
        user=manager, image_hash=sample.pixel_hash, role="manager", saw=SeenContent.LABEL, place="labels"
    )
    page = signed_in(manager).get(reverse("project_suggestions", args=[project.slug])).text
    assert "Dear Jane" in page


def test_suggestions_page_without_recognisers_then_says_what_to_do(client):
    project = make_project()
    page = signed_in(project.created_by).get(reverse("project_suggestions", args=[project.slug]))
    assert reverse("project_recognisers", args=[project.slug]) in page.content.decode()


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.REVIEWER])
def test_suggestions_page_for_others_then_not_there(role):
    project = make_project()
    client = signed_in(make_member(project, role))
    assert client.get(reverse("project_suggestions", args=[project.slug])).status_code == 404
    assert client.post(reverse("project_suggestions", args=[project.slug])).status_code == 404
    assert not SuggestionRequest.objects.exists()
