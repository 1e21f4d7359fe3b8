"""The demo project: drawn pages, people, and some work already done."""

from __future__ import annotations

import fcntl
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from annotation.demo.seeding.people import PEOPLE, reset_passwords
from annotation.demo.seeding.project import (
    SLUG,
    ImportFailed,
    Step,
    archive_incomplete,
    is_incomplete,
    make_demo_project,
)
from annotation.models import ImportFile, Project
from config.accounts.models import User


class Command(BaseCommand):
    help = "Make the demo project, once: about 20 drawn pages, people, and some work already done."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="only when nobody has an account yet")
        parser.add_argument(
            "--reset-passwords", action="store_true", help="new passwords for the demo's people"
        )
        parser.add_argument("--add", type=Path, metavar="DIR", help="import a folder of own scans into it")
        parser.add_argument("--language", default="en", help="of the scans added")

    def handle(self, *args: Any, **options: Any) -> None:
        with _lock():
            self._handle(options)

    def _handle(self, options: dict[str, Any]) -> None:
        project = Project.objects.filter(slug=SLUG).first()
        if options["add"]:
            self._import_folder(project, options["add"], options["language"])
        elif options["reset_passwords"]:
            self._print_people(reset_passwords())
        elif project is None and options["if_empty"] and User.objects.exists():
            return
        elif project is None or is_incomplete(project):
            if project is not None:
                self.stdout.write("Seeding the demo project was interrupted; starting again.")
                archive_incomplete(project)
            self._make()
            self._print_people(reset_passwords())
        elif not options["if_empty"]:
            self.stdout.write("The demo project exists. New passwords: manage.py demo --reset-passwords")

    def _make(self) -> None:
        try:
            project = make_demo_project(track=_track)
        except ImportFailed as error:
            raise CommandError(str(error)) from error
        for file in ImportFile.objects.filter(run__project=project).exclude(problem=""):
            self.stderr.write(f"{file.name}: {file.problem}")

    def _import_folder(self, project: Project | None, folder: Path, language: str) -> None:
        if project is None:
            raise CommandError("There is no demo project yet. Make it first: manage.py demo")
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder. Give a folder of page images.")
        call_command("import_samples", SLUG, str(folder), language=language, stdout=self.stdout)

    def _print_people(self, passwords: dict[str, str]) -> None:
        labels = {name: " and ".join(str(role.label) for role in roles) for name, _, _, roles in PEOPLE}
        self.stdout.write("\nThe demo's people (new passwords: manage.py demo --reset-passwords)")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<6} {password:<24} {labels[name]}")
        self.stdout.write("")


def _track(label: str, steps: Iterator[Step], total: int) -> Iterator[Step]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console()) as progress:
        yield from progress.track(steps, total=total, description=label)


@contextmanager
def _lock() -> Iterator[None]:
    """One seeding at a time: a second `make run` waits and then finds the demo made."""
    with (settings.DATA_DIR / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
