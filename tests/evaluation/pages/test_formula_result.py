"""The result page of a formula shows what CDM compared."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from config.jobs.services import run_waiting
from evaluation.predictions import Regions, Text
from evaluation.records import PredictionRecord
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score
from tests.evaluation.formula_pages import formula_page
from tests.factories import make_answers, make_gold, make_gold_release, make_project

pytestmark = pytest.mark.django_db(transaction=True)


def test_item_score_of_a_formula_then_the_boxes_are_drawn_without_style_or_script(client):
    project = make_project()
    gold = make_gold(r"x^{2}+y", structure="formula")
    release = make_gold_release(project.team, [gold])
    answers = make_answers(release, {gold.text: r"x^{2}+z"})
    run = request_score(prediction_set=answers)
    run_waiting()
    client.force_login(project.created_by)
    page = client.get(reverse("item_score", args=[run.pk, gold.id])).content.decode()
    svg = page[page.index("<svg xmlns") : page.index("</svg>", page.index("<svg xmlns"))]
    assert svg.count('data-fate="matched"') == 6  # x, 2 and + on both sides
    assert 'data-fate="wrong"' in svg
    assert "<script" not in svg and "style=" not in svg


def test_item_score_of_a_text_then_no_boxes(client):
    project = make_project()
    gold = make_gold("Dear Jane,")
    answers = make_answers(make_gold_release(project.team, [gold]), {gold.text: "Dear Jane,"})
    run = request_score(prediction_set=answers)
    run_waiting()
    client.force_login(project.created_by)
    assert "data-fate" not in client.get(reverse("item_score", args=[run.pk, gold.id])).content.decode()


def opened(client, gold, answer, **settings):
    project = make_project()
    release = make_gold_release(project.team, [gold], settings=settings)
    item = release.items.get()
    answers = record_predictions(
        release=release, system_name="s", by=project.created_by, records=[answer], origin="upload"
    )
    run = request_score(prediction_set=answers)
    run_waiting()
    client.force_login(project.created_by)
    return client.get(reverse("item_score", args=[run.pk, item.sample_id])).content.decode()


def test_item_score_of_regions_then_each_has_its_boxes_and_an_unanswered_one_says_so(client):
    gold = formula_page()
    page = opened(
        client,
        gold,
        PredictionRecord(gold.id, Regions({"1": "x^2+1", "3": "y=3"})),
        formula_answers="regions",
    )
    assert page.count("<svg xmlns") == 2
    assert [f"Region {n}" in page for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "Not answered: it counts as the worst." in page
    assert "1: x^2+1" in page


def test_item_score_of_a_page_of_formulas_then_each_matched_pair_has_its_boxes(client):
    gold = formula_page()
    page = opened(client, gold, PredictionRecord(gold.id, Text("$$y=2$$\n\n$$x^2+1$$")))
    assert page.count("<svg xmlns") == 3


def test_item_score_of_a_table_then_cells_are_marked_and_nothing_of_them_is_markup(client):
    text = '<table><tr><th colspan="2">a &lt;b&gt;</th></tr><tr><td>c</td><td>d⟦masked⟧</td></tr></table>'
    gold = make_gold(text, structure="table")
    answer = '<table><tr><th colspan="2">a &lt;b&gt;</th></tr><tr><td>c</td><td>&lt;i&gt;</td></tr>'
    answer += "<tr><td>extra</td></tr></table>"
    page = opened(client, gold, PredictionRecord(gold.id, Text(answer)))
    cells = page[page.index("cell-diff") : page.index("</section>", page.index("cell-diff"))]
    assert cells.count('data-state="equal"') == 2
    assert re.search(r'<td\s+data-state="equal"\s+colspan="2"\s+dir="auto"\s*>\s*a &lt;b&gt;\s*</td>', cells)
    assert "<del>d</del> <ins>&lt;i&gt;</ins>" in cells
    assert ">extra</ins>" in cells
