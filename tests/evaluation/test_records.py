"""Records as lines: what is written is read back equal, what is not a record is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.payloads.coordinate_scaling import scale_points
from evaluation.predictions import Regions
from evaluation.record_parts import RecordMask, RecordRegion
from evaluation.records import (
    VERIFICATIONS,
    BadRecord,
    GoldRecord,
    PredictionRecord,
    as_object,
    gold_from_object,
    parse_gold,
    parse_prediction,
    to_line,
)
from tests.evaluation.restoring import restore_points

side = st.integers(0, 30_000) | st.integers(0, 300_000_000).map(lambda n: n / 10_000)
points = st.tuples(side, side)
words = st.text(max_size=20)
masks = st.one_of(
    st.builds(RecordMask, st.just("box"), st.tuples(points, points), st.just(0), words),
    st.builds(RecordMask, st.just("polygon"), st.lists(points, min_size=3).map(tuple), st.just(0), words),
    st.builds(
        RecordMask, st.just("brush"), st.lists(points, min_size=1).map(tuple), st.integers(1, 99), words
    ),
)
regions = st.lists(st.tuples(st.lists(points, min_size=3).map(tuple), words), max_size=5).map(
    lambda outlines: tuple(
        RecordRegion(n, polygon, latex) for n, (polygon, latex) in enumerate(outlines, start=1)
    )
)
ratings = st.fixed_dictionaries({"mean": st.floats(1, 5), "spread": st.floats(0, 4), "n": st.integers(1, 9)})
golds = st.builds(
    GoldRecord,
    id=st.just("1"),
    file_name=words,
    structure=st.sampled_from(["text", "table", "formula"]),
    language=words,
    text=words,
    regions=regions,
    masks=st.lists(masks, max_size=3).map(tuple),
    verification=st.sampled_from(["", *VERIFICATIONS]),
    difficulty=st.dictionaries(words, ratings, max_size=3),
)


@settings(max_examples=150, deadline=None)
@given(golds)
def test_gold_when_written_and_read_then_equal_byte_for_byte_also_through_a_database(record):
    line = to_line(record)
    assert parse_gold(line, 1) == record
    assert to_line(parse_gold(line, 1)) == line
    assert gold_from_object(json.loads(json.dumps(as_object(record)))) == record


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.integers(1, 999).map(str), words, max_size=5))
def test_prediction_by_region_when_written_and_read_then_equal(answers):
    record = PredictionRecord("1", Regions(answers))
    again = parse_prediction(to_line(record), 1)
    assert again == record


def test_line_of_an_older_record_then_the_new_fields_leave_it_as_it_was():
    line = (
        '{"extra":{},"file_name":"a.png","guideline":1,"height":2,"id":"1","image_hash":"","language":"en",'
    )
    line += (
        '"number":1,"origins":["agreed"],"scenario":"","source":"","structure":"text","text":"ink","width":3}'
    )
    assert to_line(parse_gold(line, 1)) == line
    assert parse_gold(line, 1).regions == ()


REGION = {"number": 1, "polygon": [[0, 0], [9, 0], [9, 9]], "latex": "x"}
GOLD_FAULTS = {
    "regions no list": ({"regions": {}}, "'regions' must be a list"),
    "number": ({"regions": [REGION | {"number": 2}]}, "'regions'[0]: 'number' must be 1"),
    "two points": ({"regions": [REGION | {"polygon": [[0, 0], [9, 0]]}]}, "at least 3 points"),
    "text point": ({"regions": [REGION | {"polygon": [[0, 0], [9, "a"], [1, 1]]}]}, "'polygon'[1] must be"),
    "not finite": ({"regions": [REGION | {"polygon": [[0, 0], [9, float("nan")], [1, 1]]}]}, "'polygon'[1]"),
    "no latex": ({"regions": [{"number": 1, "polygon": REGION["polygon"]}]}, "'latex' must be a string"),
    "shape": ({"masks": [{"shape": "cloud", "points": []}]}, "'masks'[0]: 'shape' must be one of"),
    "box": ({"masks": [{"shape": "box", "points": [[0, 0], [1, 1], [2, 2]]}]}, "its opposite corners; got 3"),
    "width": ({"masks": [{"shape": "brush", "points": [[0, 0]]}]}, "'width' must be"),
    "verification": ({"verification": "twice"}, "'verification' must be one of: double verified"),
    "difficulty": ({"difficulty": {"cursiveness": {"mean": 2}}}, "mean, spread and n"),
}


@pytest.mark.parametrize(("fields", "words"), GOLD_FAULTS.values(), ids=GOLD_FAULTS)
def test_gold_when_a_part_is_wrong_then_line_field_and_mend_are_named(fields, words):
    line = json.dumps({"id": "1", "text": "x", "structure": "formula", **fields})
    with pytest.raises(BadRecord) as fault:
        parse_gold(line, 7)
    assert str(fault.value).startswith("line 7: field '")
    assert words in str(fault.value)


ANSWER_FAULTS = {
    "both": ({"text": "x", "regions": {"1": "x"}}, "either 'text' or 'regions'"),
    "list": ({"regions": ["x"]}, "an object that maps region numbers to LaTeX; got list"),
    "key": ({"regions": {"r1": "x"}}, "the key 'r1' must be a region number"),
    "zero": ({"regions": {"01": "x"}}, "the key '01'"),
    "null": ({"regions": {"1": None}}, "region 1 must be a string; leave out"),
    "neither": ({}, "field 'text' is missing"),
}


@pytest.mark.parametrize(("fields", "words"), ANSWER_FAULTS.values(), ids=ANSWER_FAULTS)
def test_prediction_when_its_regions_are_wrong_then_it_says_so(fields, words):
    with pytest.raises(BadRecord, match=r"^line 3: ") as fault:
        parse_prediction(json.dumps({"id": "1", **fields}), 3)
    assert words in str(fault.value)


sizes = st.tuples(st.integers(1, 30_000), st.integers(1, 30_000))


@settings(max_examples=200, deadline=None)
@given(sizes, st.integers(1, 100), st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 30_000))))
def test_places_when_scaled_to_the_released_image_and_back_then_the_same_pixels(full, shrink, places):
    released = tuple(max(1, side // shrink) for side in full)
    scaled = scale_points(places, full=full, released=released)
    assert restore_points(scaled, full=full, released=released) == list(places)
    assert json.loads(json.dumps(scaled)) == [list(point) for point in scaled]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"id": "a", "regions": {"1": "x", "1": "y"}}', "1"),
        ('{"id": "a", "text": "x", "id": "b"}', "id"),
        ('{"id": "a", "text": "x", "provenance": {"k": 1, "k": 2}}', "k"),
    ],
)
def test_parse_prediction_when_a_name_stands_twice_then_refused_and_not_the_last_one_kept(line, name):
    with pytest.raises(BadRecord, match=f"'{name}' appears twice"):
        parse_prediction(line, 1)
