"""Releases of tables and formulas for baselines."""

from __future__ import annotations

from evaluation.models import Release
from evaluation.record_parts import RecordRegion
from tests.baseline.made import release_of
from tests.factories import make_gold

TABLE = "<table><tr><th>ink</th><th>pages</th></tr><tr><td>black</td><td>12</td></tr></table>"
LATEX = ("x^2+1", r"\frac{a}{b}")
PLACES = (
    ((10, 10), (100, 10), (100, 40), (10, 40)),
    ((10, 60), (100, 60), (60, 100)),
)


def table_release(n: int = 2) -> Release:
    """Tables that differ in their last cell."""
    return release_of(
        make_gold(TABLE.replace("12", str(12 + index)), structure="table", origins=()) for index in range(n)
    )


def formula_release(form: str, n: int = 2) -> Release:
    """Pages of two formulas, answered by region or as a page."""
    return release_of([_formulas(index) for index in range(n)], settings={"formula_answers": form})


def _formulas(index: int) -> object:
    latex = (LATEX[0].replace("1", str(1 + index)), LATEX[1])
    regions = tuple(
        RecordRegion(n, place, formula)
        for n, (place, formula) in enumerate(zip(PLACES, latex, strict=True), 1)
    )
    return make_gold("\n\n".join(f"$${formula}$$" for formula in latex), structure="formula", regions=regions)
