"""Hostile and broken input: a clear status in bounded time, never an exception."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.base import Score, ScoreStatus
from evaluation.metrics.cdm import cdm, cdm_strict
from evaluation.metrics.cdm.name_lists import split_names

PRESETS = ("inkbench-1", "unimernet", "omnidocbench-1.6")
_PIECES = [
    *r"{}[]^_&$#~%'\ ab1+=()|<.α中²𝑥",
    *split_names(
        r"\frac \sqrt \hat \left( \right) \left \right \begin{array}{ll} \end{array} \\ \text \mathrm \rm \over",
        r"\limits \overline \big \xrightarrow \operatorname \binom \displaystyle \begin{cases} \end{cases}",
        r"\underbrace \hspace{1cm} \phantom \color{red} \tag{1} \hline \multicolumn{2}{c}{x} \rule{1pt}{2pt}",
        r"\def\x{\x} \sum \int \mathop \not \prime \substack \raisebox{1pt}{x} \boldsymbol \end \begin \[ \] \(",
    ),
]
HOSTILE = {
    "20,000 letters": "x" * 20_000,
    "20,000 braces": "{" * 10_000 + "}" * 10_000,
    "deep fractions": r"\frac{1}{" * 1_500 + "x" + "}" * 1_500,
    "deep roots": r"\sqrt{" * 2_500 + "x" + "}" * 2_500,
    "deep scripts": "x^{" * 5_000 + "x" + "}" * 5_000,
    "deep arrays": r"\begin{array}{c}" * 500 + "x" + r"\end{array}" * 500,
    "macro bomb": r"\def\a{\b\b}\def\b{\c\c}\def\c{\a\a}\a",
    "the reference's endless loop": r"\xrightarrow [ \sqrt ] { h }",
    "wide array": r"\begin{array}{" + "c" * 2_000 + "}" + "a&" * 5_000 + r"\end{array}",
    "huge lengths": r"\hspace{99999999999999999999pt}\rule{1e9em}{9999999999999cm}x\raisebox{-99999999cm}{y}",
    "rules": r"\hline" * 3_000,
    "repeated columns": r"\begin{array}{*{999999}{c}}a\end{array}",
    "NUL and surrogates": "\x00x\ud800y\udfffz",
    "bidi": "a\u202eb\u2066c",
    "accents": r"\hat" * 4_000 + "x",
    "ampersands": "&" * 20_000,
    "percent": "%" * 20_000,
    "dollars": "$" * 20_000,
    "fence without end": "```latex\n" + "x" * 100,
    "unclosed left": r"\left(" * 3_000,
    "tags": r"\tag" * 5_000,
    "names": "\\" + "a" * 19_000,
}


def check(score: Score) -> None:
    assert isinstance(score.status, ScoreStatus)
    assert score.value is None or 0 <= score.value <= 1


@pytest.mark.parametrize("name", HOSTILE)
def test_cdm_when_input_is_hostile_then_scores_within_seconds(name: str) -> None:
    for preset in PRESETS:
        start = time.process_time()
        check(cdm_strict(HOSTILE[name], "x^2", preset=preset))
        check(cdm("x^2", HOSTILE[name], preset=preset))
        assert time.process_time() - start < 10, preset


def mutated(rng: random.Random, formulas: list[str]) -> str:
    """A formula with a few pieces removed, doubled, swapped or inserted."""
    pieces = list(rng.choice(formulas)[:300])
    for _ in range(rng.randint(1, 4)):
        index = rng.randrange(len(pieces) + 1)
        action = rng.random()
        if action < 0.35 and pieces:
            del pieces[min(index, len(pieces) - 1)]
        elif action < 0.8:
            pieces.insert(index, rng.choice(_PIECES))
        elif pieces:
            pieces.insert(index, pieces[min(index, len(pieces) - 1)])
    return "".join(pieces)


def fuzz(own_rows: list[dict[str, Any]], count: int, seed: int) -> None:
    rng = random.Random(seed)
    formulas = [row[side] for row in own_rows for side in ("gt", "pred") if row[side]]
    for number in range(count):
        latex = mutated(rng, formulas)
        start = time.process_time()
        check(cdm_strict(latex, rng.choice(formulas), preset=PRESETS[number % 3]))
        assert time.process_time() - start < 5, latex


def test_cdm_when_formulas_are_mutated_then_never_raises(own_rows: list[dict[str, Any]]) -> None:
    fuzz(own_rows, 400, seed=1)


@pytest.mark.long
def test_cdm_when_100_000_formulas_are_mutated_then_never_raises(own_rows: list[dict[str, Any]]) -> None:
    fuzz(own_rows, 100_000, seed=2)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), st.sampled_from(PRESETS))
def test_cdm_when_pieces_are_thrown_together_then_never_raises(latex: str, preset: str) -> None:
    check(cdm_strict(latex, r"\frac{a}{b}", preset=preset))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_cdm_when_text_is_arbitrary_then_never_raises(latex: str) -> None:
    check(cdm(latex, "x"))
