"""The result page of a formula shows what CDM compared."""

from __future__ import annotations

import pytest
from django.urls import reverse

from config.jobs.services import run_waiting
from evaluation.services.scoring import request_score
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
