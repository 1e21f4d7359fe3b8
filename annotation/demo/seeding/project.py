"""The demo project from beginning to end: people, drawn pages, work in every stage, a release and its scores."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

from django.core.files import File
from django.db import transaction

from annotation.demo.drawing.page_scripts import load_pages
from annotation.demo.drawing.pages import DemoPage, draw_pages
from annotation.demo.seeding.page_tasks import RATERS, rate_pages, send_page_to_screening
from annotation.demo.seeding.people import PEOPLE, give_demo_roles, make_people
from annotation.demo.seeding.predictions import publish_suggestions
from annotation.demo.seeding.structures import WORKED_EACH, begin_structures, seed_structures
from annotation.demo.seeding.texts import WORKED_PAGES, seed_texts
from annotation.models import ImportRun, Project, Sample, SuggestionRequest
from annotation.services.configure_project import archive_project, start_project
from annotation.services.create_import import add_manifest, open_import, receive_file, start_import
from annotation.services.release_samples import create_release
from annotation.stages import Stage
from config.accounts.models import Team, User
from config.jobs.models import Job, JobState
from config.jobs.services import claim_job, run_claimed
from evaluation.model_clients.recognisers.registry import EMBEDDED

SLUG = "demo"
Step = TypeVar("Step")


class Track(Protocol):
    """Shows the progress of `steps`, of which there are `total`, and passes them through."""

    def __call__(self, label: str, steps: Iterator[Step], total: int) -> Iterator[Step]: ...


MAX_WAIT_SECONDS = 300  # for a worker of a running site to finish a job that the seeding needs


class ImportFailed(Exception):
    """The drawn pages could not be imported; the message is the job's."""


def make_demo_project(*, track: Track) -> Project:
    """Make the demo project.

    Jobs run in this process, unless a worker has claimed them already. Raises ImportFailed.
    """
    people = make_people()
    manager = people["mei"]
    project = start_project(
        by=manager,
        name="Letters and poems (demo)",
        slug=SLUG,
        guideline_language="en",
        engines=list(EMBEDDED)[:3],
        file_prefix="ink",
        raters_per_sample=len(RATERS),
    )
    give_demo_roles(team=project.team, people=people)
    with tempfile.TemporaryDirectory() as folder:
        pages = list(track("Drawing pages", draw_pages(Path(folder)), len(load_pages())))
        truth = _import_pages(project, manager, pages)
    _read_structures(project, WORKED_EACH, track)
    seed_structures(project=project, people=people, truth=truth)
    _read_pages(project, "Reading pages with three recognisers", "text", WORKED_PAGES, track)
    seed_texts(project=project, people=people, truth=truth)
    rate_pages(project=project, people=people)
    release = create_release(project=project, by=manager, title="First pages")
    _read_structures(project, 1, track)
    begin_structures(project=project, people=people, truth=truth)
    send_page_to_screening(project=project, people=people)
    for run in publish_suggestions(project=project, release=release, by=manager):
        _run_job(run)
    return project


def is_incomplete(project: Project) -> bool:
    """True when seeding was interrupted and nobody has signed in since: the release comes last, the passwords after."""
    people = User.objects.filter(username__in=[name for name, *_ in PEOPLE])
    return not project.team.releases.exists() and not people.filter(last_login__isnull=False).exists()


def archive_incomplete(project: Project) -> None:
    """Free the demo's address. The incomplete project goes to the archive, since nothing is ever deleted."""
    slug = f"{SLUG}-broken-off-{project.pk}"
    with transaction.atomic():
        Project.objects.filter(pk=project.pk).update(slug=slug)
        Team.objects.filter(pk=project.team_id).update(slug=slug)
        archive_project(project=project)


def _import_pages(project: Project, manager: User, pages: list[DemoPage]) -> dict[str, str]:
    """Import the drawn pages as an upload would be. Returns the ground truth of each sample by UUID (hex)."""
    run = open_import(project=project, by=manager, origin="demo", defaults={"source": "offline"})
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
    add_manifest(run=run, text="\n".join(json.dumps(line) for line in lines))
    for page in pages:
        with page.path.open("rb") as data:
            receive_file(run=run, name=page.path.name, file=File(data, name=page.path.name))
    _run_import(run)
    samples = Sample.objects.filter(import_file__run=run).select_related("import_file")
    return {
        sample.uuid.hex: by_name[sample.import_file.name].text for sample in samples if sample.import_file
    }


def _run_import(run: ImportRun) -> None:
    start_import(run=run)
    _run_job(run)
    run.refresh_from_db()
    if run.error:
        raise ImportFailed(run.error)


def _read_structures(project: Project, most: int, track: Track) -> None:
    _read_pages(project, "Reading tables", "table", most, track)
    _read_pages(project, "Reading formulas", "formula", most, track)


def _read_pages(
    project: Project,
    label: str,
    structure: str,
    most: int,
    track: Track,
) -> None:
    """Let the recognisers read as many pages as the seeding needs. A worker reads the rest later."""
    waiting = Sample.objects.filter(
        project=project, structure=structure, work__stage=Stage.PREANNOTATE
    ).order_by("number")
    samples = list(waiting.values_list("pk", flat=True)[:most])
    requests = list(SuggestionRequest.objects.filter(sample__in=samples))
    for request in track(label, iter(requests), len(requests)):
        _run_job(request)


def _run_job(job: Job) -> None:
    """Run a job here, as a worker would; if a worker has claimed it already, wait for that worker."""
    claim = claim_job(type(job), job.pk)
    if claim is not None:
        run_claimed(claim)
        return
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        job.refresh_from_db(fields=["state"])
        if job.state not in (JobState.QUEUED, JobState.RUNNING):
            return
        time.sleep(0.5)
