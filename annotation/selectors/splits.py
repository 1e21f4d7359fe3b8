"""Whether the writers of a set of samples keep to one split each, so that no test set knows a training hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from annotation.models import Sample


@dataclass(frozen=True, slots=True)
class CrossingWriter:
    """A writer whose samples lie in more than one split: (split, how many samples there), by name."""

    writer: str
    splits: tuple[tuple[str, int], ...]

    def as_dict(self) -> dict[str, Any]:
        """As the manifest of a release names it."""
        return {"writer": self.writer, "splits": [split for split, _ in self.splits]}


def writers_across_splits(samples: QuerySet[Sample]) -> list[CrossingWriter]:
    """Every writer found in two splits or more, by name. Samples without a writer or a split cross nothing."""
    rows = (
        samples.exclude(writer_id="")
        .exclude(split="")
        .order_by("writer_id", "split")
        .values_list("writer_id", "split")
        .annotate(n=Count("pk"))
    )
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for writer, split, count in rows:
        found[writer].append((split, count))
    return [CrossingWriter(writer, tuple(splits)) for writer, splits in found.items() if len(splits) > 1]
