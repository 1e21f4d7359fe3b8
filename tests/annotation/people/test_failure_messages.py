"""What a recogniser could not do is informed to managers and annotators in their own language."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project, RecogniserSetting, Suggestion, SuggestionRequest
from annotation.services.claim_work import claim_work
from annotation.services.preannotate_sample import request_suggestions
from annotation.stages import Stage
from config.accounts.models import Role
from config.jobs.services import run_waiting
from tests.factories import make_member, make_project, make_sample
from tests.openai_server import OpenAIServer, answer, error, refuse

pytestmark = pytest.mark.django_db

FAULTS = {
    "empty": (answer(""), "模型的回复没有任何文字", "has no text"),
    "quota": (refuse(retry_after="600"), "接口目前不再接受请求", "no more requests"),
    "key": (error(401, "bad key"), "接口拒绝了密钥", "rejected the key"),
    "private": (None, "是内网或本机地址", "private or loopback"),
}


def _setting(project: Project, url: str) -> RecogniserSetting:
    return RecogniserSetting.objects.create(
        project=project, slot=1, kind="endpoint", label="model", base_url=url, model="m", prompt="抄写",
        prompt_version="test-1", timeout_seconds=5,
    )  # fmt: skip


@pytest.mark.parametrize(("reply", "chinese", "english"), FAULTS.values(), ids=FAULTS)
def test_failure_of_a_recogniser_when_read_then_in_the_language_of_the_reader(
    client: Client, settings, reply, chinese: str, english: str
) -> None:
    project = make_project()
    make_sample(project, stage=Stage.PREANNOTATE)
    annotator = make_member(project, Role.ANNOTATOR)
    with OpenAIServer(reply or answer("x")) as server:
        settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{server.port}"] if reply else []
        _setting(project, server.base_url)
        request_suggestions(project=project)
        run_waiting()
    assert english in Suggestion.objects.get().message
    assert english in SuggestionRequest.objects.get().error
    assignment = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    pages = {
        project.created_by: reverse("project_suggestions", args=[project.slug]),
        annotator: reverse("work", args=[assignment.uuid]),
    }
    for person, page in pages.items():
        for language, words, others in (("zh-hans", chinese, english), ("en", english, chinese)):
            person.language = language
            person.save()
            client.force_login(person)
            text = client.get(page).text
            assert words in text and others not in text, (person, language)
