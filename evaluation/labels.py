"""The words people read for keys that are stored in records, systems and scores.

One home, so that one thing has one word on every page. A key nobody knows (a project's own scenario) is its own word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from evaluation.metrics.registry import METRICS

LANGUAGES = {
    "zh-Hans": _("Simplified Chinese"),
    "en": _("English"),
    "zh-Hant": _("Traditional Chinese"),
    "zh-en-mix": _("Mixed Chinese and English"),
}
SCENARIOS = {
    "literary_essays": _("Literary essays"),
    "letters_notes": _("Letters and notes"),
    "medical_health": _("Medical and health"),
    "education_learning": _("Education and learning"),
    "business_documents": _("Business documents"),
    "math_science_formulas": _("Mathematical and scientific formulas"),
    "classical_poetry_calligraphy": _("Classical poetry and calligraphy"),
    "daily_life_notes": _("Daily life notes"),
    "historical_archives": _("Historical archives"),
}
STRUCTURES = {"text": _("Free text"), "table": _("Table"), "formula": _("Formulas")}
# Headline figures of bundles; the labels of metrics are in the registry (`evaluation.metrics.registry`).
OVERALLS = {
    "overall": pgettext_lazy("score", "Overall"),
    "overall_up": pgettext_lazy("score", "Overall, higher is better"),
    "overall_down": pgettext_lazy("score", "Overall, lower is better"),
}
# What a manifest says of the project's settings when the release was frozen.
SETTINGS = {
    "verification_mode": _("Second review"),
    "image_cap_bytes": _("Maximum size of a released image, in bytes"),
    "image_max_side": _("Longest side of a released image, in pixels"),
    "formula_answers": _("Formula pages are transcribed"),
    "writers_across_splits": _("Writers in more than one split"),
    "imported_from": _("Imported from"),
}
SETTING_VALUES = {
    "verify": _("Verify: a second person checks the transcription"),
    "double_blind": _("Double-blind: a second person transcribes independently"),
    "page": _("by page, as Markdown"),
    "regions": _("by region"),
}
SCORE_STATES = {
    "scored": pgettext_lazy("score", "scored"),
    "missing": pgettext_lazy("score", "missing: scored as the worst"),
    "failed": pgettext_lazy("score", "failed: scored as the worst"),
    "empty_reference": pgettext_lazy("score", "text predicted for an empty page"),
    "both_empty": pgettext_lazy("score", "empty page, empty prediction"),
    "invalid_reference": pgettext_lazy("score", "n/a: this metric cannot read the ground truth"),
    "invalid_prediction": pgettext_lazy("score", "unreadable prediction: scored as the worst"),
    "too_large": pgettext_lazy("score", "too large for this metric: scored as the worst"),
    "not_applicable": pgettext_lazy("score", "n/a for this sample"),
    "undefined": pgettext_lazy("score", "n/a: not defined for these data"),
}


def reason_in_words(figure: object) -> str:
    """Why a figure is none, or what to keep in mind about it, from its `reason` and `status` (attributes or keys).

    Reasons that name sizes and places are in English alone; readers of another language get the words of the status.
    """
    reason, status = (_of(figure, name) for name in ("reason", "status"))
    translate = gettext  # the metrics' words, marked where they stand
    said = translate(reason) if reason else ""
    if said != reason or (get_language() or "en").startswith("en"):
        return said
    return "" if status in ("", "scored") else str(SCORE_STATES.get(status, ""))


def _of(figure: object, name: str) -> str:
    value = figure.get(name) if isinstance(figure, Mapping) else getattr(figure, name, "")
    return str(value or "")


def language_name(tag: str) -> str:
    return str(LANGUAGES.get(tag, tag))


def scenario_name(key: str) -> str:
    return str(SCENARIOS.get(key, key)) if key else str(_("No scenario"))


def crossing_words(override: Mapping[str, Any]) -> str:
    """Which writers stand in which splits, and why that was let pass; other things of an imported manifest as they are.

    >>> crossing_words({"writers": [{"writer": "w7", "splits": ["test", "train"]}], "reason": "Pilot."})
    'w7 (test, train). Pilot.'
    """
    try:
        writers = "; ".join(
            f"{writer['writer']} ({', '.join(writer['splits'])})" for writer in override["writers"]
        )
        return f"{writers}. {override['reason']}"
    except (KeyError, TypeError):
        return str(override)


def structure_name(key: str) -> str:
    return str(STRUCTURES.get(key, key))


def metric_name(key: str) -> str:
    if key in OVERALLS:
        return str(OVERALLS[key])
    translate = gettext  # the label is marked in the registry
    return translate(METRICS[key].label) if key in METRICS else key


def group_name(group: str) -> str:
    """Words for a group of a score: `language:en`, `scenario:letters_notes`, a suite's subtask, or all."""
    kind, _colon, value = group.partition(":")
    if kind == "language" and value:
        return language_name(value)
    if kind == "scenario":
        return scenario_name(value)
    if kind == "structure" and value:
        return structure_name(value)
    if kind == "difficulty":
        return str(pgettext("group", "Difficulty %(level)s") % {"level": value})
    return str(pgettext("group", "All samples")) if group == "all" else group
