"""Filters that turn stored keys into labels."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from annotation import labels
from annotation.difficulty import Dimension
from annotation.models.sample import GoldStatus, Structure
from annotation.rating_scale import ANCHORS
from annotation.stages import SampleState, Stage
from config.accounts.models import Role
from config.markdown import render_markdown

register = template.Library()
register.filter("language_name", labels.language_name)
register.filter("scenario_name", labels.scenario_name)
register.filter("event_name", labels.event_name)


@register.filter
def state_name(state: SampleState) -> str:
    return str(labels.STATES[SampleState(state)])


@register.filter
def state_tone(state: SampleState) -> str:
    return labels.STATE_LOOKS[SampleState(state)][0]


@register.filter
def state_icon(state: SampleState) -> str:
    return labels.STATE_LOOKS[SampleState(state)][1]


@register.filter
def stage_name(stage: str) -> str:
    return str(labels.STAGES[Stage(stage)]) if stage else ""


@register.filter
def structure_name(structure: str) -> str:
    return str(Structure(structure).label)


@register.filter
def gold_status(status: str) -> str:
    """The label of imported ground truth's stated verification."""
    return str(GoldStatus(status).label)


@register.filter
def dimension_name(dimension: str) -> str:
    return str(ANCHORS[Dimension(dimension)].name)


@register.filter
def role_name(role: str) -> str:
    return str(Role(role).label)


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as safe HTML (see config.markdown)."""
    return render_markdown(text)
