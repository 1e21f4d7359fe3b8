"""Make a project and change how it works."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_noop

from annotation.default_guideline import faithful_transcription
from annotation.models.project import Guideline, Project, RecogniserKind, RecogniserSetting
from config.accounts.models import User
from config.accounts.services import make_team
from config.errors import ApplicationError
from evaluation.model_clients.prompts import list_versions, load_prompt
from evaluation.model_clients.recognisers.registry import find_embedded

RESERVED_SLUGS = frozenset({"new"})  # /projects/new/ is a page


class GuidelineUnchanged(ApplicationError):
    """The text is the one already in force."""

    status, kind = 422, "invalid"
    field = "text"
    msgid = gettext_noop("This is identical to the current version. Nothing was saved.")


class GuidelineMoved(ApplicationError):
    """Somebody published another version since this text was opened."""

    kind = "newer_version"
    msgid = gettext_noop(
        "Another version has been published in the meantime. Compare it with yours and save again."
    )


def free_slug(name: str) -> str:
    """An unused address for a project called `name`: ASCII words of it, or "project", with a number if taken."""
    base = slugify(name)[:50].strip("-") or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def create_project(*, by: User, name: str, guideline: str, slug: str = "", **fields: Any) -> Project:
    """A project with its team, its first manager and its first guideline. `fields` are columns of Project."""
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
    """`create_project` with a ready guideline ("" = an empty one) and embedded recognisers in the first slots."""
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
    """Write changed columns; the team follows the project's name. Samples already imported keep what they have."""
    for name, value in fields.items():
        setattr(project, name, value)
    with transaction.atomic():
        project.save(update_fields=list(fields))
        if "name" in fields:
            project.team.name = project.name
            project.team.save(update_fields=["name"])


def archive_project(*, project: Project) -> None:
    """Take a project out of everybody's way. Nothing is deleted."""
    Project.objects.filter(pk=project.pk, archived_at=None).update(archived_at=timezone.now())


def unarchive_project(*, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(archived_at=None)


def publish_guideline(*, project: Project, by: User, text: str, based_on: int) -> Guideline:
    """Add the next version, in force at once. `based_on` is the number the author started from.

    Raises GuidelineUnchanged, and GuidelineMoved when `based_on` is no longer the newest.
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
    except IntegrityError:  # two published at once: the number is taken
        raise GuidelineMoved from None


# The column a prompt is kept in, by the name under which ours are kept, and what an own wording's version begins with.
PROMPT_COLUMNS = {"transcription": "prompt", "table": "table_prompt", "formula": "formula_prompt"}


def prompt_version(project: Project, text: str, name: str = "transcription") -> str:
    """The name of a prompt's wording: ours, as kept, or the project's own, numbered in the order they came up."""
    for number in list_versions(name):
        ours = load_prompt(name, number)
        if text.strip() == ours.text:
            return ours.label
    column = PROMPT_COLUMNS[name]
    own = "own" if name == "transcription" else f"own-{name}"
    rows = project.recognisers.filter(**{f"{column}_version__startswith": f"{own}-"}).order_by("pk")
    known = list(dict.fromkeys(rows.values_list(column, flat=True)))
    return f"{own}-{known.index(text) + 1}" if text in known else f"{own}-{len(known) + 1}"


def set_recogniser(*, project: Project, slot: int, **fields: Any) -> RecogniserSetting:
    """Put a recogniser into a slot. The one that was there is retired, never changed; equal settings change nothing."""
    with transaction.atomic():
        for name, column in PROMPT_COLUMNS.items():
            if fields.get(column):
                fields[f"{column}_version"] = prompt_version(project, fields[column], name)
        Project.objects.select_for_update().get(pk=project.pk)  # an empty slot has no row to lock
        current = project.recognisers.filter(slot=slot, retired_at=None).first()
        if current and all(getattr(current, name) == value for name, value in fields.items()):
            return current
        clear_recogniser(project=project, slot=slot)
        return RecogniserSetting.objects.create(project=project, slot=slot, **fields)


def clear_recogniser(*, project: Project, slot: int) -> None:
    """Empty a slot; suggestions made by it stay."""
    project.recognisers.filter(slot=slot, retired_at=None).update(retired_at=timezone.now())
