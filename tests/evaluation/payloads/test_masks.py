"""Masks: what nobody can read, as areas of the image."""

from __future__ import annotations

import json

import pytest

from evaluation.payloads.errors import BadPayload
from evaluation.payloads.fields import AgreementThresholds, SettledField
from evaluation.payloads.masks import (
    assemble_masks,
    check_mask_value,
    masks_as_json,
    pair_masks,
    parse_masks,
    validate_masks,
)

BOX = {"id": "m1", "shape": "box", "points": [[10, 10], [50, 30]], "reason": "torn"}
POLYGON = {"id": "m2", "shape": "polygon", "points": [[60, 10], [90, 10], [75, 40]], "reason": "ink blot"}
BRUSH = {"id": "m3", "shape": "brush", "points": [[10, 60], [80, 60]], "width": 12, "reason": "rubbed out"}


def test_masks_as_json_when_read_again_then_the_same():
    masks = masks_as_json([BOX, POLYGON, BRUSH])
    assert masks == [BOX, POLYGON, BRUSH]
    assert parse_masks(json.dumps(masks)) == masks
    assert parse_masks(" ") == []
    validate_masks(masks, 100, 100)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (BOX | {"points": [[10, 10], [10, 30]]}, "Mask 1: The box has no area"),
        (BOX | {"points": [[10, 10]]}, "Mask 1: A box needs two opposite corners"),
        (BOX | {"points": [[10, 10], [101, 30]]}, "Mask 1: Point 2 .* outside"),
        (BOX | {"reason": "  "}, "Mask 1: The reason is missing"),
        (BOX | {"shape": "star"}, "Mask 1: shape: must be"),
        (BOX | {"id": ""}, "Mask 1: id"),
        (POLYGON | {"points": [[0, 0], [9, 9], [9, 0], [0, 9]]}, "Mask 1: The outline crosses itself"),
        (BRUSH | {"width": 0}, "Mask 1: width"),
        (BRUSH | {"points": []}, "no point"),
        (BRUSH | {"points": [[float("nan"), 1]]}, "Mask 1: Point 1"),
        ("box", "Mask 1: must be an object"),
    ],
)
def test_validate_masks_when_one_is_bad_then_refused_naming_it(mask, words):
    with pytest.raises(BadPayload, match=words):
        validate_masks([mask], 100, 100)


@pytest.mark.parametrize(
    ("text", "words"), [("{", "not valid JSON"), ("{}", "must be a list"), ("[1]", "Mask 1")]
)
def test_parse_masks_when_a_form_sends_something_else_then_refused(text, words):
    with pytest.raises(BadPayload, match=words):
        parse_masks(text)


def test_pair_when_the_area_is_about_the_same_then_it_agrees_whatever_the_shape_and_the_words():
    drawn = {
        "id": "x",
        "shape": "polygon",
        "points": [[10, 10], [50, 10], [50, 31], [10, 31]],
        "reason": "hole",
    }
    (pair,) = pair_masks([BOX], [drawn], AgreementThresholds())
    assert pair.is_equal and pair.key == "m1"
    assert not pair_masks([BOX], [drawn], AgreementThresholds(agree_iou=0.99))[0].is_equal


def test_pair_when_only_one_has_it_then_a_field_of_its_own_under_a_key_of_its_own():
    pairs = pair_masks([BOX], [BRUSH | {"id": "m1"}], AgreementThresholds())
    assert [(pair.key, pair.first is None, pair.second is None) for pair in pairs] == [
        ("m1", False, True),
        ("m1-2", True, False),
    ]


def test_assemble_when_settled_then_taken_left_out_or_drawn_anew():
    pairs = pair_masks([BOX, POLYGON], [BOX, BRUSH], AgreementThresholds())
    new = check_mask_value(json.dumps(BRUSH | {"width": 14}), 100, 100)
    masks, sources = assemble_masks(
        [SettledField(pairs[0], pairs[0].first), SettledField(pairs[1], None), SettledField(pairs[2], new)]
    )
    assert masks == [BOX, BRUSH | {"width": 14}]
    assert sources == (0, 2)
    assert check_mask_value(None, 100, 100) is None
    with pytest.raises(BadPayload):
        check_mask_value("[]", 100, 100)
