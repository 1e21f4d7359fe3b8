"""Who may: a project and its pages exist only for those with a role in it."""

from __future__ import annotations

import uuid

from django.http import Http404

from annotation.models import ImportRun, Project, Sample
from config.accounts.models import Role, User
from config.accounts.selectors import has_role, roles_in


def project_for(user: User, slug: str, *roles: Role) -> Project:
    """The project with this slug, if the person has one of `roles` there (any role when none is named).

    Raises Http404 both for a project that does not exist and for one that is not theirs: the answer must not tell
    which.
    """
    project = Project.objects.select_related("team").filter(slug=slug).first()
    if project is None or not may_enter(user, project, *roles):
        raise Http404
    return project


def sample_for(user: User, sample_uuid: uuid.UUID, *roles: Role) -> Sample:
    """The sample of this address, if the person has one of `roles` in its project. Raises Http404."""
    found = Sample.objects.select_related("project__team", "work__holder").filter(uuid=sample_uuid).first()
    if found is None or not may_enter(user, found.project, *roles):
        raise Http404
    return found


def import_for(user: User, pk: int) -> ImportRun:
    """The import, if the person manages its project. Raises Http404."""
    found = ImportRun.objects.select_related("project__team", "created_by").filter(pk=pk).first()
    if found is None or not may_enter(user, found.project, Role.MANAGER):
        raise Http404
    return found


def may_enter(user: User, project: Project, *roles: Role) -> bool:
    """True when the person has one of `roles` in the project (any role when none is named)."""
    return has_role(user, project.team, *roles) if roles else bool(roles_in(user, project.team))
