"""How one text becomes another: a deterministic optimal alignment, its costs, and its error segments.

Among the many alignments of equal cost, rapidfuzz's is taken: it depends on the two sequences alone, so that
the same pair shows the same errors everywhere (score details, `--explain`, prior-driven error).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from evaluation.metrics.edge_cases import TooLarge

MAX_CELLS = 100_000_000_000
"""Most cells (prediction length times reference length) compared: some four seconds of work."""


class EditOperation(StrEnum):
    """What happens to a stretch of the reference on the way to the prediction."""

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
        """Edits in this stretch."""
        if self.operation is EditOperation.EQUAL:
            return 0
        return max(self.reference_end - self.reference_start, self.prediction_end - self.prediction_start)


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Units matched, replaced, left out and made up; `hits + substitutions + deletions` = the reference."""

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        """The edit distance."""
        return self.substitutions + self.deletions + self.insertions


def distance(prediction: Sequence[str], reference: Sequence[str]) -> int:
    """Levenshtein distance with unit costs over characters or tokens; `TooLarge` over `MAX_CELLS`.

    >>> distance("kitten", "sitting"), distance(["a", "b"], ["a", "c"])
    (3, 1)
    """
    if prediction == reference:
        return 0
    _check(prediction, reference)
    return Levenshtein.distance(prediction, reference)


def align(prediction: Sequence[str], reference: Sequence[str]) -> list[AlignedSegment]:
    """The alignment as stretches that cover both sides in order; `TooLarge` over `MAX_CELLS`.

    >>> [(stretch.operation.value, stretch.cost) for stretch in align("abxd", "abcde")]
    [('equal', 0), ('replace', 1), ('equal', 0), ('delete', 1)]
    """
    _check(prediction, reference)
    return [
        AlignedSegment(EditOperation(step.tag), step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(reference, prediction)
    ]


def count_operations(stretches: Sequence[AlignedSegment]) -> EditCounts:
    """The units of each operation.

    >>> count_operations(align("abxd", "abcde"))
    EditCounts(hits=3, substitutions=1, deletions=1, insertions=0)
    """
    sums = dict.fromkeys(EditOperation, 0)
    for stretch in stretches:
        length = stretch.reference_end - stretch.reference_start
        inserted = stretch.prediction_end - stretch.prediction_start
        sums[stretch.operation] += inserted if stretch.operation is EditOperation.INSERT else length
    return EditCounts(
        sums[EditOperation.EQUAL],
        sums[EditOperation.REPLACE],
        sums[EditOperation.DELETE],
        sums[EditOperation.INSERT],
    )


def is_reference_too_large(reference: Sequence[str]) -> bool:
    """Whether even an answer of the reference's own length would be over `MAX_CELLS`."""
    return len(reference) ** 2 > MAX_CELLS


def _check(prediction: Sequence[str], reference: Sequence[str]) -> None:
    if len(prediction) * len(reference) > MAX_CELLS:
        sizes = f"{len(prediction)} x {len(reference)}"
        raise TooLarge(f"{sizes} units to compare, over {MAX_CELLS} cells (MAX_CELLS)")
