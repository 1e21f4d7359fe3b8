"""Filters for the figures of a study."""

from __future__ import annotations

from django import template

from evaluation.preference import words

register = template.Library()
register.filter("share", words.percent)
register.filter("p_cell", words.p_cell)
register.filter("figure", words.figure)


@register.filter
def seconds(value: float | None) -> str:
    """Seconds as minutes and seconds."""
    return "" if value is None else f"{int(value) // 60}:{int(value) % 60:02d}"
