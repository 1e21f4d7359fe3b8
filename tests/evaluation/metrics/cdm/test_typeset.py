"""The typesetter against TeX: sizes of formulas measured with pdfTeX (TeX Live 2022), and with one installed here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evaluation.metrics.cdm.tex.boxes import pack
from evaluation.metrics.cdm.tex.lexer import tokenize
from evaluation.metrics.cdm.tex.machine import Machine
from evaluation.metrics.cdm.tex.nodes import Box
from evaluation.metrics.cdm.tex.state import CannotTypeset
from evaluation.metrics.cdm.tex.typeset import set_list
from evaluation.metrics.cdm.tex.vocabulary import GROUP_MAKERS, meanings

from .conftest import ROOT
from .tex_oracle import measure

MEASURED = [json.loads(row) for row in (ROOT / "tests/data/tex_sizes.jsonl").read_text("utf-8").splitlines()]
_POINTS = 0.02  # TeX rounds to 1/65536 pt at every step; this implementation does not


def typeset(latex: str) -> tuple[Box, int]:
    machine = Machine(meanings(), GROUP_MAKERS)
    return pack(set_list(machine.run(tokenize(latex)), 0)), machine.errors


@pytest.mark.parametrize("row", MEASURED, ids=[row["latex"] for row in MEASURED])
def test_formula_when_typeset_then_as_large_as_tex_makes_it(row: dict[str, float]) -> None:
    box, _ = typeset(str(row["latex"]))
    sizes = (row["width"], row["height"], row["depth"])
    assert (box.width, box.height, box.depth) == pytest.approx(sizes, abs=_POINTS)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_formulas_when_tex_is_installed_then_as_large_as_it_makes_them(tmp_path: Path) -> None:
    latex = [str(row["latex"]) for row in MEASURED]
    for formula, sizes in zip(latex, measure(latex, tmp_path), strict=True):
        box, _ = typeset(formula)
        assert (box.width, box.height, box.depth) == pytest.approx(sizes, abs=_POINTS), formula


@pytest.mark.parametrize(
    ("latex", "errors", "same_as"),
    [
        (r"a\foo b", 1, "ab"),  # undefined commands are dropped
        (r"x}y", 1, "xy"),  # a stray brace is dropped
        (r"{x", 1, "x"),  # a missing one is inserted
        (r"\left(x", 1, r"\left(x\right."),
        (r"x\right)", 1, "x"),
        (r"a&b", 1, "ab"),
        (r"x^2^3", 1, r"x^2{}^3"),
        (r"x\limits_2", 1, "x_2"),
        (r"\begin{array}{l}{a\\b\end{array}", 1, r"\begin{array}{l}a\\b\end{array}"),
        (r"\begin{array}{l}a&b\end{array}", 1, r"\begin{array}{l}a\\b\end{array}"),
        (
            r"\left(\begin{array}{l}\left[a\\b\end{array}\right)",
            1,
            r"\left(\begin{array}{l}\left[a\right.\\b\end{array}\right)",
        ),
        (r"\begin{foo}x\end{foo}", 2, "x"),
        (r"\begin{array}{l}a", 2, r"\begin{array}{l}a\end{array}"),
        (r"\left x", 1, r"\left.x\right."),
    ],
)
def test_machine_when_input_is_broken_then_recovers_as_tex_does(
    latex: str, errors: int, same_as: str
) -> None:
    box, tokens = typeset(latex)
    expected, _ = typeset(same_as)
    assert tokens >= errors
    assert (box.width, box.height) == pytest.approx((expected.width, expected.height))


@pytest.mark.parametrize("latex", [r"\frac{a", r"\sqrt[2", r"\foo" * 100, "{" * 300])
def test_machine_when_tex_would_give_up_then_says_so(latex: str) -> None:
    with pytest.raises(CannotTypeset):
        typeset(latex)
