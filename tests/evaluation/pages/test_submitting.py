"""Exports, uploads and results through the pages."""

from __future__ import annotations

import io
import json

import pytest
from django.urls import reverse

from config.accounts.models import Role
from config.blobs import read_blob
from config.exposure.models import Exposure
from config.jobs.services import run_waiting
from evaluation.models import ExportRun, PredictionSet, Release, ScoreRun
from evaluation.services.score_predictions import request_score
from tests.factories import (
    make_answers,
    make_gold,
    make_gold_release,
    make_member,
    make_project,
    make_user,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def release(project):
    return make_gold_release(project.team, [make_gold("SECRETGOLD"), make_gold("other"), make_gold("third")])


@pytest.fixture
def manager(client, project):
    client.force_login(project.created_by)
    return client


def scored(release, answers):
    run = request_score(prediction_set=make_answers(release, answers))
    run_waiting()
    run.refresh_from_db()
    return run


def file(name, *records):
    data = io.BytesIO("\n".join(json.dumps(record) for record in records).encode())
    data.name = name
    return data


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.MANAGER)])
def test_pages_of_exports_predictions_and_results_when_no_manager_asks_then_404(
    client, project, release, role
):
    run = scored(release, {"other": "other"})
    ExportRun.objects.create(release=release, format="inkbench", created_by=project.created_by)
    run_waiting()
    export = ExportRun.objects.get()
    item = release.items.first()
    addresses = [
        ("post", reverse("export_new", args=[release.pk])),
        ("get", reverse("export", args=[export.pk])),
        ("get", reverse("export_download", args=[export.pk])),
        ("post", reverse("export_action", args=[export.pk, "remove"])),
        ("get", reverse("predictions_upload", args=[release.pk])),
        ("get", reverse("prediction_set", args=[run.prediction_set_id])),
        ("post", reverse("prediction_set_action", args=[run.prediction_set_id, "remove"])),
        ("get", reverse("score_run", args=[run.pk])),
        ("get", reverse("item_score", args=[run.pk, item.sample_id])),
        ("get", reverse("model_run_new", args=[release.pk])),
        ("get", reverse("release_import", args=[project.slug])),
    ]
    client.force_login(make_user() if role is None else make_member(project, role))
    for method, address in addresses:
        assert getattr(client, method)(address).status_code == 404, address
    assert PredictionSet.objects.exists() and ExportRun.objects.exists() and not Exposure.objects.exists()


