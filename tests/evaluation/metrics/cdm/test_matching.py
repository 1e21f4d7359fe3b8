"""The matching stage must be exact: given the reference programs' own boxes it returns their own figures."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evaluation.metrics.cdm.boxes import Drawing, InkBox
from evaluation.metrics.cdm.matching import match_drawings
from evaluation.metrics.cdm.presets import find_preset
from evaluation.metrics.cdm.synonyms import fold_synonym

SHARED = Path(os.environ.get("INKBENCH_SHARED", Path(__file__).parents[4].parent / "shared"))
BOXES = SHARED / "vectors" / "cdm_boxes.jsonl"
PRESET_OF = {"unimernet": "unimernet", "odb16": "omnidocbench-1.6"}


def row_of_marks(text: str, *, gap: float = 20.0) -> Drawing:
    boxes = tuple(InkBox(mark, i * gap + 7, 7, i * gap + 17, 27) for i, mark in enumerate(text))
    return Drawing(boxes, len(text) * gap + 16, 36)


@pytest.mark.skipif(not BOXES.exists(), reason="needs ../shared")
def test_matching_when_fed_the_references_boxes_then_equals_its_scores() -> None:
    seen = 0
    for line in BOXES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["ref"] not in PRESET_OF:
            continue
        sides = [
            Drawing(tuple(InkBox(token, *box) for token, box in row[side]), *row[f"{side}_size"])
            for side in ("gt", "pred")
        ]
        matched = match_drawings(sides[0], sides[1], find_preset(PRESET_OF[row["ref"]]).matching)
        expected = (row["f1"], row["recall"], row["precision"])
        assert (matched.f1, matched.recall, matched.precision) == expected, row["id"]
        seen += 1
    assert seen > 400


def test_matching_when_one_mark_differs_then_it_alone_does_not_count() -> None:
    matched = match_drawings(row_of_marks("abcd"), row_of_marks("abxd"), find_preset("unimernet").matching)
    assert (matched.true_positives, matched.f1) == (3, 0.75)
    assert [pair.counts for pair in matched.pairs] == [True, True, False, True]


def test_matching_when_a_mark_sits_elsewhere_then_it_is_out_of_place() -> None:
    reference, prediction = row_of_marks("abcdefgh"), row_of_marks("abcdefgh")
    stray = InkBox("h", 147, 207, 157, 227)
    prediction = Drawing((*prediction.boxes[:-1], stray), prediction.width, 236)
    matched = match_drawings(reference, prediction, find_preset("unimernet").matching)
    assert [pair.in_place for pair in matched.pairs] == [True] * 7 + [False]


@pytest.mark.parametrize(
    ("token", "mark"),
    [
        (r"\left(", "("),
        (r"\leftarrow", r"\leftarrow"),
        (r"\Big|", "|"),
        (r"\bigl\{", r"\{"),
        (r"\leq", r"\le"),
        (r"\varphi", r"\phi"),
        (r"\widehat", r"\hat"),
        (r"\left<", r"\langle"),
    ],
)
def test_synonyms_when_folded_then_name_the_mark(token: str, mark: str) -> None:
    assert fold_synonym(token) == mark


def test_preset_when_unknown_then_error_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"inkbench-1, unimernet, omnidocbench-1\.6"):
        find_preset("cdm")
