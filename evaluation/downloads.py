"""Hand out an export's archive, to pages and programs alike."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from config.accounts.models import User
from config.blobs import has_blob, open_blob
from config.downloads import send_file
from config.jobs.models import JobState
from evaluation.models import ExportRun
from evaluation.visibility import note_gold_seen


def send_export(request: HttpRequest, *, user: User, run: ExportRun) -> HttpResponseBase:
    """The archive, whole or from where a broken download stopped. Whoever takes it has the ground truth.

    Raises Http404 while there is none.
    """
    if run.state != JobState.DONE or not has_blob(run.checksum):
        raise Http404
    # A part counts as well: "everything from byte 0 on" is asked for as a part.
    note_gold_seen(user=user, items=run.release.items.only("pixel_hash"), place="export")
    return send_file(
        request,
        open_blob(run.checksum),
        name=f"{run.release.team.slug}-release-{run.release.number}-{run.format}.zip",
        size=run.size,
        etag=run.checksum,
        content_type="application/zip",
    )
