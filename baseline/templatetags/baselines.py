"""What pages tell of baselines and their clock."""

from __future__ import annotations

from django import template

from baseline.selectors.setup import SessionSummary, sessions_of
from config.accounts.models import User

register = template.Library()


@register.filter
def waiting_passes(person: User) -> list[SessionSummary]:
    """The person's passes that are still to be taken."""
    return [each for each in sessions_of(person) if each.is_open and not each.is_over]


@register.filter
def has_taken_part(person: User) -> bool:
    """Whether some pass of the person is over: from its page they can still withdraw."""
    return any(each.is_over or not each.is_open for each in sessions_of(person))


@register.filter
def minutes(seconds: int) -> str:
    """A time limit as the clock beside the page writes it: 300 is "5:00"."""
    return f"{seconds // 60}:{seconds % 60:02}"
