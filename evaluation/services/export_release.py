"""Export a release into one archive, as a job."""

from __future__ import annotations

import tempfile
from collections.abc import Callable

from django.conf import settings
from django.core.files import File
from django.db import transaction

from config.accounts.models import User
from config.blobs import drop_blob, has_blob, put_file
from config.jobs.queue import enqueue
from config.jobs.services import Claim
from evaluation.exports.inkbench import write_inkbench
from evaluation.exports.omnidocbench import write_omnidocbench
from evaluation.exports.reproducible_zip import ReproducibleZip
from evaluation.models import ExportFormat, ExportRun, Release

Writer = Callable[[Release, ReproducibleZip, Callable[[int], None]], None]
WRITERS: dict[str, Writer] = {
    ExportFormat.INKBENCH.value: write_inkbench,
    ExportFormat.OMNIDOCBENCH.value: write_omnidocbench,
}
_EVERY = 20  # samples between two signs of life


def request_export(*, release: Release, format: ExportFormat, by: User) -> ExportRun:
    """Queue an export; the row is the answer, however long the work takes."""
    with transaction.atomic():
        run = ExportRun.objects.create(
            release=release, format=format, created_by=by, progress_total=release.count
        )
        enqueue(run)
    return run


def run_export(run: ExportRun, *, claim: Claim) -> None:
    """Write the archive aside and keep it by its content, so that a half-written one is never to be had.

    Equal releases give equal bytes: a run that was killed starts again and arrives at the same file. Raises
    MissingImage.
    """

    def tick(done: int) -> None:
        if done % _EVERY == 0:
            claim.heartbeat(done=done, total=run.release.count)

    claim.heartbeat(done=0, total=run.release.count)
    with tempfile.NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, suffix=".zip") as file:
        with ReproducibleZip(file.file) as archive:
            WRITERS[run.format](run.release, archive, tick)
        claim.heartbeat(done=run.release.count, total=run.release.count)
        checksum, size = put_file(File(file.file))
        with transaction.atomic():
            _lock(run)
            if not has_blob(checksum):  # an equal export was removed since
                put_file(File(file.file))
            ExportRun.objects.filter(pk=run.pk, worker=claim.token).update(checksum=checksum, size=size)


def _lock(run: ExportRun) -> None:
    """Let nobody else keep or remove an archive of this release until the transaction ends."""
    Release.objects.select_for_update().get(pk=run.release_id)


def delete_export(run: ExportRun) -> None:
    """Remove an export, and its archive unless another export is the same one."""
    checksum = run.checksum
    with transaction.atomic():
        _lock(run)
        run.delete()
        if checksum and not ExportRun.objects.filter(checksum=checksum).exists():
            drop_blob(checksum)  # under the lock: an equal export that ends now looks for it afterwards
