"""Filters that turn what records and scores store into what people read."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from evaluation import words
from evaluation.markup_lines import by_cells
from evaluation.models import SystemKind

register = template.Library()
register.filter("by_cells", by_cells)
register.filter("gold_language", words.language_name)
register.filter("gold_scenario", words.scenario_name)
register.filter("gold_structure", words.structure_name)
register.filter("metric_name", words.metric_name)
register.filter("group_name", words.group_name)
register.filter("reason_in_words", words.reason_in_words)


@register.filter
def percent(value: float | None, places: int = 2) -> str:
    """A share as a percentage with `places` decimals; empty for none."""
    return "" if value is None else number_format(f"{100 * value:.{places}f}")


@register.filter
def setting_name(name: str) -> str:
    return str(words.SETTINGS.get(name, name))


@register.filter
def setting_value(value: object) -> str:
    """A setting's value for people; an unlimited one is a dash."""
    if isinstance(value, dict):
        return words.crossing_words(value)
    return "–" if value is None else str(words.SETTING_VALUES.get(str(value), value))


@register.filter
def score_state(status: str) -> str:
    return str(words.SCORE_STATES.get(status, status))


@register.filter
def system_kind(kind: str) -> str:
    return str(SystemKind(kind).label)
