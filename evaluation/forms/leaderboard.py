"""What the address of a leaderboard may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.labels import group_name, metric_name
from evaluation.metrics.bundles import DEFAULT, bundle_names

BUNDLES = [(name, name) for name in bundle_names()]
VIEWS = [
    ("metrics", _("All metrics")),
    ("structure", _("One metric by structure")),
    ("language", _("One metric by language")),
    ("scenario", _("One metric by scenario")),
    ("difficulty", _("One metric by difficulty")),
]


class LeaderboardForm(forms.Form):
    """Choices in the address. A value that does not exist falls back to the first."""

    bundle = forms.ChoiceField(label=_("Metric preset"), required=False, choices=BUNDLES)
    view = forms.ChoiceField(label=_("Show"), required=False, choices=VIEWS)
    metric = forms.ChoiceField(label=_("Metric"), required=False)
    within = forms.ChoiceField(label=_("Samples"), required=False)

    def __init__(
        self, *args: Any, metrics: list[str], groups: Sequence[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [(name, metric_name(name)) for name in metrics]
        cast(forms.ChoiceField, self.fields["metric"]).choices = choices
        cast(forms.ChoiceField, self.fields["within"]).choices = [("", group_name("all")), *groups]


def read_choices(data: Any) -> tuple[str, str, str, str, str]:
    """(bundle, view, metric, within, sort) of an address."""
    bundle = data.get("bundle", "")
    view = data.get("view", "")
    return (
        bundle if bundle in bundle_names() else DEFAULT,
        view if view in dict(VIEWS) else "metrics",
        data.get("metric", ""),
        data.get("within", ""),
        data.get("sort", ""),
    )
