"""Import a file or a folder of page images into a project."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.models import ImportRun, Project, Sample
from annotation.models.sample import ImportOutcome
from annotation.services.create_import import (
    BadDefaults,
    add_manifest,
    open_import,
    read_manifest_text,
    receive_file,
)
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.jobs.models import JobState
from config.jobs.services import claim_job, run_claimed
from evaluation.files.archives import is_junk
from evaluation.import_messages import explain, explain_fault

_SHOWN = 50  # faults of a manifest
_NAMED = 5  # files of one kind of problem


class Command(BaseCommand):
    help = (
        "Import page images (PNG, JPEG, WebP, TIFF, BMP, HEIC, PDF, or zips of these) into a project. "
        "A run that was killed goes on when a worker or `manage.py runjobs` finds it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("path", type=Path, help="a file, or a folder with everything in it")
        parser.add_argument("--manifest", type=Path, help="JSONL: one line for each file, with its fields")
        parser.add_argument("--language", help="of every page for which the manifest gives no other")
        parser.add_argument("--scenario")
        parser.add_argument("--structure", choices=["text", "table", "formula"])
        parser.add_argument("--source", choices=["offline", "internet"])
        parser.add_argument("--user", help="the importing manager; by default the creator of the project")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(
                f"There is no project '{options['project']}'. Its short name is in the address of its page."
            )
        path: Path = options["path"]
        if not path.exists():
            raise CommandError(f"There is nothing at {path}. Give a file or a folder.")
        run = self._open(project, options)
        if options["manifest"]:
            self._read_manifest(run, options["manifest"])
        for name, file in _files_under(path):
            with file.open("rb") as data:
                receive_file(run=run, name=name, file=File(data, name=name))
        self._work(run)
        self._report(run)

    def _open(self, project: Project, options: dict[str, Any]) -> ImportRun:
        names = ("language", "scenario", "structure", "source")
        defaults = {name: options[name] for name in names if options[name]}
        if "language" not in defaults and len(project.languages) == 1:
            defaults["language"] = project.languages[0]
        try:
            return open_import(
                project=project, by=_user(project, options["user"]), origin="command", defaults=defaults
            )
        except BadDefaults as error:
            raise CommandError(
                "\n".join(f"--{fault['field']}: {explain_fault(fault)}" for fault in error.faults)
            ) from None

    def _read_manifest(self, run: ImportRun, path: Path) -> None:
        """Refuse a faulty manifest as a whole, since it can be corrected at once."""
        try:
            text = read_manifest_text(path.read_bytes())
        except OSError as error:
            raise CommandError(f"The manifest {path} cannot be read: {error.strerror}.") from None
        faulty = add_manifest(run=run, text=text, name=path.name)
        if faulty:
            run.delete()
            lines = [
                f"{path.name} line {entry.line}, field '{fault['field']}': {explain_fault(fault)}"
                for entry in faulty
                for fault in entry.faults
            ]
            more = [f"... and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
            raise CommandError("Nothing was imported.\n" + "\n".join([*lines[:_SHOWN], *more]))

    def _work(self, run: ImportRun) -> None:
        ImportRun.objects.filter(pk=run.pk).update(is_receiving=False)
        claim = claim_job(ImportRun, run.pk)
        if claim is None:  # a worker has claimed it
            self.stdout.write(f"A worker is running import {run.pk}.")
            return
        with Progress(
            TextColumn("Import {task.fields[run]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(),
            disable=not self.stdout.isatty(),
        ) as bar:
            task = bar.add_task("", run=run.pk, total=None)
            run_claimed(
                replace(claim, on_progress=lambda done, total: bar.update(task, completed=done, total=total))
            )

    def _report(self, run: ImportRun) -> None:
        run.refresh_from_db()
        samples = Sample.objects.filter(import_file__run=run)
        waiting = samples.filter(intake=Intake.DUPLICATE).count()
        counts = dict(run.files.values_list("outcome").annotate(Count("pk")))
        outcomes = [
            f"{counts[outcome]} {label}" for outcome, label in ImportOutcome.choices if outcome in counts
        ]
        self.stdout.write(
            f"Import {run.pk}: {samples.count()} samples. Files: {', '.join(outcomes) or 'none'}."
        )
        if waiting:
            self.stdout.write(f"{waiting} look like existing pages and wait for a decision.")
        for line in _lines(run):
            self.stdout.write(line)
        if run.state == JobState.FAILED:
            raise CommandError(f"The import stopped; imported samples are kept. {run.error.splitlines()[0]}")


def _files_under(path: Path) -> Iterator[tuple[str, Path]]:
    """(name relative to `path`, file), sorted by name; symbolic links are skipped."""
    if path.is_file():
        yield path.name, path
        return
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if file.is_file() and not file.is_symlink() and not is_junk(name):
            yield name, file


def _user(project: Project, name: str | None) -> User:
    if name is None:
        return project.created_by
    user = User.objects.filter(username=name).first()
    if user is None or not has_role(user, project.team, Role.MANAGER):
        raise CommandError(f"'{name}' is not a manager of this project.")
    return user


def _lines(run: ImportRun) -> Iterator[str]:
    """One line for each message, with its files and what to do."""
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in run.files.exclude(problem="").order_by("pk"):
        explanation = explain(file.problem, file.facts)
        names[explanation.message, explanation.mend].append(file.name)
    for (message, mend), files in names.items():
        more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
        yield f"  {', '.join(files[:_NAMED])}{more}: {message} {mend}"
