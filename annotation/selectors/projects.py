"""Addresses of projects."""

from __future__ import annotations

from django.utils.text import slugify

from annotation.models.project import Project

RESERVED_SLUGS = frozenset({"new"})  # /projects/new/ is a page


def free_slug(name: str) -> str:
    """An unused slug for a project of this name: its ASCII words, or "project", with a number where it is taken."""
    base = slugify(name)[:50].strip("-") or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    number, slug = 1, base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
