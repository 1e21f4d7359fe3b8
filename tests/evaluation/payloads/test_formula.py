"""Formula pages: regions with one LaTeX each, their canonical form and their fields."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import AgreementThresholds, FieldKind, SettledField
from evaluation.payloads.latex import canonical_latex, check_latex
from evaluation.payloads.registry import payload_for
from tests.evaluation.payloads.strategies import stars

FORMULA = payload_for("formula")


def box(x: int, y: int, width: int = 100, height: int = 40) -> list[list[int]]:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def page(*regions: tuple[str, list[list[int]], str]) -> str:
    listed = [{"id": name, "polygon": polygon, "latex": latex} for name, polygon, latex in regions]
    return FORMULA.canonical(json.dumps({"regions": listed}))


A, B, C = ("a", box(0, 0), "x^2"), ("b", box(0, 100), "y_1"), ("c", box(0, 200), "\\frac{1}{2}")


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (r"$$ \alpha  x $$", r"\alpha x"),
        (r"\[ x \]", "x"),
        (r"\begin{equation*} a + b \end{equation*}", "a+b"),
        (r"\frac {1} {2}", r"\frac{1}{2}"),
        (r"\text{ if  so } x", r"\text{ if so }x"),
        (r"\text{a} \text {b c}", r"\text{a}\text{b c}"),
        (r"a \\ [2pt] b \\ c", r"a\\ [2pt]b\\c"),
        (r"\alpha 2", r"\alpha2"),
        (r"\alpha 中", r"\alpha 中"),
        ("x\\ y", "x\\ y"),
        ("e\u0301", "é"),
        (r"\le", r"\le"),
        ("$", "$"),
        ("$$", ""),
    ],
)
def test_canonical_latex(written, canonical):
    assert canonical_latex(written) == canonical


@given(st.text(alphabet="\\$ab{}[]() \n^_%textalpha中\u0301", max_size=30))
def test_canonical_latex_when_done_again_then_the_same(text):
    once = canonical_latex(text)
    assert canonical_latex(once) == once


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("", "LaTeX is missing"),
        (r"\frac{1}{2", "is not closed"),
        ("x}", "has no opening brace"),
        ("a$b", "dollar sign"),
        ("5%", "percent sign"),
        (r"\begin{matrix}a", r"begin\{matrix\} is not closed"),
        (r"\begin{matrix}\end{cases}", "does not match"),
        ("x" * 20_001, "20,001 characters"),
    ],
)
def test_check_latex_when_it_cannot_be_one_formula_then_refused(latex, words):
    with pytest.raises(BadPayload, match=words):
        check_latex(latex)


def test_check_latex_when_signs_are_escaped_then_taken():
    check_latex(r"\{5\%\}\$")


@given(st.lists(st.tuples(stars(), st.sampled_from([r"\frac{a}{b}", "x ^ 2", r"\text{a b} 中", "⟦masked⟧"]))))
def test_round_trip_of_a_page_when_written_and_read_then_nothing_is_lost(regions):
    listed = [
        {"id": f"r{index}", "polygon": [list(point) for point in star], "latex": latex}
        for index, (star, latex) in enumerate(regions)
    ]
    written = FORMULA.canonical(json.dumps({"regions": listed}))
    assert FORMULA.canonical(written) == written
    back = json.loads(written)["regions"]
    assert [(region["id"], region["polygon"]) for region in back] == [
        (region["id"], region["polygon"]) for region in listed
    ]
    assert [region["latex"] for region in back] == [canonical_latex(region["latex"]) for region in listed]
    if listed:
        FORMULA.validate(written, 2000, 2000)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No formula is outlined"),
        ("{", "not valid JSON"),
        ("[]", "regions: must be a list"),
        ('{"regions":[{"id":"a","polygon":[[NaN,0]],"latex":"x"}]}', "NaN is not a number"),
        ('{"regions":[{"id":"a","polygon":[[1e999,0],[1,1],[2,2]],"latex":"x"}]}', "Region 1: Point 1"),
        (
            json.dumps({"regions": [{"id": "a", "polygon": box(0, 0), "latex": " "}]}),
            "Region 1: The LaTeX is missing",
        ),
        (
            json.dumps({"regions": [{"id": "a", "polygon": box(0, 0), "latex": 3}]}),
            "Region 1: latex: must be text",
        ),
        (json.dumps({"regions": [{"id": "a b", "polygon": box(0, 0), "latex": "x"}]}), "Region 1: id"),
        (
            json.dumps({"regions": [{"id": "a", "polygon": box(0, 0), "latex": "x"}] * 2}),
            "Region 2: id: two regions",
        ),
        (
            json.dumps({"regions": [{"id": "a", "polygon": box(901, 0), "latex": "x"}]}),
            "Region 1: Point 2 .* outside",
        ),
        (
            json.dumps({"regions": [{"id": "a", "polygon": [[0, 0], [9, 9], [9, 0], [0, 9]], "latex": "x"}]}),
            "Region 1: The outline crosses itself between points 1 and 3. Move one of them.",
        ),
    ],
)
def test_validate_when_it_is_no_formula_page_then_refused_naming_the_region(text, words):
    with pytest.raises(BadPayload, match=words):
        FORMULA.validate(text, 1_000, 500)


def test_validate_draft_when_unfinished_then_kept():
    FORMULA.validate_draft('{"regions":[{"id":"a","polygon":[[1,1]],"latex":""}]}')
    FORMULA.validate_draft("")
    FORMULA.validate(page(A, B), 100, 140)


def test_words_when_asked_in_another_language_then_every_part_is_translated():
    with pytest.raises(BadPayload) as caught:
        FORMULA.validate(page(("a", box(901, 0), "x")), 1_000, 500)
    assert FORMULA and caught.value.message(lambda text: text.replace("Region", "区域")).startswith(
        "区域 1: "
    )


def test_released_text_is_one_display_paragraph_a_region():
    assert FORMULA.released_text(page(B, A)) == "$$y_1$$\n\n$$x^2$$"


def shifted(region: tuple[str, list[list[int]], str], dx: int, latex: str | None = None, name: str = ""):
    return name or region[0], [[x + dx, y] for x, y in region[1]], latex or region[2]


def unequal(first: str, second: str, **limits: float) -> list[tuple[str, str]]:
    return [
        (pair.kind.value, pair.key)
        for pair in FORMULA.pair(first, second, AgreementThresholds(**limits))
        if not pair.is_equal
    ]


def test_pair_when_only_ids_differ_then_everything_agrees():
    other = page(*(shifted(region, 0, name=f"n{index}") for index, region in enumerate((A, B, C))))
    assert unequal(page(A, B, C), other) == []


def test_pair_when_an_outline_is_off_by_little_then_it_agrees_and_by_more_it_is_a_field():
    # 100 wide, moved by 2: 98/102; by 20: 80/120; by 40: 60/140, no pair any more
    assert unequal(page(A, B), page(shifted(A, 2), B)) == []
    assert unequal(page(A, B), page(shifted(A, 20), B)) == [("region", "a")]
    assert unequal(page(A, B), page(shifted(A, 40), B)) == [("region", "a-2"), ("region", "a")]
    assert unequal(page(A, B), page(shifted(A, 40), B), pair_iou=0.3, agree_iou=0.4) == []


def test_pair_when_latex_differs_then_one_field():
    assert unequal(page(A, B), page(A, shifted(B, 0, "y_l"))) == [("latex", "b")]


def test_pair_when_the_order_differs_then_the_order_is_one_field():
    assert unequal(page(A, B, C), page(C, A, B)) == [("order", "order")]


def test_pair_takes_the_best_one_to_one_not_the_first():
    first = page(("a", box(0, 0), "x"), ("b", box(30, 0), "y"))
    second = page(("p", box(28, 0), "y"), ("q", box(2, 0), "x"))
    pairs = [pair for pair in FORMULA.pair(first, second) if pair.kind is FieldKind.LATEX]
    assert [(pair.key, pair.second) for pair in pairs] == [("a", "x"), ("b", "y")]


def settle(first: str, second: str, **values: str | None):
    """Assemble with the first version's values, except `kind_key`."""
    pairs = FORMULA.pair(first, second)
    return FORMULA.assemble([SettledField(p, values.get(f"{p.kind}_{p.key}", p.first)) for p in pairs])