def test_export_when_asked_for_then_it_comes_whole_and_in_parts_and_the_person_has_seen_gold(
    manager, project, release
):
    page = manager.post(reverse("export_new", args=[release.pk]), {"format": "inkbench"}, follow=True)
    run = ExportRun.objects.get()
    assert run.checksum in page.text
    address = reverse("export_download", args=[run.pk])
    whole = manager.get(address)
    data = b"".join(whole.streaming_content)
    assert data == read_blob(run.checksum) and int(whole["Content-Length"]) == len(data) == run.size
    assert f'filename="{project.slug}-release-1-inkbench.zip"' in whole["Content-Disposition"]
    assert Exposure.objects.filter(user=project.created_by, saw="gold").count() == 3
    rest = manager.get(address, headers={"Range": f"bytes={len(data) // 2}-", "If-Range": whole["ETag"]})
    assert rest.status_code == 206
    assert data[: len(data) // 2] + b"".join(rest.streaming_content) == data
    last = manager.get(address, headers={"Range": "bytes=-10"})
    assert b"".join(last.streaming_content) == data[-10:]
    assert last["Content-Range"] == f"bytes {len(data) - 10}-{len(data) - 1}/{len(data)}"
    assert manager.get(address, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    changed = manager.get(address, headers={"Range": "bytes=5-", "If-Range": '"another"'})
    assert changed.status_code == 200


def test_export_when_the_format_does_not_exist_then_told_and_nothing_is_queued(manager, release):
    page = manager.post(reverse("export_new", args=[release.pk]), {"format": "xlsx"}, follow=True)
    assert "Choose one of the formats" in page.text and not ExportRun.objects.exists()


def test_export_when_removed_then_the_release_stays(manager, release):
    manager.post(reverse("export_new", args=[release.pk]), {"format": "omnidocbench"})
    run = ExportRun.objects.get()
    manager.post(reverse("export_action", args=[run.pk, "remove"]))
    assert not ExportRun.objects.exists() and Release.objects.filter(pk=release.pk).exists()
    assert manager.get(reverse("export", args=[run.pk])).status_code == 404


def test_upload_when_some_lines_are_bad_then_the_rest_is_scored_and_the_report_names_them(manager, release):
    first = release.items.first().sample_id
    page = manager.post(
        reverse("predictions_upload", args=[release.pk]),
        {
            "system": "scribe",
            "kind": "model",
            "files": [file("a.jsonl", {"id": first, "text": "SECRETGOLD"}, {"id": "zzz", "text": ""})],
        },
        follow=True,
    )
    assert "a.jsonl, line 2: The release has no sample zzz." in page.text
    run = ScoreRun.objects.get()
    assert run.coverage == pytest.approx(1 / 3) and run.n_missing == 2


def test_upload_when_nothing_fits_then_the_page_and_the_script_are_told_why(manager, release):
    address = reverse("predictions_upload", args=[release.pk])
    data = {"system": "scribe", "kind": "model"}
    page = manager.post(address, data | {"files": [file("a.jsonl", {"id": "zzz", "text": ""})]})
    assert "Nothing was imported" in page.text and "no sample zzz" in page.text
    answer = manager.post(
        address,
        data | {"files": [file("a.jsonl", {"id": "zzz", "text": ""})]},
        headers={"X-Requested-With": "XMLHttpRequest"},
    )
    assert answer.status_code == 400 and any("zzz" in words for words in answer.json()["errors"])
    assert "Choose at least one file" in manager.post(address, data).text
    assert not PredictionSet.objects.exists()


def test_upload_when_the_system_is_known_as_people_then_it_cannot_become_a_model(manager, release):
    system = make_answers(release, {"other": "x"}).system
    system.kind = "human"
    system.save()
    page = manager.post(
        reverse("predictions_upload", args=[release.pk]),
        {"system": "scribe", "kind": "model", "files": [file("a.jsonl", {"id": "z", "text": ""})]},
    )
    assert "Choose that type, or another name" in page.text


def test_prediction_set_when_removed_then_the_system_stays_and_is_named_on_the_leaderboard(manager, release):
    run = scored(release, {"other": "other"})
    manager.post(reverse("prediction_set_action", args=[run.prediction_set_id, "remove"]))
    page = manager.get(reverse("leaderboard", args=[release.pk]))
    assert "scribe" in page.text and not PredictionSet.objects.exists()


def test_score_run_then_the_worst_comes_first_and_filters_stay_in_the_links(manager, release):
    run = scored(release, {"SECRETGOLD": "SECRETGOLD", "other": "othxx"})
    page = manager.get(reverse("score_run", args=[run.pk]))
    assert [row.item.record["text"] for row in page.context["rows"]] == ["third", "other", "SECRETGOLD"]
    assert "SECRETGOLD" not in page.text
    missing = manager.get(reverse("score_run", args=[run.pk]), {"status": "missing"})
    assert [row.item.record["text"] for row in missing.context["rows"]] == ["third"]
    by_number = manager.get(reverse("score_run", args=[run.pk]), {"by": "number", "metric": "cer"})
    assert [row.item.number for row in by_number.context["rows"]] == [1, 2, 3]
    assert "?metric=cer&amp;by=number" in by_number.text


def test_item_score_then_both_texts_figures_and_neighbours_are_shown_and_the_sight_is_noted(
    manager, project, release
):
    run = scored(release, {"SECRETGOLD": "SECRETGALD", "other": "othxx"})
    item = release.items.get(number=2)
    page = manager.get(reverse("item_score", args=[run.pk, item.sample_id]))
    assert "othxx" in page.text and ">other</pre>" in page.text and "40.00" in page.text
    assert "2 of 3" in page.text
    seen = Exposure.objects.get(user=project.created_by)
    assert (seen.image_hash, seen.saw) == (item.pixel_hash, "gold")
    failed = manager.get(reverse("item_score", args=[run.pk, release.items.get(number=3).sample_id]))
    assert "no prediction for this sample" in failed.text
    assert manager.get(reverse("item_score", args=[run.pk, "0" * 32])).status_code == 404


def test_item_score_when_texts_hold_markup_then_it_is_shown_as_text(manager, project):
    release = make_gold_release(project.team, [make_gold("<script>alert(1)</script>")])
    run = scored(release, {"<script>alert(1)</script>": "</pre><img src=x>"})
    page = manager.get(reverse("item_score", args=[run.pk, release.items.get().sample_id]))
    assert "<script>alert" not in page.text and "<img src=x>" not in page.text


def test_score_run_page_then_the_queries_do_not_grow_with_the_samples(
    manager, project, django_assert_max_num_queries
):
    release = make_gold_release(project.team, [make_gold(f"text {n}") for n in range(30)])
    run = scored(release, {"text 1": "text 1"})
    with django_assert_max_num_queries(14):
        manager.get(reverse("score_run", args=[run.pk]))


def test_model_run_when_started_from_the_page_then_a_built_in_recogniser_is_offered(manager, release):
    page = manager.get(reverse("model_run_new", args=[release.pk]))
    assert page.status_code == 200 and "PP-OCR" in page.text
    assert "Choose a recogniser." in manager.post(reverse("model_run_new", args=[release.pk]), {}).text


def test_release_import_when_an_export_comes_in_then_it_is_the_next_release(manager, project, release):
    manager.post(reverse("export_new", args=[release.pk]), {"format": "inkbench"})
    data = io.BytesIO(read_blob(ExportRun.objects.get().checksum))
    data.name = "release.zip"
    other = make_project(manager=project.created_by)
    page = manager.post(reverse("release_import", args=[other.slug]), {"file": data}, follow=True)
    assert "Imported as release" in page.text
    assert Release.objects.get(team=other.team).checksum == release.checksum
    bad = io.BytesIO(b"nothing")
    bad.name = "release.zip"
    assert (
        "Nothing was imported"
        in manager.post(reverse("release_import", args=[other.slug]), {"file": bad}).text
    )
