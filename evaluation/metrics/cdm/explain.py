"""Explanation of a compared pair as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from .comparison import FormulaComparison, compare
from .overlay import token_statuses
from .presets import find_preset

_SHOWN = 200  # tokens listed per side


def explain_pair(prediction: str, reference: str, *, preset: str) -> Iterator[str]:
    """Both token lists, then the pairs with their status, then the tokens without a partner.

    >>> [line for line in explain_pair("a+c", "a+b", preset="inkbench-1") if "different" in line]
    ['  b -> c  different mark']
    """
    comparison = compare(prediction, reference, find_preset(preset))
    for side, layout in (("reference", comparison.reference), ("prediction", comparison.prediction)):
        tokens = [box.token for box in layout.drawing.boxes]
        more = f" ... ({len(tokens) - _SHOWN} more)" if len(tokens) > _SHOWN else ""
        yield f"{side}: {layout.status.value}, {len(tokens)} tokens: {' '.join(tokens[:_SHOWN])}{more}"
        if layout.reason:
            place = f" at character {layout.position}" if layout.position is not None else ""
            yield f"  {layout.reason}{place}"
    if comparison.matched is not None:
        yield from _pairs(comparison)


_WORDS = {"matched": "matched", "wrong": "different mark", "moved": "out of position"}


def _pairs(comparison: FormulaComparison) -> Iterator[str]:
    assert comparison.matched is not None
    left, right = token_statuses(comparison)
    ref, pred = comparison.reference.drawing.boxes, comparison.prediction.drawing.boxes
    for pair in comparison.matched.pairs[:_SHOWN]:
        spelling = "" if ref[pair.reference].token == pred[pair.prediction].token else " "
        other = f" -> {pred[pair.prediction].token}" if spelling else ""
        yield f"  {ref[pair.reference].token}{other}  {_WORDS[left[pair.reference].value]}"
    for boxes, states, word in ((ref, left, "missed"), (pred, right, "extra")):
        yield from (
            f"  {box.token}  {word}" for box, fate in zip(boxes, states, strict=True) if fate.value == word
        )
