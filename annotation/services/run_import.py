"""The import job: unpack archives, inspect files, process pages, create samples. A killed run resumes where it was.

A file is done when its outcome is no longer PENDING, a page when its sample exists. So a second worker repeats at most
the pages in progress, and their files are named by content.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Greatest

from annotation.images.decode import inspect_file
from annotation.images.page import PageForms, PageTask
from annotation.images.sniff import Format, is_named_for, sniff
from annotation.manifest import MANIFEST_NAME, page_key
from annotation.models import ImportFile, ImportRun, Sample
from annotation.models.sample import ImportOutcome
from annotation.selectors.imports import is_page_imported, was_page_imported_before
from annotation.services.create_import import (
    bad_line,
    clean_name,
    failed,
    import_limits,
    keep_manifest,
    named_twice,
)
from annotation.services.create_sample import create_sample
from annotation.services.decode_pages import DecodePool, decode_in_order
from annotation.services.preannotate_sample import request_suggestions
from config.blobs import blob_path, has_blob, open_blob, put_blob
from config.jobs.services import Claim
from config.storage import remove_abandoned_parts, remove_abandoned_uploads
from evaluation.files.archives import Archive, open_archive
from evaluation.files.errors import BadFile, FileProblem

_FEW_PAGES = 4  # not worth starting processes
_BATCH = 50


@dataclass(slots=True)
class _Progress:
    """The progress of one file: `fault` of the first page that failed; `open` keeps open what its tasks read."""

    file: ImportFile
    imported: int = 0
    already: int = 0
    fault: BadFile | None = None
    open: ExitStack = field(default_factory=ExitStack)


@dataclass(frozen=True, slots=True)
class _Page:
    """One page in progress, or with `number` 0 the end of its file."""

    progress: _Progress
    number: int = 0
    fields: dict[str, Any] = field(default_factory=dict)


def run_import(run: ImportRun, *, claim: Claim) -> None:
    """Work through the files of a run. Raises LeaseLost and Cancelled between pages."""
    remove_abandoned_parts()
    remove_abandoned_uploads()
    _unpack_archives(run, claim)
    total = _count_pages(run)
    done = total - _count_pages(run, outcome=ImportOutcome.PENDING) + _count_samples_of_open_files(run)
    processes = settings.IMPORT_PROCESSES if total - done > _FEW_PAGES else 1
    try:
        _process(run, claim, processes, done, total)
    finally:  # also for the samples of a cancelled run
        request_suggestions(project=run.project, samples=Sample.objects.filter(import_file__run=run))
    _report_absent_files(run)


def _process(run: ImportRun, claim: Claim, processes: int, done: int, total: int) -> None:
    with DecodePool(processes) as pool, _Archives(run) as archives:
        for page, result in decode_in_order(_pages(run, archives), pool):
            progress = page.progress
            if page.number == 0:
                _close(progress)
                continue
            if isinstance(result, BadFile):
                progress.fault = progress.fault or result
            elif result is not None:
                try:
                    _save(page, result, claim)
                except BadFile as fault:  # ground truth that does not fit the page
                    progress.fault = progress.fault or fault
            done += 1
            total = max(total, done)
            claim.heartbeat(done=done, total=total)


def _unpack_archives(run: ImportRun, claim: Claim) -> None:
    """Create the rows of all members of each archive; only manifests are read yet."""
    for file in run.files.filter(outcome=ImportOutcome.PENDING, parent=None):
        if not has_blob(file.blob):
            continue
        with open_blob(file.blob) as data:
            try:
                if sniff(data.read(1024)) is not Format.ZIP:
                    continue
            except BadFile:
                continue
            data.seek(0)
            try:
                with open_archive(data, limits=import_limits()) as archive:
                    _add_members(file, archive)
            except BadFile as fault:
                _finish(file, **failed(fault))
        claim.heartbeat()


def _add_members(file: ImportFile, archive: Archive) -> None:
    rows: list[ImportFile] = []
    taken = set(file.run.files.values_list("name", flat=True))
    manifests: list[tuple[str, int]] = []
    for member in archive.members():
        name = _free_name(clean_name(f"{file.name}/{member.name}"), taken)
        row = ImportFile(run=file.run, parent=file, position=member.position, name=name, size=member.size)
        fault = member.problem or (BadFile(FileProblem.EMPTY) if member.size == 0 else None)
        if fault:
            row.outcome, row.problem, row.facts = ImportOutcome.FAILED, fault.problem.value, fault.facts
        elif PurePosixPath(name).name == MANIFEST_NAME:
            manifests.append((name, member.position))
        rows.append(row)
    with transaction.atomic():
        ImportFile.objects.bulk_create(rows, batch_size=500)
        for name, position in manifests:
            keep_manifest(row=file.run.files.get(name=name), data=archive.read(position))
        _finish(file, outcome=ImportOutcome.READ, facts={"members": len(rows)})


def _free_name(name: str, taken: set[str]) -> str:
    path, count, free = PurePosixPath(name), 1, name
    while free in taken:
        count += 1
        free = str(path.with_name(f"{path.stem} ({count}){path.suffix}"))
    taken.add(free)
    return free


class _Archives:
    """Keeps the archive open that members are read from, while they come in its order."""

    def __init__(self, run: ImportRun) -> None:
        self._run = run
        self._stack = ExitStack()
        self._open: tuple[int, Archive] | None = None

    def __enter__(self) -> _Archives:
        return self

    def __exit__(self, *details: object) -> None:
        self._stack.close()

    def fetch(self, file: ImportFile) -> None:
        """Store an archive's member as a blob of its own. Raises BadFile."""
        if file.parent is None or file.blob:
            return
        file.blob = put_blob(self._archive(file.parent).read(file.position))
        file.save(update_fields=["blob"])

    def _archive(self, parent: ImportFile) -> Archive:
        if self._open is None or self._open[0] != parent.pk:
            self._stack.close()
            data = self._stack.enter_context(open_blob(parent.blob))
            archive = self._stack.enter_context(open_archive(data, limits=import_limits()))
            self._open = parent.pk, archive
        return self._open[1]


