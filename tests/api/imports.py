"""Files handed to an import by a program."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tests.api.assignments import API
from tests.factories import page_png


def upload(client: APIClient, *names: str, **fields: object) -> object:
    files = [SimpleUploadedFile(name, page_png(name)) for name in names]
    return client.post(f"{API}/projects/letters/imports/", {"files": files, **fields}, format="multipart")
