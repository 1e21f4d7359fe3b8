"""Matching of a grader's error names to the error types of the taxonomy."""

from __future__ import annotations

import difflib
from functools import lru_cache

from evaluation.payloads.taxonomy import Taxonomy, domain_id, label_id, label_key

NEAR_ENOUGH = 0.84
"""Smallest difflib ratio at which a misspelt name is matched to a type (SketchJudge's evaluator)."""


def match_label(domain: str, name: str | None, *, taxonomy: Taxonomy) -> str | None:
    """The label id of the type that `name` denotes in the domain, or None.

    Case and punctuation are ignored. Otherwise the nearest type is taken if its difflib ratio to the name is at least
    0.84; ties go to the first in taxonomy order.

    >>> from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY
    >>> match_label("Flowchart", "Connection Errors", taxonomy=DIAGRAM_TAXONOMY)
    'flowchart::connection error'
    >>> match_label("flowchart", "Omission Error", taxonomy=DIAGRAM_TAXONOMY) is None
    True
    """
    if name is None or not name.strip():
        return None
    domain = domain_id(domain)
    keys = tuple(label_key(kind.name) for kind in taxonomy.types(domain))
    nearest = _nearest(label_key(name), keys)
    return None if nearest is None else label_id(domain, nearest)


@lru_cache(maxsize=4096)  # graders repeat the same few names thousands of times
def _nearest(key: str, keys: tuple[str, ...]) -> str | None:
    if key in keys:
        return key
    best, best_ratio = None, 0.0
    for candidate in keys:
        # the ratio is not symmetric; the evaluator uses this order of arguments
        ratio = difflib.SequenceMatcher(a=key, b=candidate).ratio()
        if ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best if best_ratio >= NEAR_ENOUGH else None
