"""Small true-to-life rows for tests, made the way the services make them."""

from __future__ import annotations

import io
import itertools
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace

from PIL import Image, ImageDraw

from annotation.models import Guideline, Project, Sample, Work
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role, Team, User
from config.accounts.selectors import people_in
from config.accounts.services import give_roles, make_team
from config.blobs import blob_hash, put_blob
from evaluation.models import PredictionSet, Release
from evaluation.payloads.text import split_lines
from evaluation.predictions import Failed, Text
from evaluation.records import GoldRecord, PredictionRecord
from evaluation.services.freeze_release import import_release
from evaluation.services.record_predictions import record_predictions

_count = itertools.count(1)
PASSWORD = "ink-and-paper-1905"


def make_user(name: str | None = None, **fields: object) -> User:
    """An account whose password is PASSWORD."""
    return User.objects.create_user(username=name or f"person{next(_count)}", password=PASSWORD, **fields)


def make_project(*, manager: User | None = None, slug: str | None = None, **fields: object) -> Project:
    """A project with its team, manager and first guideline."""
    manager = manager or make_user()
    slug = slug or f"project-{next(_count)}"
    team = make_team(slug=slug, name=slug.title(), manager=manager)
    project = Project.objects.create(team=team, slug=slug, name=slug.title(), created_by=manager, **fields)
    Guideline.objects.create(project=project, number=1, text="Write what the ink says.", author=manager)
    return project


def make_member(project: Project, *roles: Role, name: str | None = None) -> User:
    """A new person with these roles in the project."""
    user = make_user(name)
    give_roles(team=project.team, user=user, roles=roles)
    return user


def page_png(text: str = "", *, size: tuple[int, int] = (240, 160)) -> bytes:
    """A small PNG that differs with its text."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((10, 10), text or f"page {next(_count)}", fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def make_sample(
    project: Project,
    *,
    text: str = "",
    stage: Stage = Stage.LABEL,
    status: Status = Status.OPEN,
    **fields: object,
) -> Sample:
    """A ready sample with its work at `stage`."""
    png = page_png(text)
    sha = put_blob(png)
    number = project.next_number
    Project.objects.filter(pk=project.pk).update(next_number=number + 1)
    project.next_number = number + 1
    values: dict[str, object] = {
        "intake": Intake.READY,
        "language": "en",
        "scenario": "letters_notes",
        "original_name": f"scan-{number}.png",
        "original_blob": sha,
        "full_blob": sha,
        "full_width": 240,
        "full_height": 160,
        "released_blob": sha,
        "released_name": f"{project.file_prefix}_{uuid.uuid4().hex}.png",
        "released_width": 240,
        "released_height": 160,
        "released_bytes": len(png),
        "pixel_hash": blob_hash(png),
    }
    sample = Sample.objects.create(project=project, number=number, **(values | fields))
    Work.objects.create(sample=sample, stage=stage, status=status)
    return sample


def make_gold(text: str, **fields: object) -> GoldRecord:
    """A gold record of a small image that is in the store."""
    png = page_png(text)
    values: dict[str, object] = {
        "id": uuid.uuid4().hex,
        "structure": "text",
        "language": "en",
        "scenario": "letters_notes",
        "text": text,
        "image_hash": put_blob(png),
        "width": 240,
        "height": 160,
        "guideline": 1,
        "origins": ("agreed",) * len(split_lines(text)),
    }
    values |= fields
    values.setdefault("file_name", f"page_{values['id']}.png")
    return GoldRecord(**values)  # type: ignore[arg-type]


def make_gold_release(team: Team, records: Iterable[GoldRecord], **fields: object) -> Release:
    """A release of these records, in the name of the team's first manager."""
    frozen = [
        replace(record, number=record.number or number) for number, record in enumerate(records, start=1)
    ]
    return import_release(
        team=team,
        by=people_in(team, Role.MANAGER)[0],
        records=frozen,
        pixel_hashes={record.id: blob_hash(record.id.encode()) for record in frozen},
        **fields,  # type: ignore[arg-type]
    )


def make_answers(
    release: Release, answers: Mapping[str, str | None], *, system: str = "scribe"
) -> PredictionSet:
    """A system's answers by the gold's text; None = it failed. What is not named is missing."""
    ids = {item.record["text"]: item.sample_id for item in release.items.all()}
    records = [
        PredictionRecord(ids[gold], Failed("timeout") if answer is None else Text(answer))
        for gold, answer in answers.items()
    ]
    return record_predictions(
        release=release, system_name=system, by=release.created_by, records=records, origin="upload"
    )