def _pages(run: ImportRun, archives: _Archives) -> Iterator[tuple[_Page, PageTask | None]]:
    """The remaining pages, each with its task, in the order of the files; after each file, its end."""
    last = 0
    while files := list(
        run.files.filter(outcome=ImportOutcome.PENDING, pk__gt=last)
        .select_related("parent")
        .order_by("pk")[:_BATCH]
    ):
        for file in files:
            last = file.pk
            file.run = run
            progress = _Progress(file)
            try:
                yield from _pages_of(progress, archives)
            except BadFile as fault:
                progress.fault = fault
                yield _Page(progress, number=file.pages + 1), None
            yield _Page(progress), None


def _pages_of(progress: _Progress, archives: _Archives) -> Iterator[tuple[_Page, PageTask | None]]:
    file, run = progress.file, progress.file.run
    archives.fetch(file)
    if not has_blob(file.blob):
        raise BadFile(FileProblem.MISSING_BYTES)
    path = progress.open.enter_context(blob_path(file.blob))
    contents = inspect_file(path, limits=import_limits())
    if contents.format is Format.ZIP:  # a member that is an archive whatever its name
        raise BadFile(FileProblem.NESTED_ARCHIVE)
    if not is_named_for(file.name, contents.format):
        file.problem, file.facts = FileProblem.WRONG_EXTENSION.value, {"format": contents.format.upper()}
    file.pages = len(contents.frames)
    file.save(update_fields=["pages", "problem", "facts"])
    for number, frame in enumerate(contents.frames, start=1):
        if is_page_imported(file, number):
            progress.imported += 1
        elif was_page_imported_before(file, number):
            progress.already += 1
            yield _Page(progress, number), None
        else:
            try:
                fields = _fields_for(run, file, number)
            except BadFile as fault:
                progress.fault = progress.fault or fault
                yield _Page(progress, number), None
                continue
            task = PageTask(
                path=str(path),
                format=contents.format,
                frame=frame,
                cap_bytes=run.project.image_cap_bytes,
                max_side=run.project.image_max_side,
                limits=import_limits(),
            )
            yield _Page(progress, number, fields), task


