"""The form in which a release wants predictions of its formula pages: by region, or as one page of Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluation.models import GoldItem, Release
from evaluation.predictions import Content, Regions, Text

PAGE, REGIONS = "page", "regions"
FORMS = (PAGE, REGIONS)


def formula_answers(release: Release) -> str:
    """`PAGE` or `REGIONS`; a release without the setting wants pages."""
    form = release.manifest.get("settings", {}).get("formula_answers")
    return form if form in FORMS else PAGE


def is_by_region(release: Release, structure: str, record: Mapping[str, Any]) -> bool:
    """True for an item whose prediction is by region."""
    return structure == "formula" and bool(record.get("regions")) and formula_answers(release) == REGIONS


def asks_for_regions(release: Release, item: GoldItem) -> bool:
    return is_by_region(release, item.structure, item.record)


def reference_of(release: Release, structure: str, record: Mapping[str, Any]) -> Content:
    """The ground truth of a record in the form that the release wants predictions in."""
    if is_by_region(release, structure, record):
        return Regions({str(region["number"]): region["latex"] for region in record["regions"]})
    return Text(str(record["text"]))