def test_assemble_when_nothing_was_touched_then_the_first_version_to_the_letter():
    first = page(A, B, C)
    made = settle(first, page(shifted(A, 2), shifted(C, 1, name="z"), shifted(B, 3)))
    assert made.text == first
    assert len(made.sources) == len(FORMULA.keys(first)) == 7


def test_assemble_when_one_latex_is_settled_then_all_else_is_carried():
    made = settle(page(A, B), page(A, shifted(B, 0, "z")), latex_b="z")
    assert made.text == page(A, shifted(B, 0, "z"))


def test_assemble_when_a_region_only_one_has_is_taken_or_left_out():
    first, second = page(A, C), page(A, shifted(B, 0, name="n"), C)
    lone = next(pair for pair in FORMULA.pair(first, second) if pair.key == "n")
    assert settle(first, second).text == first
    assert settle(first, second, region_n=lone.second).text == second
    assert settle(first, second, region_a=None).text == page(C)


def test_assemble_when_the_order_is_settled_then_the_regions_follow_it():
    order = '["c", "b", "a"]'
    assert settle(page(A, B, C), page(C, A, B), order_order=order).text == page(C, B, A)


def test_moot_when_a_region_is_left_out_then_its_latex_matters_no_more():
    pairs = FORMULA.pair(page(A, B), page(shifted(A, 20, "q"), B))
    region, latex = pairs[0], pairs[1]
    assert FORMULA.obsolete_fields([SettledField(region, None)], [latex]) == [latex]
    assert FORMULA.obsolete_fields([SettledField(region, region.first)], [latex]) == []


