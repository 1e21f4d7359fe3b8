"""What went wrong is informed in the language of whoever reads it, not of whoever's work it was."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override
from rest_framework.test import APIClient

from config.api.services import make_token
from config.blobs import drop_blob, read_blob
from config.jobs.models import JobState
from config.jobs.services import run_waiting
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recogniser_record import RecogniserRecord
from evaluation.models import ExportFormat, ExportRun
from evaluation.services.export_release import request_export
from evaluation.services.run_model import request_model_run
from tests.factories import make_gold, make_gold_release, make_project
from tests.openai_server import OpenAIServer, answer

pytestmark = pytest.mark.django_db(transaction=True)

ENGLISH = re.compile(r"\b[a-z]{2,}[,;:]? [a-z]{2,}[,;:]? [a-z]{2,}")  # three words in a row


@pytest.fixture
def release():
    records = [make_gold("一"), make_gold("二")]
    return make_gold_release(make_project(slug="letters").team, records)


def reads(client, release, language):
    """The manager, with this language in the account."""
    boss = release.created_by
    boss.language = language
    boss.save()
    client.force_login(boss)
    return client


def program(release):
    client = APIClient()
    secret = make_token(user=release.created_by, name="laptop")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def failed_export(release, writer_language):
    item = release.items.first()
    drop_blob(item.image_blob)
    with override(writer_language):
        run = request_export(release=release, format=ExportFormat.INKBENCH, by=release.created_by)
        run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.FAILED and run.error.startswith("MissingImage: The image of ")
    return run, item.file_name


@pytest.mark.parametrize("writer", ["en", "zh-hans"])
def test_job_when_it_failed_then_page_and_api_tell_it_in_the_readers_language(client, release, writer):
    run, name = failed_export(release, writer)
    chinese, english = f"images/{name} 的图片", f"The image of images/{name}"
    address = reverse("export", args=[run.pk])
    assert english in reads(client, release, "en").get(address).text
    page = reads(client, release, "zh-hans").get(address).text
    assert chinese in page and "The image" not in page and "Traceback" not in page
    api = program(release)
    for language, words in (("zh-hans", chinese), ("en", english)):
        message = api.get(f"/api/v1/exports/{run.pk}/", headers={"Accept-Language": language}).json()
        assert words in message["job"]["error"]


def test_job_when_something_unforeseen_happened_then_it_is_said_in_words_and_the_trace_is_kept(
    client, release
):
    run = ExportRun.objects.create(release=release, format="none", created_by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.FAILED and "Traceback" in run.error
    page = reads(client, release, "zh-hans").get(reverse("export", args=[run.pk])).text
    assert "发生了意外错误（KeyError）" in page and "Traceback" not in page
    page = reads(client, release, "en").get(reverse("export", args=[run.pk])).text
    assert "An unexpected error occurred (KeyError)" in page


def test_job_when_its_worker_died_every_time_then_it_is_said_in_the_readers_language(client, release):
    run = ExportRun.objects.create(
        release=release, format="inkbench", created_by=release.created_by, attempts=ExportRun.max_attempts
    )
    run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.FAILED
    page = reads(client, release, "zh-hans").get(reverse("export", args=[run.pk])).text
    assert "每次尝试时后台进程都崩溃" in page and "worker crashed" not in page


def test_job_when_it_runs_again_then_the_old_failure_is_gone(client, release):
    run, _ = failed_export(release, "en")
    ExportRun.objects.filter(pk=run.pk).update(state=JobState.QUEUED, error="", attempts=0)
    run.refresh_from_db()
    assert run.error_message == ""


UPLOADS = {
    "not json": '{"id": ',
    "number": '{"id": "1", "text": 7}',
    "missing": '{"id": "1"}',
    "both": '{"id": "1", "text": "a", "regions": {"1": "x"}}',
    "key": '{"id": "1", "regions": {"r1": "x"}}',
    "unknown": '{"id": "1", "text": "a"}',
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("line", UPLOADS.values(), ids=UPLOADS)
def test_upload_when_a_line_is_bad_then_page_and_api_say_so_in_chinese(client, release, line):
    def upload():
        return {"kind": "model", "system": "模型", "files": SimpleUploadedFile("p.jsonl", line.encode())}

    page = reads(client, release, "zh-hans").post(
        reverse("predictions_upload", args=[release.pk]),
        upload(),
        headers={"X-Requested-With": "XMLHttpRequest"},
    )
    assert page.status_code == 400
    answered = program(release).post(
        f"/api/v1/releases/{release.pk}/prediction-sets/",
        upload(),
        format="multipart",
        headers={"Accept-Language": "zh-hans"},
    )
    assert answered.status_code == 422, answered.content
    message = [words for listed in answered.json()["fields"].values() for words in listed]
    assert message and page.json()["errors"]
    for words in (*message, *page.json()["errors"]):
        assert not ENGLISH.search(words) and re.search("[一-龥]", words), words


def tampered(data, member, change):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == member else content)
    out.seek(0)
    out.name = "export.zip"
    return out


CHANGES = {
    "a record": ("gold.jsonl", lambda data: data.replace("一".encode(), "二".encode())),
    "cut off": ("gold.jsonl", lambda data: data[:-3]),
    "no manifest": ("manifest.json", lambda data: b"[]"),
    "count": ("manifest.json", lambda data: data.replace(b'"count": 2', b'"count": 3')),
    "not a record": ("gold.jsonl", lambda data: b"{}\n"),
}


@pytest.mark.parametrize(("member", "change"), CHANGES.values(), ids=CHANGES)
def test_import_of_an_export_when_it_was_changed_then_the_page_says_so_in_chinese(
    client, release, member, change
):
    run = request_export(release=release, format=ExportFormat.INKBENCH, by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    file = tampered(read_blob(run.checksum), member, change)
    if member == "gold.jsonl" and change(b"x") == b"{}\n":
        file = tampered(file.read(), "gold.sha256", lambda data: b"")
    page = reads(client, release, "zh-hans").post(
        reverse("release_import", args=[release.team.slug]), {"file": file}
    )
    assert page.status_code == 200
    (words,) = page.context["form"].errors["file"]
    assert words.startswith("没有导入") and not ENGLISH.search(words), words


def test_import_of_an_export_when_it_is_no_archive_then_the_page_says_so_in_chinese(client, release):
    file = io.BytesIO(b"PK\x03\x04 half a zip")
    file.name = "export.zip"
    page = reads(client, release, "zh-hans").post(
        reverse("release_import", args=[release.team.slug]), {"file": file}
    )
    (words,) = page.context["form"].errors["file"]
    assert not ENGLISH.search(words), words


def test_model_run_when_an_answer_failed_then_its_page_tells_it_in_the_readers_language(
    client, release, settings
):
    with OpenAIServer([answer(""), answer("二")]) as server:
        settings.MODEL_ENDPOINT_ALLOWLIST = [f"127.0.0.1:{server.port}"]
        record = RecogniserRecord(
            label="m", kind="endpoint", base_url=server.base_url, model="m1", prompt="抄写", timeout_seconds=5
        )
        run = request_model_run(release=release, recogniser=record, by=release.created_by)
        run_waiting()
    failed = run.prediction_set.predictions.get(failure=FailureKind.EMPTY)
    assert failed.message.startswith("the model's reply has no text")
    scored = run.prediction_set.score_runs.get()
    address = reverse("item_score", args=[scored.pk, failed.item.sample_id])
    assert escape(failed.message) in reads(client, release, "en").get(address).text
    page = reads(client, release, "zh-hans").get(address).text
    assert "模型的回复没有任何文字" in page and "has no text" not in page


def test_prediction_when_its_system_wrote_the_failure_then_it_is_shown_as_it_was_written(client, release):
    item = release.items.first()
    line = json.dumps({"id": item.sample_id, "text": None, "failure": "out of memory"})
    file = SimpleUploadedFile("p.jsonl", line.encode())
    reads(client, release, "zh-hans").post(
        reverse("predictions_upload", args=[release.pk]), {"kind": "model", "system": "模型", "files": file}
    )
    run_waiting()
    scored = release.prediction_sets.get().score_runs.get()
    page = client.get(reverse("item_score", args=[scored.pk, item.sample_id])).text
    assert "out of memory" in page
