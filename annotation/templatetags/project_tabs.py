"""The tabs of a project's pages."""

from __future__ import annotations

from typing import Any

from django import template

from annotation.models.project import Project
from annotation.navigation import sections_for_manager, sections_for_member
from annotation.permissions import may_enter
from annotation.selectors.manager_tasks import count_for_managers
from config.accounts.models import Role

register = template.Library()


@register.inclusion_tag("components/project_tabs.html", takes_context=True)
def project_tabs(context: dict[str, Any], project: Project, current: str) -> dict[str, Any]:
    """The sections this person may open; `current` is the name of the page, or of the one that this page is below.

    Two queries, one where the view has counted already (`manager_counts` in its context).
    """
    request = context["request"]
    if may_enter(request.user, project, Role.MANAGER):
        sections = sections_for_manager(context.get("manager_counts") or count_for_managers(project))
    else:
        sections = sections_for_member()
    return {
        "project": project,
        "sections": sections,
        "section": next((section for section in sections if section.has(current)), None),
        "current": current,
        "is_below": request.resolver_match.url_name != current,
    }
