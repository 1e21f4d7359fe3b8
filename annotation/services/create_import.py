"""Open an import, receive its files and manifests, and start it.

Nothing is decoded here: the job does that (`run_import`). Bytes go to the blob store unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.utils.translation import gettext_noop

from annotation.manifest import MANIFEST_NAME, Allowed, Entry, read_fields, read_manifest, twice
from annotation.models import ImportFile, ImportRun, Project
from annotation.models.sample import ImportOutcome
from config.accounts.models import User
from config.blobs import put_file
from config.errors import ApplicationError
from config.jobs.queue import enqueue
from evaluation.files.archives import is_junk
from evaluation.files.errors import BadFile, FileProblem
from evaluation.files.limits import FileLimits
from evaluation.import_messages import explain_fault

NAME_LENGTH = 500
_MAX_LINES = 20  # numbers of manifest lines in one message


class BadDefaults(ApplicationError):
    """A default for all files of an import is not allowed in the project; `faults` say which and why."""

    status, kind = 422, "invalid"

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(str(faults))
        self.faults = faults

    def message(self, translate: Callable[[str], Any] = str) -> str:
        return explain_fault(self.faults[0])

    def fields(self, translate: Callable[[str], Any] = str) -> dict[str, list[str]]:
        return {fault["field"]: [explain_fault(fault)] for fault in self.faults}


class RunStarted(ApplicationError):
    """The import has started and takes no more files."""

    kind = "started"
    msgid = gettext_noop("This import has already started. Import the remaining files separately.")


def import_limits() -> FileLimits:
    """The limits of archives and files from the settings."""
    return FileLimits(**settings.IMPORT_LIMITS)


def allowed_in(project: Project) -> Allowed:
    """The values that a manifest may use in this project."""
    return Allowed(languages=project.languages, scenarios=project.scenarios)


def open_import(
    *, project: Project, by: User, origin: str, defaults: Mapping[str, Any] | None = None
) -> ImportRun:
    """Create a run that waits for files. `defaults` are sample fields for pages that no manifest lists.

    Raises BadDefaults.
    """
    fields, faults = read_fields(defaults or {}, allowed=allowed_in(project))
    if faults:
        raise BadDefaults(faults)
    return ImportRun.objects.create(
        project=project, created_by=by, origin=origin, defaults=fields, is_receiving=True
    )


def start_import(*, run: ImportRun) -> None:
    """Queue the import once all files are received. Starting twice changes nothing."""
    if ImportRun.objects.filter(pk=run.pk, is_receiving=True).update(is_receiving=False):
        enqueue(run)


def receive_file(*, run: ImportRun, name: str, file: File[bytes]) -> ImportFile | None:
    """Store one file of a run. Returns None for files that only file managers need. Raises RunStarted.

    `name` may include folders. A name that exists already gets a number. A file that cannot be imported is stored as a
    row that says why.
    """
    name = clean_name(name)
    if is_junk(name):
        return None
    if not ImportRun.objects.filter(pk=run.pk, is_receiving=True).exists():
        raise RunStarted
    if PurePosixPath(name).name == MANIFEST_NAME:
        return _receive_manifest(run, name, file)
    problem = _refusal(file)
    if problem:
        return _add_row(run, name, size=file.size, **failed(problem))
    blob, size = put_file(file)
    return _add_row(run, name, blob=blob, size=size)


def failed(fault: BadFile) -> dict[str, Any]:
    """The columns of a file that failed with `fault`."""
    return {"outcome": ImportOutcome.FAILED, "problem": fault.problem.value, "facts": fault.facts}


def clean_name(name: str) -> str:
    """A file name that can be stored and shown: no control characters, forward slashes, at most `NAME_LENGTH` long."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in name.replace("\\", "/"))
    return shown.lstrip("/")[-NAME_LENGTH:] or "\ufffd"


