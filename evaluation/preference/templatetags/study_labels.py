"""Filters for the results of a study."""

from __future__ import annotations

from django import template

from evaluation.preference import labels

register = template.Library()
register.filter("share", labels.percent)
register.filter("p_cell", labels.p_cell)
register.filter("figure", labels.figure)


@register.filter
def seconds(value: float | None) -> str:
    """Seconds as minutes and seconds."""
    return "" if value is None else f"{int(value) // 60}:{int(value) % 60:02d}"
