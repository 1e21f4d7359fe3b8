from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import DuplicatePair, ImportRun, Project, Sample
from annotation.models.sample import DuplicateDecision
from annotation.stages import Intake
from config.accounts.models import Role
from config.jobs.models import JobState
from tests.annotation.images.images import draw_page, encode
from tests.annotation.imports import do_import, fill
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db


def page(seed: int = 1, kind: str = "PNG") -> bytes:
    return encode(draw_page(seed, size=(300, 240)), kind)


def upload(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def signed_in(project: Project) -> Client:
    client = Client()
    client.force_login(project.created_by)
    return client


def post(client: Client, project: Project, files: list[SimpleUploadedFile], **fields: Any) -> Any:
    data = {"language": "en", "structure": "text", "source": "offline", "files": files, **fields}
    headers = {"X-Requested-With": "XMLHttpRequest"} if "more" in fields or "run" in fields else {}
    return client.post(reverse("project_import", args=[project.slug]), data, headers=headers)


def test_project_import_when_form_is_sent_without_scripts_then_run_starts(
    django_capture_on_commit_callbacks,
) -> None:
    project = make_project()
    with django_capture_on_commit_callbacks(execute=True):
        answer = post(signed_in(project), project, [upload("a.png", page(1)), upload("b.png", b"")])
    run = ImportRun.objects.get(project=project)
    assert (answer.status_code, answer["Location"]) == (302, reverse("import_run", args=[run.pk]))
    assert run.state == JobState.DONE
    assert Sample.objects.get(project=project).original_name == "a.png"


def test_project_import_when_sent_in_batches_then_one_run_with_the_folders_kept() -> None:
    project = make_project()
    client = signed_in(project)
    first = post(client, project, [upload("a.png", page(1))], paths=["box/a.png"], more="1")
    run = ImportRun.objects.get(pk=first.json()["run"])
    assert run.is_receiving
    second = post(client, project, [upload("a.png", page(2))], paths=["other/a.png"], run=run.pk)
    assert second.status_code == 302
    run.refresh_from_db()
    assert not run.is_receiving
    assert list(run.files.values_list("name", flat=True)) == ["box/a.png", "other/a.png"]
    late = post(client, project, [upload("c.png", page(3))], run=run.pk)
    assert late.status_code == 422 and "already started" in late.json()["errors"][0]


def test_project_import_when_run_is_another_persons_then_404() -> None:
    project = make_project()
    other = make_member(project, Role.MANAGER)
    run = fill(project, {"a.png": page(1)})
    client = Client()
    client.force_login(other)
    assert post(client, project, [upload("b.png", page(2))], run=run.pk).status_code == 404


@pytest.mark.parametrize("fields", [{"language": "tlh"}, {"scenario": "moon"}, {"files": []}])
def test_project_import_when_form_is_bad_then_said_where_and_nothing_made(fields: dict[str, Any]) -> None:
    project = make_project()
    files = fields.pop("files", [upload("a.png", page(1))])
    answer = post(signed_in(project), project, files, **fields)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode() or "errorlist" in answer.content.decode()
    assert not ImportRun.objects.exists()


@pytest.mark.parametrize("who", ["stranger", "annotator"])
def test_intake_pages_when_not_a_manager_then_404(who: str) -> None:
    project = make_project()
    run = do_import(project, {"a.png": page(1), "b.jpg": page(1)})
    pair = DuplicatePair.objects.get()
    client = Client()
    client.force_login(make_user() if who == "stranger" else make_member(project, Role.ANNOTATOR))
    for name, args in (
        ("project_import", [project.slug]),
        ("import_run", [run.pk]),
        ("project_duplicates", [project.slug]),
        ("duplicate_pair", [pair.pk]),
    ):
        assert client.get(reverse(name, args=args)).status_code == 404
    for name in ("import_cancel", "import_again"):
        assert client.post(reverse(name, args=[run.pk])).status_code == 404
    assert client.post(reverse("duplicate_undo", args=[pair.pk])).status_code == 404


def test_import_run_when_over_then_report_groups_files_with_their_mend_and_polling_stops() -> None:
    project = make_project()
    run = do_import(project, {"good.png": page(1), "bad.png": b"<svg/>", "worse.png": b"<svg x='1'/>"})
    body = signed_in(project).get(reverse("import_run", args=[run.pk])).content.decode()
    assert "Export it as PNG and import the PNG." in body
    assert body.count("The content is an SVG drawing") == 2
    assert "hx-trigger" not in body
    assert "Pages: 3 of 3" in body


def test_import_run_when_waiting_then_only_the_live_part_is_asked_for_again() -> None:
    project = make_project()
    run = fill(project, {"a.png": page(1)})
    ImportRun.objects.filter(pk=run.pk).update(is_receiving=False)
    client, address = signed_in(project), reverse("import_run", args=[run.pk])
    assert 'hx-trigger="every 2s"' in client.get(address).content.decode()
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert re.match(r'\s*<div\s+id="live"', part) and "<html" not in part


def test_import_cancel_then_again_when_pressed_then_the_rest_is_done(
    django_capture_on_commit_callbacks,
) -> None:
    project = make_project()
    run = fill(project, {"a.png": page(1)})
    client = signed_in(project)
    client.post(reverse("import_cancel", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == JobState.CANCELLED
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("import_again", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == JobState.DONE
    assert Sample.objects.filter(project=project).count() == 1


def test_duplicate_pair_when_decided_then_next_and_undo_brings_it_back() -> None:
    project = make_project()
    do_import(project, {"a.png": page(1), "b.jpg": page(1), "c.png": page(1, "TIFF")})
    client = signed_in(project)
    pair = DuplicatePair.objects.get(first__number=1, second__number=3)
    address = reverse("duplicate_pair", args=[pair.pk])
    shown = client.get(address).content.decode()
    assert shown.count("<ink-viewer") == 2
    answer = client.post(address, {"decision": "keep_first"})
    pair.refresh_from_db()
    assert pair.decision == DuplicateDecision.KEEP_FIRST and pair.decided_by == project.created_by
    following = DuplicatePair.objects.get(first__number=1, second__number=2)
    assert answer["Location"] == reverse("duplicate_pair", args=[following.pk])
    client.post(reverse("duplicate_undo", args=[pair.pk]))
    pair.refresh_from_db()
    assert pair.decision == DuplicateDecision.PENDING
    assert pair.second.intake == Intake.DUPLICATE


def test_duplicate_pair_when_no_choice_is_made_then_said_so() -> None:
    project = make_project()
    do_import(project, {"a.png": page(1), "b.jpg": page(1)})
    pair = DuplicatePair.objects.get()
    answer = signed_in(project).post(reverse("duplicate_pair", args=[pair.pk]), {})
    assert answer.status_code == 422 and "Choose which page to keep." in answer.content.decode()


def test_project_duplicates_when_nothing_waits_then_says_what_will() -> None:
    project = make_project()
    client = signed_in(project)
    assert (
        "No duplicates to decide"
        in client.get(reverse("project_duplicates", args=[project.slug])).content.decode()
    )
    settled = client.get(reverse("project_duplicates", args=[project.slug]), {"settled": 1}).content.decode()
    assert "No decisions yet" in settled
