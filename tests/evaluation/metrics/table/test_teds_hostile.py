"""TEDS on hostile input: bounded time and memory, and a status that names the limit."""

from __future__ import annotations

import resource
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.table import PRESETS, teds
from evaluation.metrics.table.multiple_tables import pair_tables
from evaluation.metrics.table.parse import MAX_CHARACTERS, MAX_DEPTH, MAX_TAG_NAMES
from tests.evaluation.metrics.table.strategies import table
from tests.evaluation.metrics.table.tables import PLAIN, value


def big_table(cells: int, mark: str) -> str:
    return table(*(tuple(f"{mark}{row}.{index}" for index in range(50)) for row in range(cells // 50)))


def test_huge_table_when_identical_then_scored() -> None:
    huge = big_table(50_000, "c")
    start = time.process_time()
    assert teds(huge, huge).value == 1.0
    assert time.process_time() - start < 10.0


@pytest.mark.parametrize(
    "preset", [*PRESETS[:2], *(pytest.param(name, marks=pytest.mark.long) for name in PRESETS[2:])]
)
def test_huge_table_when_all_cells_differ_then_too_large_and_it_costs(preset: str) -> None:
    start = time.process_time()
    score = teds(big_table(50_000, "x"), big_table(50_000, "c"), preset=preset)
    assert (score.value, score.status) == (None, ScoreStatus.TOO_LARGE)
    assert "MAX_NODE_PAIRS" in score.reason
    assert (score.n, score.n_failed, score.numerator) == (1, 1, 0.0)
    assert time.process_time() - start < 60.0


@pytest.mark.parametrize("preset", PRESETS)
def test_markup_when_over_the_limit_then_too_large(preset: str) -> None:
    score = teds("<table>" + "a" * MAX_CHARACTERS, PLAIN, preset=preset)
    assert score.status is ScoreStatus.TOO_LARGE
    assert "MAX_CHARACTERS" in score.reason


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opening", ["<table>", "<table><tr><td><b>", "<div>", "<b>"])
def test_nesting_when_ten_thousand_deep_then_bounded(preset: str, opening: str) -> None:
    start = time.process_time()
    score = teds(f"<table><tr><td>a</td></tr>{opening * 10_000}", PLAIN, preset=preset)
    assert score.value is None or score.value <= 0.5
    if score.status is ScoreStatus.TOO_LARGE:
        assert "MAX_DEPTH" in score.reason
    assert time.process_time() - start < 20.0


def test_depth_when_over_the_limit_in_a_cell_then_named() -> None:
    deep = table(("<b>" * (MAX_DEPTH + 5) + "a",))
    assert "MAX_DEPTH" in teds(deep, PLAIN).reason


def test_tag_names_when_over_the_limit_then_named() -> None:
    names = "".join(f"<t{index}>x</t{index}>" for index in range(MAX_TAG_NAMES + 5))
    score = teds(table((names,)), PLAIN, preset="pubtabnet")
    assert score.status is ScoreStatus.TOO_LARGE
    assert "MAX_TAG_NAMES" in score.reason


@pytest.mark.parametrize("preset", PRESETS)
def test_entity_bomb_when_parsed_then_not_expanded(preset: str) -> None:
    levels = "".join(f'<!ENTITY l{index} "{f"&l{index - 1};" * 10}">' for index in range(1, 12))
    bomb = f'<!DOCTYPE html [<!ENTITY l0 "ha">{levels}]><html><body>{table(("&l11;",))}</body></html>'
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    score = teds(bomb, PLAIN, preset=preset)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
    assert score.value is None or score.value < 1.0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "junk", ["\0", "\ud800", "\u202e", "\ufffe", "&#0;", "&#xD800;", "&#x110000;", "<?x ?>"]
)
def test_characters_when_impossible_then_a_score_or_a_reason(preset: str, junk: str) -> None:
    score = teds(table((f"a{junk}b",)), table(("ab",)), preset=preset)
    assert score.value is not None or score.reason
    assert score.value is None or 0.0 <= score.value <= 1.0


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet="<>/tabledrhcolspn=\"'&#;! \0\ud800a", max_size=80), st.sampled_from(PRESETS))
def test_markup_when_garbage_then_never_raises(garbage: str, preset: str) -> None:
    for given_markup in (garbage, f"<table>{garbage}", f"<table><tr><td {garbage}>a</table>"):
        score = teds(given_markup, PLAIN, preset=preset)
        assert score.value is None or score.value <= 1.0
        teds(PLAIN, given_markup, preset=preset)


def test_pairing_when_nothing_is_shared_then_still_symmetric() -> None:
    left, right = table(("a", "b", "c")) + table(("d",)), table(("x",)) + table(("y", "z"))
    assert value(left, right) == pytest.approx(value(right, left))
    assert pair_tables([], []) == []
