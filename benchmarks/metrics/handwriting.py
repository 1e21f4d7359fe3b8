"""Synthetic samples like OmniHandwritingOCR's: its counts per subtask, its label lengths, seeded noise."""

from __future__ import annotations

import random
from collections.abc import Iterator

from evaluation.metrics.bundles import ScoringSample
from evaluation.predictions import Text

COUNTS = {
    "en-text": 11_859,
    "zh-text": 12_529,
    "sl-formula": 15_096,
    "ml-easy": 9_601,
    "ml-medium": 15_488,
    "ml-hard": 12_999,
}
"""Pairs per subtask, 77,572 together (the paper, "Dataset")."""

_LENGTHS = {
    "en-text": 50,
    "zh-text": 45,
    "sl-formula": 45,
    "ml-easy": 157,
    "ml-medium": 300,
    "ml-hard": 489,
}
_WORDS = [
    "the",
    "a",
    "of",
    "and",
    "he",
    "was",
    "to",
    "in",
    "that",
    "his",
    "it",
    "had",
    "with",
    "as",
    "at",
    "by",
    "letter",
    "night",
    "house",
    "river",
    "hand",
    "under",
    "the",
    "by",
    "of",
]
_CHARACTERS = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种"
    "面而方后多定行学法所民得经"
)
_PIECES = (
    r"\frac{1}{2}", r"\sqrt{x}", r"\alpha", r"\sin x", "x^{2}", "y_{1}", "+", "-", "=", "(", ")", "12", "3.5",
    r"\cos\theta", r"\left(a+b\right)", "解：", "由题意得", "所以", "，", r"\therefore", "AB", r"\le", "0",
)  # fmt: skip


def handwriting_samples(share: float = 1.0, seed: int = 7) -> Iterator[ScoringSample]:
    """`share` of the 77,572 pairs, each prediction with about one error in twelve characters; reproducible."""
    draw = random.Random(seed)
    for subtask, count in COUNTS.items():
        for number in range(round(count * share)):
            label = _label(subtask, draw)
            structure = "text" if subtask.endswith("text") else "formula"
            yield ScoringSample(
                f"{subtask}-{number}", structure, Text(_noisy(label, draw)), Text(label), "", subtask
            )


def _label(subtask: str, draw: random.Random) -> str:
    length = max(8, round(draw.lognormvariate(0, 0.4) * _LENGTHS[subtask]))
    if subtask == "en-text":
        return _joined(_WORDS, " ", length, draw)
    if subtask == "zh-text":
        return "".join(draw.choices(_CHARACTERS, k=length))
    if subtask == "sl-formula":
        return _joined(_PIECES[:15], "", length, draw)
    lines = max(2, length // 40)
    return "\n".join(_joined(_PIECES, "", length // lines, draw) for _ in range(lines))


def _joined(pieces: tuple[str, ...] | list[str], between: str, length: int, draw: random.Random) -> str:
    taken: list[str] = []
    while sum(map(len, taken)) + len(between) * len(taken) < length:
        taken.append(draw.choice(pieces))
    return between.join(taken)


def _noisy(label: str, draw: random.Random) -> str:
    signs = list(label)
    for _ in range(len(label) // 12):
        place = draw.randrange(len(signs))
        change = draw.random()
        if change < 0.6:
            signs[place] = draw.choice(signs)
        elif change < 0.8 and len(signs) > 1:
            del signs[place]
        else:
            signs.insert(place, draw.choice(signs))
    return "".join(signs)
