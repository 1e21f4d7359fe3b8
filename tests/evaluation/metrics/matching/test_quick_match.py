"""Matching of predicted blocks with gold; unmatched gold scores worst, unmatched predictions are shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching import BlockKind, GoldBlock, PageMatch, match_page
from evaluation.metrics.matching.extract import MAX_PAGE
from evaluation.metrics.matching.quick_match import MAX_BLOCKS

HEAT = "Heat flows from hot bodies to cold ones, never back."
WORK = "Work is done when a force moves its point of application."
ORDER = "Disorder grows wherever nobody tidies up behind it."
CELL = "<table><tr><td>{}</td></tr></table>".format


def text(name: str, content: str, *, is_ignored: bool = False) -> GoldBlock:
    return GoldBlock(name, BlockKind.TEXT, content, is_ignored)


def formula(name: str, content: str) -> GoldBlock:
    return GoldBlock(name, BlockKind.FORMULA, content)


def table(name: str, content: str) -> GoldBlock:
    return GoldBlock(name, BlockKind.TABLE, content)


def found(match: PageMatch) -> dict[tuple[str, ...], str | None]:
    return {pair.gold_ids: pair.prediction for pair in match.matches}


def test_blocks_when_in_another_order_then_each_matches_its_own() -> None:
    match = match_page(f"{ORDER}\n\n{HEAT}\n\n{WORK}", [text("h", HEAT), text("w", WORK), text("o", ORDER)])
    assert found(match) == {("h",): HEAT, ("w",): WORK, ("o",): ORDER}
    assert {pair.distance for pair in match.matches} == {0.0}


def test_gold_when_nothing_matches_it_then_unmatched_and_worst() -> None:
    match = match_page(HEAT, [text("h", HEAT), formula("f", "$$E = mc^2$$"), table("t", CELL("a"))])
    assert found(match) == {("h",): HEAT, ("f",): None, ("t",): None}
    assert match.pairs(BlockKind.FORMULA) == [(None, "$$E = mc^2$$")]
    assert match.counts()["table"] == {"matched": 0, "unmatched": 1, "extra": 0}


def test_prediction_when_there_is_no_gold_then_counted_and_text_is_scored_against_nothing() -> None:
    match = match_page(f"{HEAT}\n\n{WORK}\n\n$$x$$\n\n{CELL('b')}", [text("h", HEAT)])
    assert [block.kind for block in match.extra] == [BlockKind.TEXT, BlockKind.FORMULA, BlockKind.TABLE]
    assert match.pairs(BlockKind.TEXT) == [(HEAT, HEAT), (WORK, "")]
    assert match.pairs(BlockKind.FORMULA) == match.pairs(BlockKind.TABLE) == []
    assert match.counts()["formula"]["extra"] == 1


def test_page_when_never_predicted_then_all_gold_is_unmatched() -> None:
    match = match_page(None, [text("h", HEAT), text("n", "7", is_ignored=True), table("t", CELL("a"))])
    assert found(match) == {("h",): None, ("t",): None}


def test_page_when_predicted_with_nothing_then_all_gold_is_unmatched() -> None:
    assert found(match_page("", [text("h", HEAT)])) == {("h",): None}


def test_gold_when_predicted_in_pieces_then_the_run_is_joined() -> None:
    whole = f"{HEAT} {WORK}"
    match = match_page(f"{ORDER}\n\n{HEAT}\n\n{WORK}", [text("o", ORDER), text("b", whole)])
    assert found(match) == {("o",): ORDER, ("b",): f"{HEAT}\n{WORK}"}
    assert match.extra == ()


def test_gold_when_several_blocks_are_predicted_as_one_then_joined() -> None:
    match = match_page(f"{HEAT} {WORK}\n\n{ORDER}", [text("h", HEAT), text("w", WORK), text("o", ORDER)])
    assert found(match) == {("h", "w"): f"{HEAT} {WORK}", ("o",): ORDER}
    assert match.pairs(BlockKind.TEXT)[0] == (f"{HEAT} {WORK}", f"{HEAT}\n{WORK}")


def test_ignored_gold_when_predicted_then_taken_away_without_a_score() -> None:
    gold = [text("n", "Page 17 of 20", is_ignored=True), text("h", HEAT)]
    match = match_page(f"Page 17 of 20\n\n{HEAT}", gold)
    assert found(match) == {("h",): HEAT}
    assert [block.content for block in match.ignored] == ["Page 17 of 20"]
    assert match.extra == ()


def test_ignored_gold_when_not_predicted_then_costs_nothing() -> None:
    match = match_page(HEAT, [text("n", "Page 17 of 20", is_ignored=True), text("h", HEAT)])
    assert found(match) == {("h",): HEAT}


def test_formula_when_predicted_inline_then_found_there() -> None:
    match = match_page(f"{HEAT}\n\nso that $Q = m c T$ holds", [text("h", HEAT), formula("f", "$$Q=mcT$$")])
    assert found(match)[("f",)] == "\\[Q = m c T\\]"


def test_inline_formula_when_unclaimed_then_not_left_over() -> None:
    match = match_page(f"{HEAT} with $x$", [text("h", f"{HEAT} with $x$")])
    assert match.extra == ()


def test_formula_when_delimiters_and_fonts_differ_then_matched_at_no_distance() -> None:
    match = match_page("$$\\mathbf{x} = \\left( 1 \\right)$$", [formula("f", "\\[{x}=(1)\\]")])
    [pair] = match.matches
    assert pair.distance == 0.0


def test_formula_when_one_column_array_then_matched_row_by_row() -> None:
    page = "$$\\begin{array}{l} a+b=1 \\\\ c+d=2 \\end{array}$$"
    match = match_page(page, [formula("f", "$$c+d=2$$"), formula("g", "$$a+b=1$$")])
    assert found(match) == {("f",): "\\[c+d=2\\]", ("g",): "\\[a+b=1\\]"}
    split = match_page("$$c+d=2$$", [formula("f", page)])
    assert found(split) == {("f#1",): None, ("f#2",): "\\[c+d=2\\]"}


def test_formula_and_text_when_nothing_is_shared_then_not_forced_together() -> None:
    match = match_page(f"{HEAT}\n\n{WORK}", [text("h", HEAT), formula("f", "$$\\sum_{i=1}^{9} i^{3}$$")])
    assert found(match) == {("h",): HEAT, ("f",): None}
    assert [block.content for block in match.extra] == [WORK]


def test_text_when_poorly_read_then_still_paired_with_what_is_left() -> None:
    match = match_page(f"{HEAT}\n\nWqrk xs dzne vhzn q fprce", [text("h", HEAT), text("w", WORK)])
    assert found(match)[("w",)] == "Wqrk xs dzne vhzn q fprce"


def test_only_pair_when_far_apart_then_paired() -> None:
    match = match_page("zzz", [text("h", HEAT)])
    assert found(match) == {("h",): "zzz"}


def test_tables_when_swapped_then_each_matches_its_own() -> None:
    match = match_page(
        f"{CELL('beta')}\n\n{CELL('alpha')}", [table("a", CELL("alpha")), table("b", CELL("beta"))]
    )
    assert found(match) == {("a",): CELL("alpha"), ("b",): CELL("beta")}


def test_tables_when_written_with_pipes_then_matched_as_html() -> None:
    match = match_page(
        "| a |\n|---|\n| b |", [table("t", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>")]
    )
    assert match.matches[0].prediction == "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>"


def test_latex_table_when_html_ones_are_fewer_then_taken_as_it_is() -> None:
    latex = "\\begin{tabular}{l}a\\end{tabular}"
    match = match_page(latex, [table("t", CELL("a"))])
    assert found(match) == {("t",): latex}


def test_text_when_predicted_inside_a_spare_table_then_its_cells_are_offered() -> None:
    page = f"{CELL('alpha')}\n\n<table><tr><td>{HEAT}</td></tr></table>"
    match = match_page(page, [table("t", CELL("alpha")), text("h", HEAT)])
    assert found(match) == {("t",): CELL("alpha"), ("h",): HEAT}
    assert match.counts()["table"]["extra"] == 1


def test_gold_when_it_means_nothing_to_the_matcher_then_left_out() -> None:
    assert found(match_page(HEAT, [text("h", HEAT), text("r", "---")])) == {("h",): HEAT}


def test_gold_when_masked_then_the_mask_costs_no_distance() -> None:
    match = match_page("dear reader", [text("t", "dear ⟦masked⟧reader")])
    assert match.matches[0].distance == 0.0


def test_page_when_over_a_limit_then_refused_by_name() -> None:
    with pytest.raises(TooLarge, match="MAX_BLOCKS"):
        match_page("\n\n".join(f"line {index}" for index in range(MAX_BLOCKS + 1)), [text("h", HEAT)])
    with pytest.raises(TooLarge, match="MAX_PAGE"):
        match_page(HEAT, [text("h", "a" * (MAX_PAGE + 1))])


def test_preset_when_unknown_then_the_known_ones_are_named() -> None:
    with pytest.raises(ValueError, match="omnidocbench, by-region"):
        match_page(HEAT, [], preset="simple")


VOCABULARY = ["heat", "work", "flows", "cold", "hot", "body", "force", "point", "never", "back"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1)
PARTS = st.one_of(
    WORDS.map(" ".join),
    st.integers(0, 99).map("$$x_{{{}}} = y$$".format),
    st.integers(0, 99).map(CELL),
)
KINDS = {"$": BlockKind.FORMULA, "<": BlockKind.TABLE}


def as_gold(parts: list[str]) -> list[GoldBlock]:
    return [
        GoldBlock(f"g{index}", KINDS.get(part[0], BlockKind.TEXT), part) for index, part in enumerate(parts)
    ]


@settings(deadline=None)
@given(st.lists(PARTS, max_size=7), st.lists(PARTS, max_size=7))
def test_page_when_matched_then_every_piece_is_somewhere_exactly_once(
    page: list[str], gold: list[str]
) -> None:
    match = match_page("\n\n".join(page), as_gold(gold))
    ids = [name for pair in match.matches for name in pair.gold_ids]
    assert sorted(ids) == sorted(block.id for block in as_gold(gold))
    used = [block.content for pair in match.matches for block in pair.blocks if block.origin != "cell"]
    assert len(used) + len(match.extra) == len(page)
    assert all(0.0 <= pair.distance <= 1.0 for pair in match.matches)
    assert match == match_page("\n\n".join(page), as_gold(gold))


@settings(deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=7, unique=True))
def test_page_when_it_is_the_gold_then_nothing_is_missing_or_left_over(gold: list[str]) -> None:
    match = match_page("\n\n".join(gold), as_gold(gold))
    assert all(pair.prediction is not None for pair in match.matches)
    assert match.extra == ()
