
from rapidfuzz.distance import Levenshtein

from evaluation.metrics.base import Direction, Score, Signature, Status


def edit(prediction: str, reference: str, *, preset: str = "none") -> Score:
    """Normalised edit distance of two texts as they stand, 0..1, 0 is best; empty against empty is 0."""
    longer = max(len(prediction), len(reference))
    distance = Levenshtein.distance(prediction, reference)
    return Score(
        value=distance / longer if longer else 0.0,
        numerator=distance,
        denominator=longer,
        n=1,
        n_failed=0,
        direction=Direction.LOWER,
        status=Status.SCORED,
        signature=Signature("edit", preset),
    )
