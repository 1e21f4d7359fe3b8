"""Whether each writer's samples are in one split, so that no writer is in both training and test data."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from annotation.models import Sample


@dataclass(frozen=True, slots=True)
class CrossingWriter:
    """A writer with samples in more than one split, as (split, number of samples), by name."""

    writer: str
    splits: tuple[tuple[str, int], ...]

    def as_dict(self) -> dict[str, Any]:
        """As it is written into the manifest of a release."""
        return {"writer": self.writer, "splits": [split for split, _ in self.splits]}


def writers_across_splits(samples: QuerySet[Sample]) -> list[CrossingWriter]:
    """Writers with samples in two or more splits, by name. Samples without a writer or a split are ignored."""
    rows = (
        samples.exclude(writer_id="")
        .exclude(split="")
        .order_by("writer_id", "split")
        .values_list("writer_id", "split")
        .annotate(n=Count("pk"))
    )
    splits_of_writer: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for writer, split, count in rows:
        splits_of_writer[writer].append((split, count))
    return [
        CrossingWriter(writer, tuple(splits))
        for writer, splits in splits_of_writer.items()
        if len(splits) > 1
    ]
