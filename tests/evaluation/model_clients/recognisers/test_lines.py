from __future__ import annotations

import math
import random

import pytest

from evaluation.model_clients.recognisers.lines import Fragment, lines_from_fragments


def box(text: str, left: float, top: float, width: float, height: float = 40, slope: float = 0.0) -> Fragment:
    """A fragment on a page that is turned by `slope` radians around its origin."""

    def turn(x: float, y: float) -> tuple[float, float]:
        return x * math.cos(slope) - y * math.sin(slope), x * math.sin(slope) + y * math.cos(slope)

    right, bottom = left + width, top + height
    return Fragment(text, (turn(left, top), turn(right, top), turn(right, bottom), turn(left, bottom)), 0.9)


def page(slope: float) -> list[Fragment]:
    return [
        box("Dear Ann,", 100, 100, 300, slope=slope),
        box("thank you", 100, 160, 350, slope=slope),
        box("for the", 470, 164, 280, slope=slope),
        box("parcel.", 770, 156, 250, slope=slope),
        box("Yours, Tom", 600, 220, 350, slope=slope),
    ]


@pytest.mark.parametrize("degrees", [-8, -3, 0, 2, 8])
def test_lines_when_the_page_slopes_then_in_reading_order(degrees: float) -> None:
    fragments = page(math.radians(degrees))
    random.Random(7).shuffle(fragments)
    assert [line.text for line in lines_from_fragments(fragments)] == [
        "Dear Ann,",
        "thank you for the parcel.",
        "Yours, Tom",
    ]


def test_lines_when_chinese_pieces_touch_then_no_space_between() -> None:
    lines = lines_from_fragments([box("明月", 100, 100, 80), box("松间照，", 185, 102, 160)])
    assert [line.text for line in lines] == ["明月松间照，"]


def test_lines_when_chinese_pieces_stand_apart_then_one_space_between() -> None:
    lines = lines_from_fragments([box("明月松间照", 100, 100, 200), box("清泉石上流", 400, 100, 200)])
    assert [line.text for line in lines] == ["明月松间照 清泉石上流"]


def test_lines_when_scripts_mix_then_space_between() -> None:
    lines = lines_from_fragments([box("周三", 100, 100, 80), box("meeting", 185, 100, 160)])
    assert lines[0].text == "周三 meeting"


def test_lines_when_written_downwards_then_columns_from_the_right() -> None:
    columns = [
        box("橫看成嶺側成峰", 500, 100, 60, 500),
        box("題西林壁", 600, 100, 60, 280),
        box("蘇軾", 602, 420, 60, 140),
        box("遠近高低各不同", 400, 108, 60, 500),
        box("印", 300, 560, 60, 60),
    ]
    assert [line.text for line in lines_from_fragments(columns)] == [
        "題西林壁蘇軾",
        "橫看成嶺側成峰",
        "遠近高低各不同",
        "印",
    ]
    assert lines_from_fragments(columns)[0].box == (600, 100, 662, 560)


def test_lines_when_one_tall_box_is_among_many_flat_ones_then_read_across() -> None:
    lines = lines_from_fragments([*page(0.0), box("side note", 20, 100, 40, 300)])
    assert "thank you for the parcel." in [line.text for line in lines]


def test_line_when_of_several_pieces_then_box_holds_all_and_confidence_is_weighted() -> None:
    first = Fragment("ab", ((10, 10), (30, 12), (30, 52), (10, 50)), 1.0)
    second = Fragment("cdef", ((40, 14), (90, 16), (90, 56), (40, 54)), 0.4)
    (line,) = lines_from_fragments([second, first])
    assert (line.text, line.box, line.confidence) == ("ab cdef", (10, 10, 90, 56), 0.6)


def test_lines_when_a_small_mark_reaches_into_two_lines_then_both_lines_stay_apart() -> None:
    lines = lines_from_fragments(
        [box("first line", 0, 0, 400), box("second line", 0, 50, 400), box("^", 410, 30, 10, 12)]
    )
    assert [line.text for line in lines] == ["first line ^", "second line"]


def test_lines_when_pieces_are_blank_or_none_then_no_line() -> None:
    assert lines_from_fragments([box("  ", 0, 0, 10)]) == ()
    assert lines_from_fragments([]) == ()
