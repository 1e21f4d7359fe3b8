"""Addresses of projects."""

from __future__ import annotations

from django.utils.text import slugify

from annotation.models.project import Project

RESERVED_SLUGS = frozenset({"new"})  # /projects/new/ is a page


def free_slug(name: str) -> str:
    """An unused address for a project called `name`: ASCII words of it, or "project", with a number if taken."""
    base = slugify(name)[:50].strip("-") or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
