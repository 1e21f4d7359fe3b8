"""OmniDocBench 1.6's departures from the shared grammar."""

from __future__ import annotations

import pytest

from evaluation.metrics.cdm import cdm
from evaluation.metrics.cdm.normalise.grammar import FormulaSyntaxError
from evaluation.metrics.cdm.normalise.omnidocbench import adapt


@pytest.mark.parametrize(
    ("latex", "adapted"),
    [
        (r"\begin{gathered}a\\b\end{gathered}", r"\begin{array}{c}a\\b\end{array}"),
        (r"\begin{dcases}a&b\end{dcases}", r"\begin{cases}a&b\end{cases}"),
        (r"\color{red}{x}+y", "{x}+y"),
        (r"\begin { c a s e s } a \end { c a s e s }", r"\begin{matrix} a \end{matrix}"),
        (r"a\\b", "a{}b"),
        (r"\begin{matrix}a\\b\end{matrix}", r"\begin{matrix}a\\b\end{matrix}"),
    ],
)
def test_adapt_when_the_program_reads_it_otherwise_then_rewritten(latex: str, adapted: str) -> None:
    assert adapt(latex) == adapted


@pytest.mark.parametrize(
    ("latex", "position"),
    [
        ("x}", 1),
        ("{x", 2),
        (r"\left(x", 7),
        (r"\end{array}x", 0),
        (r"\begin{array}{l}x", 17),
        ("$x", 2),
        (r"\begin{vmatrix}{a}&b\end{vmatrix}", 15),
    ],
)
def test_adapt_when_the_program_refuses_then_so_do_we(latex: str, position: int) -> None:
    with pytest.raises(FormulaSyntaxError) as error:
        adapt(latex)
    assert error.value.position == position


def test_cdm_when_omnidocbench_then_wrappers_are_stripped() -> None:
    preset = "omnidocbench-1.6"
    assert cdm("```latex\n$$x^{2}+1$$\n```", "x^2+1", preset=preset).value == 1.0
    assert cdm(r"\[x+1\tag{3}\]", "x+1", preset=preset).value == 1.0
