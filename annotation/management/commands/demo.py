"""The demo project: drawn pages, people, and some work already done."""

from __future__ import annotations

import fcntl
import json
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from annotation.demo.drawing.page_scripts import load_pages
from annotation.demo.drawing.pages import DemoPage, draw_pages
from annotation.demo.seed_people import PEOPLE, give_demo_roles, make_people, reset_passwords
from annotation.demo.seed_side_tasks import RATERS, ask_for_a_screening, rate_pages
from annotation.demo.seed_story import WORKED_PAGES, hand_down_readings, tell_story
from annotation.demo.seed_structures import WORKED_EACH, begin_structures, tell_structures
from annotation.models import ImportFile, ImportRun, Project, Sample, SuggestionRequest
from annotation.services.configure_project import archive_project, start_project
from annotation.services.create_import import add_manifest, open_import, receive_file, start_import
from annotation.services.release_samples import create_release
from annotation.stages import Stage
from config.accounts.models import Team, User
from config.jobs.models import Job
from config.jobs.services import claim_job, run_claimed
from evaluation.model_clients.recognisers.registry import EMBEDDED

SLUG = "demo"


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
        with _alone():
            self._handle(options)

    def _handle(self, options: dict[str, Any]) -> None:
        self.console = Console()
        project = Project.objects.filter(slug=SLUG).first()
        if options["add"]:
            self._add(project, options["add"], options["language"])
        elif options["reset_passwords"]:
            self._show(reset_passwords())
        elif (project is None and not (options["if_empty"] and User.objects.exists())) or (
            project is not None and _is_half_made(project)
        ):
            if project is not None:
                self.stdout.write("The making of the demo project was broken off; making it anew.")
                _set_aside(project)
            self._make()
            self._show(reset_passwords())
        elif not options["if_empty"]:
            self.stdout.write("The demo project is there. New passwords: manage.py demo --reset-passwords")

    def _make(self) -> None:
        people = make_people()
        project = start_project(
            by=people["mei"],
            name="Letters and poems (demo)",
            slug=SLUG,
            guideline_language="en",
            engines=list(EMBEDDED)[:3],
            file_prefix="ink",
            raters_per_sample=len(RATERS),
        )
        give_demo_roles(team=project.team, people=people)
        with tempfile.TemporaryDirectory() as folder:
            pages = list(self._track("Drawing pages", draw_pages(Path(folder)), len(load_pages())))
            truth = self._import(project, people["mei"], pages)
        self._read_structures(project, WORKED_EACH)
        tell_structures(project=project, people=people, truth=truth)
        self._read(project)
        tell_story(project=project, people=people, truth=truth)
        rate_pages(project=project, people=people)
        release = create_release(project=project, by=people["mei"], title="First pages")
        self._read_structures(project, 1)
        begin_structures(project=project, people=people, truth=truth)
        ask_for_a_screening(project=project, people=people)
        for run in hand_down_readings(project=project, release=release, by=people["mei"]):
            self._do(run)

    def _track(self, words: str, steps: Iterator[Any], total: int) -> Iterator[Any]:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=self.console) as progress:
            yield from progress.track(steps, total=total, description=words)

    def _import(self, project: Project, by: User, pages: list[DemoPage]) -> dict[str, str]:
        """Import the drawn pages as an upload would be; returns what each says by sample UUID."""
        run = open_import(project=project, by=by, origin="demo", defaults={"source": "offline"})
        by_name = {page.path.name: page for page in pages}
        lines = [
            {
                "file": name,
                "structure": page.structure,
                "language": page.language,
                "scenario": page.scenario,
                "writer_id": page.writer,
            }
            for name, page in by_name.items()
        ]
        add_manifest(run, "\n".join(json.dumps(line) for line in lines))
        for page in pages:
            with page.path.open("rb") as data:
                receive_file(run, name=page.path.name, file=File(data, name=page.path.name))
        self._run(run)
        samples = Sample.objects.filter(import_file__run=run).select_related("import_file")
        return {
            sample.uuid.hex: by_name[sample.import_file.name].text for sample in samples if sample.import_file
        }

    def _run(self, run: ImportRun) -> None:
        start_import(run)
        self._do(run)
        run.refresh_from_db()
        if run.error:
            raise CommandError(run.error)
        for file in ImportFile.objects.filter(run=run).exclude(problem=""):
            self.stderr.write(f"{file.name}: {file.problem}")

    def _read(self, project: Project) -> None:
        """Have the recognisers read as many pages as the story needs; the worker reads the rest."""
        self._read_pages(project, "Reading pages with three recognisers", structure="text", most=WORKED_PAGES)

    def _read_structures(self, project: Project, most: int) -> None:
        """As many tables, and as many pages of formulas, as the story needs."""
        self._read_pages(project, "Reading tables", structure="table", most=most)
        self._read_pages(project, "Reading formulas", structure="formula", most=most)

    def _read_pages(self, project: Project, words: str, *, structure: str, most: int) -> None:
        ready = Sample.objects.filter(
            project=project, structure=structure, work__stage=Stage.PREANNOTATE
        ).order_by("number")
        first = list(ready.values_list("pk", flat=True)[:most])
        requests = list(SuggestionRequest.objects.filter(sample__in=first))
        for request in self._track(words, iter(requests), len(requests)):
            self._do(request)

    def _do(self, job: Job) -> None:
        """Do one job here and now, as a worker would, unless a worker has it already."""
        claim = claim_job(type(job), job.pk)
        if claim is not None:
            run_claimed(claim)

    def _add(self, project: Project | None, folder: Path, language: str) -> None:
        if project is None:
            raise CommandError("There is no demo project yet. Make it first: manage.py demo")
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder. Give a folder of page images.")
        call_command("import_samples", SLUG, str(folder), language=language, stdout=self.stdout)

    def _show(self, passwords: dict[str, str]) -> None:
        roles = {name: " and ".join(str(role.label) for role in given) for name, _, _, given in PEOPLE}
        self.stdout.write("\nThe demo's people (new passwords: manage.py demo --reset-passwords)")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<6} {password:<24} {roles[name]}")
        self.stdout.write("")


@contextmanager
def _alone() -> Iterator[None]:
    """One making at a time: a second `make run` waits, and then finds the demo made."""
    with (settings.DATA_DIR / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_half_made(project: Project) -> bool:
    """True when the making was broken off and nobody has been in: the release comes last, the passwords after it."""
    people = User.objects.filter(username__in=[name for name, *_ in PEOPLE])
    return not project.team.releases.exists() and not people.filter(last_login__isnull=False).exists()


def _set_aside(project: Project) -> None:
    """Free the demo's address; the half-made project goes to the archive, as nothing here is ever deleted."""
    slug = f"{SLUG}-broken-off-{project.pk}"
    with transaction.atomic():
        Project.objects.filter(pk=project.pk).update(slug=slug)
        Team.objects.filter(pk=project.team_id).update(slug=slug)
        archive_project(project=project)
