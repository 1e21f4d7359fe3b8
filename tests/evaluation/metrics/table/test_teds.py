"""TEDS: differences of inkbench-1 from the public programs, blind spots, edge states, properties."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.table import PRESETS, teds, teds_corpus
from evaluation.predictions import Failed
from tests.evaluation.metrics.table.strategies import ROWS, TABLES, table
from tests.evaluation.metrics.table.tables import PLAIN, value

# Differences of inkbench-1 from the public programs


def test_header_text_when_wrong_then_it_costs() -> None:
    right, wrong = table(("ab",), cell="th"), table(("xy",), cell="th")
    assert value(wrong, right, "pubtabnet") == 1.0
    assert value(wrong, right) == 0.5


def test_header_cells_when_written_as_plain_cells_then_equal() -> None:
    assert value(table(("a", "b")), table(("a", "b"), cell="th")) == 1.0


def test_sections_when_missing_then_equal() -> None:
    sections = "<table><thead><tr><td>h</td></tr></thead><tfoot><tr><td>1</td></tr></tfoot></table>"
    assert value(table(("h",), ("1",)), sections) == 1.0
    assert value(table(("h",), ("1",)), sections, "omnidocbench-1.6") < 1.0


@pytest.mark.parametrize(
    ("span", "read_as"), [("3.0", 3), ("abc", 1), ("", 1), ("0", 1), ("-2", 1), ("9999999", 1000)]
)
def test_span_when_not_a_whole_number_then_repaired_and_reported(span: str, read_as: int) -> None:
    bad = f'<table><tr><td colspan="{span}">a</td></tr></table>'
    good = f'<table><tr><td colspan="{read_as}">a</td></tr></table>'
    score = teds(bad, good)
    assert score.value == 1.0
    assert score.details["repairs"]["prediction"] == [f"row 1, cell 1: colspan={span!r} read as {read_as}"]
    assert teds(bad, bad, preset="pubtabnet").value in (None, 1.0)


def test_span_when_plain_then_not_reported_and_compared() -> None:
    wide = '<table><tr><td colspan="2">a</td></tr></table>'
    assert teds(wide, wide).details["repairs"] == {"prediction": [], "reference": []}
    assert value(table(("a",)), wide) == 0.5


def test_inline_tags_when_many_then_an_error_costs_the_same() -> None:
    plain_error = value(table(("a", "x")), table(("a", "b")))
    bold_error = value(table(("<b>a</b>", "<b><i>x</i></b>")), table(("<b>a</b>", "<b><i>b</i></b>")))
    assert plain_error == bold_error == pytest.approx(2 / 3)
    in_public = value(
        table(("<b>a</b>", "<b><i>x</i></b>")), table(("<b>a</b>", "<b><i>b</i></b>")), "pubtabnet"
    )
    assert in_public > value(table(("a", "x")), table(("a", "b")), "pubtabnet")


def test_emphasis_when_missing_then_equal_but_raised_digits_count() -> None:
    assert value(table(("a",)), table(("<b>a</b>",))) == 1.0
    assert value(table(("x2",)), table(("x<sup>2</sup>",))) < 1.0
    assert value(table(("x<sub>2</sub>",)), table(("x<sup>2</sup>",))) < 1.0


def test_score_when_below_zero_in_public_then_clamped() -> None:
    runaway = "<table>" + "<tr>" * 51
    assert value(runaway, table(("a", "b", "c")), "pubtabnet") < 0.0
    assert value(runaway, table(("a", "b", "c"))) == 0.0


def test_white_space_in_cells_when_different_then_collapsed_but_not_removed() -> None:
    assert value(table(("\n  a \t b ",)), table(("a b",))) == 1.0
    assert value(table(("ab",)), table(("a b",))) < 1.0


def test_line_break_when_in_a_cell_then_a_blank() -> None:
    assert value(table(("a<br>b",)), table(("a b",))) == 1.0


def test_combining_marks_when_composed_otherwise_then_equal() -> None:
    assert value(table(("e\u0301",)), table(("\u00e9",))) == 1.0


def test_entities_when_they_spell_markup_then_stay_text() -> None:
    reference = table(("p&lt;0.05 and q&gt;1",))
    assert value(reference, reference) == 1.0
    assert value(table(("p",)), reference) < 1.0
    assert value(table(("p",)), table(("p&lt;b&gt;",)), "omnidocbench-1.5") > value(
        table(("p",)), table(("p&lt;b&gt;",))
    )


def test_formula_when_given_as_mathml_with_its_latex_then_compared_as_latex() -> None:
    assert value(table(('<math alttext="x^2"><mi>x</mi></math>',)), table(("$x^2$",))) == 1.0


def test_caption_when_missing_then_equal() -> None:
    assert value(PLAIN, PLAIN.replace("<table>", "<table><caption>Runs</caption>")) == 1.0


def test_cells_when_without_a_row_then_a_row_of_their_own() -> None:
    assert value("<table><td>a</td><td>b</td></table>", table(("a", "b"))) == 1.0


def test_prediction_when_a_pipe_table_then_read() -> None:
    assert value("| Trial | Mass |\n|---|---|\n| 1 | 2.31 |", PLAIN) == 1.0


def test_prediction_when_in_a_fence_or_a_sentence_then_read() -> None:
    assert value(f"Here it is:\n```html\n{PLAIN}\n```", PLAIN) == 1.0


def test_nested_table_when_in_a_cell_then_its_text() -> None:
    assert value(table(("a", table(("b",), ("c",)))), table(("a", "b c"))) == 1.0


def test_several_tables_when_in_another_order_then_matched() -> None:
    first, second = table(("a", "b")), table(("c",), ("d",))
    assert value(second + first, first + second) == 1.0
    assert value(second + first, first + second, "omnidocbench-1.5") < 1.0


def test_several_tables_when_one_is_missing_or_too_many_then_its_nodes_count() -> None:
    first, second = table(("a", "b")), table(("c",), ("d",))
    score = teds(first, first + second)
    assert (score.numerator, score.denominator) == (3, 7)
    assert score.details["unmatched_references"] == [1]
    surplus = teds(first + second, first)
    assert (surplus.value, surplus.details["unmatched_predictions"]) == (score.value, [1])


def test_structure_when_only_text_is_wrong_then_full_marks() -> None:
    assert value(table(("x", "y")), table(("a", "b")), structure_only=True) == 1.0
    assert value(table(("x",)), table(("a", "b")), structure_only=True) < 1.0


def test_mask_when_in_the_gold_then_costs_nothing() -> None:
    assert value(table(("a",)), table(("a⟦masked⟧",))) == 1.0
    assert value(table(("a",)), table(("a⟦masked⟧",)), "pubtabnet") == 1.0


# Blind spots, as documented


def test_header_role_when_lost_then_not_seen() -> None:
    assert value(table(("a",)), table(("a",), cell="th")) == 1.0


def test_error_when_in_a_number_then_as_cheap_as_in_a_word() -> None:
    assert value(table(("1000",)), table(("7000",))) == value(table(("sand",)), table(("band",)))


def test_rows_when_swapped_then_costly_though_all_cells_are_right() -> None:
    assert value(table(("a", "b"), ("c", "d")), table(("c", "d"), ("a", "b"))) < 0.4


# Edge states


@pytest.mark.parametrize("preset", PRESETS)
def test_prediction_when_missing_failed_or_empty_then_worst(preset: str) -> None:
    states = [teds(prediction, PLAIN, preset=preset) for prediction in (None, Failed("timeout"), "")]
    assert [score.value for score in states] == [0.0, 0.0, 0.0]
    assert [score.status for score in states] == [ScoreStatus.MISSING, ScoreStatus.FAILED, ScoreStatus.SCORED]
    assert [score.n_failed for score in states] == [1, 1, 0]


@pytest.mark.parametrize("preset", PRESETS)
def test_reference_when_none_then_not_applicable(preset: str) -> None:
    score = teds(PLAIN, None, preset=preset)
    assert (score.value, score.status) == (None, ScoreStatus.NOT_APPLICABLE)


def test_both_sides_when_empty_then_best_here_and_worst_in_public() -> None:
    assert teds("", "").value == 1.0
    assert teds("<table></table>", "<table></table>").value == 1.0
    assert teds("", "", preset="omnidocbench-1.5").value == 0.0


def test_reference_when_without_a_table_then_invalid() -> None:
    score = teds(PLAIN, "no table")
    assert (score.value, score.status) == (None, ScoreStatus.INVALID_REFERENCE)


def test_reference_when_without_a_cell_then_any_cell_is_too_many() -> None:
    score = teds(PLAIN, "<table></table>")
    assert (score.value, score.status, score.denominator) == (0.0, ScoreStatus.EMPTY_REFERENCE, 6)


def test_missing_prediction_when_pooled_then_weighs_as_its_table() -> None:
    assert teds(None, PLAIN).denominator == 6
    assert teds("no table", PLAIN).denominator == 6


def test_prediction_when_the_public_program_stops_then_no_value_but_it_costs_the_corpus() -> None:
    bad = '<table><tr><td colspan="x">a</td></tr></table>'
    assert teds(bad, PLAIN, preset="pubtabnet").value is None
    assert teds_corpus([(PLAIN, PLAIN), (bad, PLAIN)], preset="pubtabnet").value == 0.5
    assert teds(bad, PLAIN, preset="omnidocbench-1.5").value == 0.0


def test_reference_when_the_public_program_stops_then_left_out_or_zero() -> None:
    bad = '<table><tr><td colspan="x">a</td></tr></table>'
    assert teds(PLAIN, bad, preset="pubtabnet").status is ScoreStatus.INVALID_REFERENCE
    assert teds_corpus([(PLAIN, PLAIN), (PLAIN, bad)], preset="pubtabnet").value == 1.0


def test_preset_when_unknown_then_the_known_ones_are_named() -> None:
    with pytest.raises(ValueError, match="inkbench-1, pubtabnet"):
        teds(PLAIN, PLAIN, preset="teds")


def test_signature_when_settings_differ_then_different() -> None:
    signatures = {str(teds(PLAIN, PLAIN, preset=preset).signature) for preset in PRESETS}
    signatures.add(str(teds(PLAIN, PLAIN, structure_only=True).signature))
    assert len(signatures) == len(PRESETS) + 1


# Properties


@settings(deadline=None)
@given(TABLES, TABLES)
def test_score_when_any_tables_then_bounded_and_symmetric(left: str, right: str) -> None:
    forward, back = teds(left, right), teds(right, left)
    assert forward.value == pytest.approx(back.value)
    assert 0.0 <= forward.value <= 1.0


@settings(deadline=None)
@given(st.lists(TABLES, max_size=3).map("".join), st.lists(TABLES, max_size=3).map("".join))
def test_score_when_several_tables_then_bounded_and_symmetric(left: str, right: str) -> None:
    forward, back = teds(left, right), teds(right, left)
    if forward.value is not None and back.value is not None:
        assert forward.value == pytest.approx(back.value)
        assert 0.0 <= forward.value <= 1.0


@settings(deadline=None)
@given(TABLES)
def test_score_when_identical_then_exactly_best(markup: str) -> None:
    assert teds(markup, markup).value == 1.0


@settings(deadline=None)
@given(ROWS, st.data())
def test_score_when_a_cell_is_damaged_then_lower(rows: list[tuple[str, ...]], data: st.DataObject) -> None:
    cells = [(index, place) for index, row in enumerate(rows) for place in range(len(row))]
    if not cells:
        return
    index, place = data.draw(st.sampled_from(cells))
    damaged = [list(row) for row in rows]
    damaged[index][place] += "ZZ"
    assert value(table(*map(tuple, damaged)), table(*rows)) < 1.0


@settings(deadline=None)
@given(TABLES, TABLES)
def test_markup_when_spelled_otherwise_then_the_score_stays(left: str, right: str) -> None:
    respelled = left.replace("<td>", '<TD class="x">\n').replace("<tr>", "<tbody><tr>").replace("</td>", "")
    assert teds(respelled, right).value == teds(left, right).value


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(TABLES | st.none(), TABLES), min_size=1, max_size=6), st.randoms())
def test_corpus_when_shuffled_then_the_same_to_the_last_digit(pairs: list, random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert teds_corpus(shuffled).value == teds_corpus(pairs).value
