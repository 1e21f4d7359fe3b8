"""Filters that turn what records and scores store into what people read."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from evaluation import labels
from evaluation.models import SystemKind
from evaluation.rendering.table_markup import by_cells

register = template.Library()
register.filter("by_cells", by_cells)
register.filter("gold_language", labels.language_name)
register.filter("gold_scenario", labels.scenario_name)
register.filter("gold_structure", labels.structure_name)
register.filter("metric_name", labels.metric_name)
register.filter("group_name", labels.group_name)
register.filter("reason_in_words", labels.reason_in_words)


@register.filter
def percent(value: float | None, places: int = 2) -> str:
    """A share as a percentage with `places` decimals; empty for none."""
    return "" if value is None else number_format(f"{100 * value:.{places}f}")


@register.filter
def setting_name(name: str) -> str:
    return str(labels.SETTINGS.get(name, name))


@register.filter
def setting_value(value: object) -> str:
    """A setting's value for people; an unlimited one is a dash."""
    if isinstance(value, dict):
        return labels.crossing_words(value)
    return "–" if value is None else str(labels.SETTING_VALUES.get(str(value), value))


@register.filter
def score_state(status: str) -> str:
    return str(labels.SCORE_STATES.get(status, status))


@register.filter
def system_kind(kind: str) -> str:
    return str(SystemKind(kind).label)
