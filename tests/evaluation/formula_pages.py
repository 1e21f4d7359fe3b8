"""Pages of formulas with their regions, and releases of them."""

from __future__ import annotations

from evaluation.record_parts import RecordRegion
from tests.factories import make_gold, make_gold_release, make_project

LATEX = ("x^2+1", r"\frac{a}{b}", "y=2")
PLACES = (
    ((10, 10), (100, 10), (100, 40), (10, 40)),
    ((10, 60), (100, 60), (60, 100)),
    ((120.5, 60), (200, 60), (200, 100.25)),
)


def formula_page(latex=LATEX, **fields):
    return make_gold(
        "\n\n".join(f"$${formula}$$" for formula in latex),
        structure="formula",
        regions=tuple(
            RecordRegion(n, place, formula)
            for n, (place, formula) in enumerate(zip(PLACES, latex, strict=False), 1)
        ),
        **fields,
    )


def release_of(form, *records):
    return make_gold_release(
        make_project().team, records or [formula_page()], settings={"formula_answers": form}
    )
