"""The tabs of a release's pages, for its managers."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

from evaluation.models import Release

register = template.Library()

# Names of addresses, also of apps above this one: a tab is left out where its address does not exist.
TABS = (
    ("release", _("Release")),
    ("leaderboard", _("Leaderboard")),
    ("release_runs", _("Runs")),
    ("baselines", _("Baselines")),
    ("studies", _("Studies")),
    ("release_reports", _("Reports")),
)


@register.inclusion_tag("evaluation/tabs.html", takes_context=True)
def release_tabs(context: dict[str, Any], release: Release, current: str) -> dict[str, Any]:
    """`current` is the name of the page, or of the one that this page is below."""
    is_below = context["request"].resolver_match.url_name != current
    return {"release": release, "tabs": TABS, "current": current, "is_below": is_below}
