"""Access to projects: for anybody without a role in it, a project does not exist."""

from __future__ import annotations

import uuid

from django.http import Http404
from django.utils.translation import gettext_noop

from annotation.models import ImportRun, Project, Sample
from config.accounts.models import Role, User
from config.accounts.selectors import has_role, may_create_projects, roles_in
from config.errors import ApplicationError


class CreationNotPermitted(ApplicationError):
    """The person may not create projects on this site."""

    status, kind = 403, "forbidden"
    msgid = gettext_noop("You are not permitted to create projects here. Ask the administrator of this site.")


def check_creation(user: User) -> None:
    """Raise CreationNotPermitted for a person who may not create projects."""
    if not may_create_projects(user):
        raise CreationNotPermitted


def project_for(user: User, slug: str, *roles: Role) -> Project:
    """The project with this slug, if the person has one of `roles` there (any role when none is named).

    Raises Http404 for a project that does not exist and for one that is not theirs, so that the two look the same.
    """
    project = Project.objects.select_related("team").filter(slug=slug).first()
    if project is None or not may_enter(user, project, *roles):
        raise Http404
    return project


def sample_for(user: User, sample_uuid: uuid.UUID, *roles: Role) -> Sample:
    """The sample of this address, if the person has one of `roles` in its project. Raises Http404."""
    sample = Sample.objects.select_related("project__team", "work__holder").filter(uuid=sample_uuid).first()
    if sample is None or not may_enter(user, sample.project, *roles):
        raise Http404
    return sample


def import_for(user: User, pk: int) -> ImportRun:
    """The import, if the person manages its project. Raises Http404."""
    run = ImportRun.objects.select_related("project__team", "created_by").filter(pk=pk).first()
    if run is None or not may_enter(user, run.project, Role.MANAGER):
        raise Http404
    return run


def may_enter(user: User, project: Project, *roles: Role) -> bool:
    """True when the person has one of `roles` in the project (any role when none is named)."""
    return has_role(user, project.team, *roles) if roles else bool(roles_in(user, project.team))
