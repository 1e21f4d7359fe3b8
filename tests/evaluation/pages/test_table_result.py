"""The result page of a table shows its markup broken by rows and cells, so that a difference is one line of it."""

from __future__ import annotations

import html
import re

import pytest

from evaluation.predictions import Text
from evaluation.records import PredictionRecord
from tests.evaluation.pages.test_formula_result import opened
from tests.factories import make_gold

pytestmark = pytest.mark.django_db(transaction=True)

GOLD = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"


def test_item_score_of_a_table_then_differences_and_both_texts_stand_cell_by_cell(client):
    gold = make_gold(GOLD, structure="table")
    page = html.unescape(opened(client, gold, PredictionRecord(gold.id, Text(GOLD.replace(">b<", ">8<")))))
    shown = re.findall(r"<pre\s[^>]*>(.*?)</pre>", page, re.DOTALL)
    tables = [text.split("\n") for text in shown if text.startswith("<table>")]
    assert [len(lines) for lines in tables] == [10] * 4  # two to compare, and each by itself
    old, new = tables[:2]
    assert [(a, b) for a, b in zip(old, new, strict=True) if a != b] == [("  <td>b</td>", "  <td>8</td>")]
