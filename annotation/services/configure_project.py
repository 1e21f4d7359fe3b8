"""Create a project and change its settings."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.default_guideline import faithful_transcription
from annotation.models.project import Guideline, Project, RecogniserKind, RecogniserSetting
from annotation.selectors.projects import free_slug
from annotation.selectors.recognisers import PROMPT_COLUMNS, prompt_version_of
from config.accounts.models import User
from config.accounts.services import make_team
from config.errors import ApplicationError
from config.transactions import locked
from evaluation.model_clients.recognisers.registry import find_embedded


class GuidelineUnchanged(ApplicationError):
    """The text equals the current version."""

    status, kind = 422, "invalid"
    field = "text"
    msgid = gettext_noop("This is identical to the current version. Nothing was saved.")


class GuidelineMoved(ApplicationError):
    """Another version was published since this text was opened."""

    kind = "newer_version"
    msgid = gettext_noop(
        "Another version has been published in the meantime. Compare it with yours and save again."
    )


def create_project(*, by: User, name: str, guideline: str, slug: str = "", **fields: Any) -> Project:
    """Create a project with its team, first manager and first guideline. `fields` are columns of Project."""
    slug = slug or free_slug(name)
    seed = int.from_bytes(hashlib.sha256(slug.encode()).digest()[:3], "big")
    with transaction.atomic():
        team = make_team(slug=slug, name=name, manager=by)
        project = Project.objects.create(
            team=team, slug=slug, name=name, created_by=by, queue_seed=seed, **fields
        )
        Guideline.objects.create(project=project, number=1, text=guideline, author=by)
    return project


def start_project(
    *, by: User, slug: str, guideline_language: str, engines: list[str], **fields: Any
) -> Project:
    """Create a project with a standard guideline ("" = an empty one) and embedded recognisers in the first slots."""
    guideline = faithful_transcription(guideline_language) if guideline_language else ""
    with transaction.atomic():
        project = create_project(by=by, slug=slug, guideline=guideline, **fields)
        for slot, key in enumerate(engines, start=1):
            set_recogniser(
                project=project,
                slot=slot,
                kind=RecogniserKind.EMBEDDED,
                engine=key,
                label=find_embedded(key).label,
            )
    return project


def change_project(*, project: Project, **fields: Any) -> None:
    """Change columns of a project, and the team's name with the project's. Imported samples keep their settings."""
    for name, value in fields.items():
        setattr(project, name, value)
    with transaction.atomic():
        project.save(update_fields=list(fields))
        if "name" in fields:
            project.team.name = project.name
            project.team.save(update_fields=["name"])


def archive_project(*, project: Project) -> None:
    """Archive a project: nothing is deleted, and its queues are closed."""
    Project.objects.filter(pk=project.pk, archived_at=None).update(archived_at=timezone.now())


def unarchive_project(*, project: Project) -> None:
    """Take a project back from the archive."""
    Project.objects.filter(pk=project.pk).update(archived_at=None)


def publish_guideline(*, project: Project, by: User, text: str, based_on: int) -> Guideline:
    """Publish the next version, which is current at once. `based_on` is the version the author started from.

    Raises GuidelineUnchanged, and GuidelineMoved when `based_on` is no longer current.
    """
    newest = project.guidelines.first()
    number = newest.number if newest else 0
    if number != based_on:
        raise GuidelineMoved
    if newest and newest.text == text:
        raise GuidelineUnchanged
    try:
        with transaction.atomic():
            return Guideline.objects.create(project=project, number=number + 1, text=text, author=by)
    except IntegrityError:  # two published at once
        raise GuidelineMoved from None


def set_recogniser(*, project: Project, slot: int, **fields: Any) -> RecogniserSetting:
    """Put a recogniser into a slot and retire the previous one. Equal settings change nothing."""
    with transaction.atomic():
        for name, column in PROMPT_COLUMNS.items():
            if fields.get(column):
                fields[f"{column}_version"] = prompt_version_of(project, fields[column], name)
        # An empty slot has no row that could be locked.
        locked(Project.objects.filter(pk=project.pk)).get()
        current = project.recognisers.filter(slot=slot, retired_at=None).first()
        if current and all(getattr(current, name) == value for name, value in fields.items()):
            return current
        clear_recogniser(project=project, slot=slot)
        return RecogniserSetting.objects.create(project=project, slot=slot, **fields)


def clear_recogniser(*, project: Project, slot: int) -> None:
    """Empty a slot. The suggestions of its recogniser stay."""
    project.recognisers.filter(slot=slot, retired_at=None).update(retired_at=timezone.now())
