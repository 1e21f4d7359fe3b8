"""Files that come in as an import, all at once and to the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.files.base import ContentFile

from annotation.models import ImportRun, Project
from annotation.services.create_import import add_manifest, open_import, receive_file
from config.jobs.services import claim_job, run_claimed
from tests.annotation.images.images import draw_page, encode


def page(seed: int = 1, kind: str = "PNG", **options: Any) -> bytes:
    return encode(draw_page(seed, size=(300, 240)), kind, **options)


def fill(
    project: Project,
    files: Mapping[str, bytes],
    *,
    manifest: str = "",
    defaults: dict[str, Any] | None = None,
) -> ImportRun:
    run = open_import(
        project=project,
        by=project.created_by,
        origin="browser",
        defaults={"language": "en"} if defaults is None else defaults,
    )
    if manifest:
        add_manifest(run=run, text=manifest)
    for name, data in files.items():
        receive_file(run=run, name=name, file=ContentFile(data, name="x"))
    return run


def do_import(project: Project, files: Mapping[str, bytes], **options: Any) -> ImportRun:
    run = fill(project, files, **options)
    ImportRun.objects.filter(pk=run.pk).update(is_receiving=False)
    claim = claim_job(ImportRun, run.pk)
    assert claim is not None
    run_claimed(claim)
    run.refresh_from_db()
    return run