def add_manifest(*, run: ImportRun, text: str, folder: str = "", name: str = "") -> list[Entry]:
    """Store a manifest's entries for the files under `folder`. Returns the entries that have faults.

    Files whose line has faults are not imported, since their fields would be wrong or missing; nor are pages that
    another manifest of the run lists as well. `name` distinguishes the manifests.
    """
    entries = read_manifest(text, allowed=allowed_in(run.project))
    kept = {
        f"{folder}{entry.key}": {
            "line": entry.line,
            "manifest": name,
            "fields": entry.fields,
            "faults": list(entry.faults),
        }
        for entry in reversed(entries)
        if entry.file
    }
    with transaction.atomic():
        locked = ImportRun.objects.select_for_update().get(pk=run.pk)
        for key in locked.manifest.keys() & kept.keys():
            kept[key] |= {"fields": {}, "faults": [named_twice(locked.manifest[key], kept[key])]}
        locked.manifest |= kept
        locked.save(update_fields=["manifest"])
    run.manifest = locked.manifest
    return [entry for entry in entries if entry.faults]


def named_twice(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The fault of two stored manifest lines about one page."""
    return twice(*(_line_of(entry) for entry in (first, second)))


def _line_of(entry: Mapping[str, Any]) -> str:
    line, manifest = str(entry["line"]), entry.get("manifest")
    return f"{line} ({manifest})" if manifest else line


def bad_line(line: int | str, fault: Mapping[str, Any]) -> BadFile:
    return BadFile(FileProblem.BAD_LINE, line=line, field=fault["field"], fault=dict(fault))


def read_manifest_text(data: bytes) -> str:
    """The text of a manifest file. Bytes that are not UTF-8 become replacement characters, so that their line is
    reported.
    """
    return data.decode("utf-8", errors="replace")


def _receive_manifest(run: ImportRun, name: str, file: File[bytes]) -> ImportFile:
    row = _add_row(run, name, size=file.size, outcome=ImportOutcome.READ)
    file.seek(0)
    keep_manifest(row=row, data=file.read())
    return row


def keep_manifest(*, row: ImportFile, data: bytes) -> None:
    """Store a manifest received as a file. Lines without a file name are reported on the manifest's own row."""
    folder = row.name.removesuffix(PurePosixPath(row.name).name)
    faulty = add_manifest(run=row.run, text=read_manifest_text(data), folder=folder, name=row.name)
    nameless = [entry for entry in faulty if not entry.file]
    if nameless:
        fault = _fault_of_nameless(nameless)
        row.problem, row.facts = fault.problem.value, fault.facts
        row.outcome = ImportOutcome.PARTLY
    else:
        row.outcome = ImportOutcome.READ
    row.save(update_fields=["problem", "facts", "outcome"])


def _fault_of_nameless(entries: Sequence[Entry]) -> BadFile:
    """The fault of a single line, or the numbers of several, since no row of the report could list them."""
    if len(entries) == 1:
        return bad_line(entries[0].line, entries[0].faults[0])
    lines = ", ".join(str(entry.line) for entry in entries[:_MAX_LINES])
    if len(entries) > _MAX_LINES:
        lines += f", … ({len(entries)})"
    return bad_line(lines, {"field": "file", "kind": "nameless"})


def _refusal(file: File[bytes]) -> BadFile | None:
    limit = settings.IMPORT_LIMITS["file_bytes"]
    if not file.size:
        return BadFile(FileProblem.EMPTY)
    return BadFile(FileProblem.TOO_LARGE, bytes=file.size, limit=limit) if file.size > limit else None


def _add_row(run: ImportRun, name: str, **columns: Any) -> ImportFile:
    """Create the row of a file. A second file of the same name gets a number before its extension."""
    path = PurePosixPath(name)
    with transaction.atomic():
        ImportRun.objects.select_for_update().get(pk=run.pk)
        count = 1
        while run.files.filter(name=name).exists():
            count += 1
            name = str(path.with_name(f"{path.stem} ({count}){path.suffix}"))
        return ImportFile.objects.create(run=run, name=name, **columns)
