"""What the home page tells of baselines."""

from __future__ import annotations

from django import template

from baseline.selectors.setup import Pass, passes_of
from config.accounts.models import User

register = template.Library()


@register.filter
def waiting_passes(person: User) -> list[Pass]:
    """The person's passes that are still to be taken."""
    return [each for each in passes_of(person) if each.is_open and not each.is_over]
