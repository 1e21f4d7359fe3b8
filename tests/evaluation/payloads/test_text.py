"""The text payload: what a page can hold."""

from __future__ import annotations

import pytest

from evaluation.payloads.text import MAX_LINES, BadText, is_storable_json, validate_text


def test_validate_text_with_more_lines_than_a_page_has_then_it_is_refused_with_the_number():
    validate_text("a\n" * MAX_LINES)
    with pytest.raises(BadText, match=r"\(1,001\).*Split the page"):
        validate_text("a\n" * (MAX_LINES + 1))


@pytest.mark.parametrize("value", ["a\0", "\ud800", float("nan"), float("inf"), [["\udfff"]], {"\0": 1}])
def test_is_storable_json_with_what_a_database_refuses_then_false(value):
    assert not is_storable_json({"key": value})


def test_is_storable_json_when_nested_without_end_then_false():
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    assert not is_storable_json(value)
    assert is_storable_json({"deep": [[["ſ", 1, None, True, "the six letters \\u0000"]]]})
