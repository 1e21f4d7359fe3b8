"""Deterministic optimal alignment of two sequences: segments, costs and edit counts.

Of the alignments of equal cost rapidfuzz's is taken. It depends on the two sequences alone, so the same pair shows the
same errors everywhere (score details, `--explain`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from evaluation.metrics.edge_cases import TooLarge

MAX_CELLS = 100_000_000_000
"""Largest product of the two lengths that is compared; about four seconds."""


class EditOperation(StrEnum):
    """What turns a segment of the reference into the prediction."""

    EQUAL = "equal"
    REPLACE = "replace"
    DELETE = "delete"  # in the reference, not in the prediction
    INSERT = "insert"  # in the prediction, not in the reference


@dataclass(frozen=True, slots=True)
class AlignedSegment:
    """`reference[reference_start:reference_end]` against `prediction[prediction_start:prediction_end]`."""

    operation: EditOperation
    reference_start: int
    reference_end: int
    prediction_start: int
    prediction_end: int

    @property
    def cost(self) -> int:
        """Number of edits in this segment."""
        if self.operation is EditOperation.EQUAL:
            return 0
        return max(self.reference_end - self.reference_start, self.prediction_end - self.prediction_start)


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Units equal, replaced, deleted and inserted; hits + substitutions + deletions = length of the reference."""

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        """The edit distance."""
        return self.substitutions + self.deletions + self.insertions


def distance(prediction: Sequence[str], reference: Sequence[str]) -> int:
    """Levenshtein distance with unit costs over characters or tokens. Raises TooLarge over MAX_CELLS.

    >>> distance("kitten", "sitting"), distance(["a", "b"], ["a", "c"])
    (3, 1)
    """
    if prediction == reference:
        return 0
    _check(prediction, reference)
    return Levenshtein.distance(prediction, reference)


def align(prediction: Sequence[str], reference: Sequence[str]) -> list[AlignedSegment]:
    """The alignment as segments that cover both sides in order. Raises TooLarge over MAX_CELLS.

    >>> [(segment.operation.value, segment.cost) for segment in align("abxd", "abcde")]
    [('equal', 0), ('replace', 1), ('equal', 0), ('delete', 1)]
    """
    _check(prediction, reference)
    return [
        AlignedSegment(EditOperation(step.tag), step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(reference, prediction)
    ]


def count_operations(segments: Sequence[AlignedSegment]) -> EditCounts:
    """The number of units of each operation.

    >>> count_operations(align("abxd", "abcde"))
    EditCounts(hits=3, substitutions=1, deletions=1, insertions=0)
    """
    sums = dict.fromkeys(EditOperation, 0)
    for segment in segments:
        length = segment.reference_end - segment.reference_start
        inserted = segment.prediction_end - segment.prediction_start
        sums[segment.operation] += inserted if segment.operation is EditOperation.INSERT else length
    return EditCounts(
        sums[EditOperation.EQUAL],
        sums[EditOperation.REPLACE],
        sums[EditOperation.DELETE],
        sums[EditOperation.INSERT],
    )


def is_reference_too_large(reference: Sequence[str]) -> bool:
    """Whether even a prediction as long as the reference would exceed MAX_CELLS."""
    return len(reference) ** 2 > MAX_CELLS


def _check(prediction: Sequence[str], reference: Sequence[str]) -> None:
    if len(prediction) * len(reference) > MAX_CELLS:
        sizes = f"{len(prediction)} x {len(reference)}"
        raise TooLarge(f"{sizes} units to compare, over {MAX_CELLS} cells (MAX_CELLS)")
