"""What pages tell of baselines and their clock."""

from __future__ import annotations

from django import template

from baseline.selectors.setup import SessionSummary, sessions_of
from config.accounts.models import User

register = template.Library()


@register.filter
def waiting_sessions(person: User) -> list[SessionSummary]:
    """The sessions the person still has to finish."""
    return [session for session in sessions_of(person) if session.is_open and not session.is_over]


@register.filter
def has_taken_part(person: User) -> bool:
    """Whether the person can open a session that is over or closed, to withdraw from it."""
    return any(session.is_over or not session.is_open for session in sessions_of(person))


@register.filter
def minutes(seconds: int) -> str:
    """A time limit as the clock beside the page writes it: 300 is "5:00"."""
    return f"{seconds // 60}:{seconds % 60:02}"
