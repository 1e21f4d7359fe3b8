"""Files reach the disk only for views that take them, and only from people who manage a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import ImportFile
from config.uploads import _takes_files
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db
TAKING = {
    "project_import",
    "release_import",
    "predictions_upload",
    "study_new",
    "ImportListView",
    "ImportFilesView",
    "PredictionSetListView",
}


def _views(resolver: URLResolver) -> set[Any]:
    views: set[Any] = set()
    for entry in resolver.url_patterns:
        views |= {entry.callback} if isinstance(entry, URLPattern) else _views(entry)
    return views


def test_views_when_all_are_walked_then_these_take_files_and_no_other() -> None:
    assert {
        getattr(view, "cls", view).__name__ for view in _views(get_resolver()) if _takes_files(view)
    } == TAKING


@pytest.fixture
def _no_folder(settings: Any, tmp_path: Path) -> None:
    """Writing a file would fail: the folder is not there."""
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 0
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "absent")


@pytest.mark.usefixtures("_no_folder")
def test_file_when_its_sender_may_not_upload_or_the_page_takes_none_then_never_written() -> None:
    project = make_project()
    visitor, stranger, manager = (Client(enforce_csrf_checks=True) for _ in range(3))
    for client in (visitor, stranger, manager):
        client.cookies["csrftoken"] = "f" * 32  # so that the check reads the form
    stranger.force_login(make_user("stranger"))
    manager.force_login(project.created_by)
    importing = reverse("project_import", args=[project.slug])
    for client, address in [
        (visitor, reverse("account_login")),
        (visitor, importing),
        (stranger, importing),
        (manager, reverse("preferences")),
    ]:
        response = client.post(address, {"files": SimpleUploadedFile("a.png", b"x" * 100)})
        assert response.status_code == 403
    with pytest.raises(FileNotFoundError):  # the check of this test: here it would have been written
        manager.post(importing, {"files": SimpleUploadedFile("a.png", b"x" * 100)})


def test_file_when_a_manager_imports_it_then_it_arrives(client: Client) -> None:
    project = make_project()
    client.force_login(project.created_by)
    client.post(
        reverse("project_import", args=[project.slug]),
        {
            "files": SimpleUploadedFile("a.png", b"x"),
            "language": "en",
            "structure": "text",
            "source": "offline",
            "more": "1",
        },
    )
    assert ImportFile.objects.get().name == "a.png"
