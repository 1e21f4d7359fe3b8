"""How the formula pages of a release are answered: keyed by region, or as one page of Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from evaluation.metrics.base import Failed
from evaluation.models import GoldItem, Release

PAGE, REGIONS = "page", "regions"
FORMS = (PAGE, REGIONS)


def formula_answers(release: Release) -> str:
    """The form the release asks for; releases from before there was a choice ask for pages."""
    found = release.manifest.get("settings", {}).get("formula_answers")
    return found if found in FORMS else PAGE


def is_by_region(release: Release, structure: str, record: Mapping[str, Any]) -> bool:
    """True for an item that is answered region by region."""
    return structure == "formula" and bool(record.get("regions")) and formula_answers(release) == REGIONS


def asks_for_regions(release: Release, item: GoldItem) -> bool:
    return is_by_region(release, item.structure, item.record)


def reference_by_region(record: Mapping[str, Any]) -> str:
    """The gold as scoring by region takes it: a JSON object of LaTeX by number."""
    return regions_json({str(region["number"]): region["latex"] for region in record["regions"]})


def regions_json(answers: Mapping[str, str]) -> str:
    return json.dumps(dict(answers), ensure_ascii=False)


def pages_of(answer: str | None, reference: str) -> tuple[str | None, str]:
    r"""Answer and gold by region as two pages, a line a region, in the gold's order.

    >>> pages_of('{"2": "b", "1": "a"}', '{"1": "x", "2": "y", "3": "z"}')
    ('a\nb\n', 'x\ny\nz')
    """
    wanted = json.loads(reference)
    page = "\n".join(wanted.values())
    if answer is None or isinstance(answer, Failed):
        return answer, page
    given = json.loads(answer)
    return "\n".join(given.get(number, "") for number in wanted), page