def _fields_for(run: ImportRun, file: ImportFile, number: int) -> dict[str, Any]:
    """The fields of one page from the run's defaults and the manifest, whose line for the page wins. Raises BadFile."""
    names = [file.name]
    if file.parent is not None:  # a manifest beside the archive may name members as the archive does
        names.append(file.name.removeprefix(f"{file.parent.name}/"))
    fields = dict(run.defaults)
    for page_number in (None, number):
        entries = [entry for name in names if (entry := run.manifest.get(page_key(name, page_number)))]
        if len(entries) > 1:  # a manifest in the archive and one beside it
            raise bad_line(entries[0]["line"], named_twice(*entries))
        for entry in entries:
            if entry["faults"]:
                raise bad_line(entry["line"], entry["faults"][0])
            fields |= entry["fields"]
    if not fields.get("language"):
        raise BadFile(FileProblem.NO_LANGUAGE)
    return fields


def _save(page: _Page, forms: PageForms, claim: Claim) -> None:
    file = page.progress.file
    sample = create_sample(file=file, page_number=page.number, forms=forms, fields=page.fields, claim=claim)
    if sample is None and not is_page_imported(file, page.number):
        page.progress.already += 1
        return
    page.progress.imported += 1
    if page.progress.imported == 1:
        # `attempts` counts workers that died without progress.
        ImportRun.objects.filter(pk=file.run_id).update(attempts=1)


def _close(progress: _Progress) -> None:
    """Store the outcome of a file."""
    progress.open.close()
    file, fault = progress.file, progress.fault
    if fault is None:
        outcome = (
            ImportOutcome.IMPORTED if progress.imported or not progress.already else ImportOutcome.ALREADY
        )
        _finish(file, outcome=outcome, problem=file.problem, facts=file.facts)
    elif progress.imported or progress.already:
        _finish(file, **(failed(fault) | {"outcome": ImportOutcome.PARTLY}))
    else:
        _finish(file, **failed(fault))


def _finish(file: ImportFile, **columns: Any) -> None:
    ImportFile.objects.filter(pk=file.pk).update(**columns)


def _report_absent_files(run: ImportRun) -> None:
    """Add a failed row for each manifest line whose file was not received."""
    run.refresh_from_db(fields=["manifest"])
    names = set(run.files.values_list("name", flat=True))
    names |= {
        name.removeprefix(f"{parent}/")
        for name, parent in run.files.exclude(parent=None).values_list("name", "parent__name")
    }
    absent = {
        key.split("#page=")[0]: entry["line"]
        for key, entry in run.manifest.items()
        if key not in names and key.split("#page=")[0] not in names
    }
    ImportFile.objects.bulk_create(
        [
            ImportFile(
                run=run, name=clean_name(name), size=0, **failed(BadFile(FileProblem.NO_SUCH_FILE, line=line))
            )
            for name, line in absent.items()
        ],
        ignore_conflicts=True,
    )


def _count_pages(run: ImportRun, **only: Any) -> int:
    """The number of pages of a run's files; a file that was not inspected yet counts as one."""
    rows = run.files.exclude(outcome=ImportOutcome.READ).filter(**only)
    return rows.aggregate(pages=Sum(Greatest("pages", 1)))["pages"] or 0


def _count_samples_of_open_files(run: ImportRun) -> int:
    return Sample.objects.filter(import_file__run=run, import_file__outcome=ImportOutcome.PENDING).count()