def test_check_value_of_each_kind():
    pairs = {
        (p.kind, p.key): p for p in FORMULA.pair(page(A, B, C), page(shifted(A, 20), C, shifted(B, 0, "q")))
    }
    region, latex, order = (
        pairs[key] for key in ((FieldKind.REGION, "a"), (FieldKind.LATEX, "b"), (FieldKind.ORDER, "order"))
    )
    assert FORMULA.check_value(region, "[[0,0],[9,0],[9,9.0]]", 100, 100) == "[[0,0],[9,0],[9,9]]"
    assert FORMULA.check_value(region, None, 100, 100) is None
    assert FORMULA.check_value(latex, "$ q + 1 $", 100, 100) == "q+1"
    assert FORMULA.check_value(order, '["b","a","c"]', 100, 100) == '["b", "a", "c"]'
    for pair, bad in (
        (region, "[[0,0],[9,9]]"),
        (region, "{"),
        (latex, " "),
        (latex, None),
        (order, '["a"]'),
    ):
        with pytest.raises(BadPayload):
            FORMULA.check_value(pair, bad, 100, 100)


def test_check_value_of_a_region_that_only_one_has_is_a_whole_region():
    lone = next(p for p in FORMULA.pair(page(A), page(A, B)) if p.first is None)
    value = json.dumps({"polygon": box(0, 100), "latex": "$y$"})
    assert json.loads(FORMULA.check_value(lone, value, 500, 500) or "") == {
        "polygon": box(0, 100),
        "latex": "y",
    }
    with pytest.raises(BadPayload, match="LaTeX is missing"):
        FORMULA.check_value(lone, json.dumps(box(0, 100)), 500, 500)
