"""Tables and formulas in a session: the form is checked, nothing of the ground truth is shown, all is scored."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from baseline.models import Baseline, Response, ResponseKind
from baseline.responses import ResponseFormat, check_response, comparison_text, is_blank, parse_response
from baseline.services.publish_results import publish_results
from config.blobs import read_blob
from config.jobs.services import run_waiting
from evaluation.models import ItemScore, Prediction
from evaluation.payloads.errors import BadPayload
from tests.baseline.kinds import LATEX, TABLE, formula_release, table_release
from tests.baseline.made import Taker, make_baseline, manager_of, pass_time, the_taker

pytestmark = pytest.mark.django_db
EMPTY_GRID = "<table><tr><td></td><td> <br></td></tr></table>"
RAGGED = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"


def shown(baseline: Baseline) -> Taker:
    """The first page, its clock running."""
    taker = the_taker(baseline)
    taker.start()
    taker.do("show")
    return taker


def test_table_when_the_page_is_shown_then_there_is_a_grid_and_no_word_of_the_ground_truth() -> None:
    page = shown(make_baseline(table_release())).look().text
    assert "<ink-table id=" in page and "<ink-table-view" in page
    assert "black" not in page and "-suggestions" not in page


@pytest.mark.parametrize("text", [RAGGED, "no table at all", TABLE + TABLE])
def test_table_when_it_is_none_then_it_is_refused_in_words_and_kept(text: str) -> None:
    taker = shown(make_baseline(table_release()))
    refused = taker.submit(text)
    assert refused.status_code == 422 and "Not submitted" in refused.text
    assert not Response.objects.exists() and taker.page() == "item"
    assert taker.save(text).status_code == 200 and taker.task().text == text


def test_table_when_every_cell_is_empty_then_it_is_blank() -> None:
    taker = shown(make_baseline(table_release(), time_limit_seconds=60))
    refused = taker.submit(EMPTY_GRID)
    assert refused.status_code == 422 and "Nothing has been written" in refused.text
    taker.save(EMPTY_GRID)
    pass_time(taker, seconds=70)
    taker.look()
    assert Response.objects.get().kind == ResponseKind.NOTHING


def test_table_when_the_time_is_up_then_it_counts_as_received_even_if_it_is_none_yet() -> None:
    taker = shown(make_baseline(table_release(), time_limit_seconds=60))
    pass_time(taker, seconds=61)
    taker.submit(RAGGED)
    answer = Response.objects.get()
    assert (answer.kind, answer.text, answer.is_timed_out) == (ResponseKind.TEXT, RAGGED, True)


def test_cannot_read_when_what_stands_there_cannot_be_stored_then_it_is_refused_and_not_half_taken() -> None:
    taker = shown(make_baseline(table_release()))
    assert taker.submit("a\0b", cannot_read="yes").status_code == 422
    assert taker.submit(RAGGED, cannot_read="yes").status_code == 302
    answer = Response.objects.get()
    assert (answer.kind, answer.text) == (ResponseKind.CANNOT_READ, "")


def test_refusal_when_the_reader_reads_chinese_then_the_mend_is_said_in_chinese() -> None:
    taker = shown(make_baseline(table_release()))
    type(taker.row.person).objects.filter(pk=taker.row.person_id).update(language="zh-hans")
    refused = taker.submit("no table at all")
    assert "没有 &lt;table&gt;" in refused.text
    assert "There is no" not in refused.text


def test_tables_when_scored_then_equal_ones_are_right_and_agree_whatever_their_spelling() -> None:
    baseline = make_baseline(table_release(1), people=2)
    spelt = [TABLE, TABLE.replace("<tr>", "\n  <tr>").replace("<td>", "<td> ")]
    for row, text in zip(baseline.participations.all(), spelt, strict=True):
        taker = Taker(row)
        taker.start()
        assert taker.read(text).status_code == 302
    publish_results(baseline=baseline, by=manager_of(baseline))
    run_waiting()
    assert set(ItemScore.objects.filter(metric="teds").values_list("value", flat=True)) == {1.0}
    assert len({comparison_text(parse_response(text, ResponseFormat("table"))) for text in spelt}) == 1
    consensus = Prediction.objects.get(prediction_set__system__name="Human (consensus)")
    assert consensus.provenance["mean_distance"] == 0


def test_regions_when_the_page_is_shown_then_each_has_a_field_and_the_outlines_image_is_given() -> None:
    taker = shown(make_baseline(formula_release("regions")))
    page = taker.look().text
    assert page.count("data-region=") == 2 and r"\frac" not in page
    item = taker.task().item
    image = taker.client.get(reverse("baseline_image", args=[taker.row.uuid]))
    assert item.outlines_blob and b"".join(image) == read_blob(item.outlines_blob)


def test_regions_when_submitted_then_they_are_scored_by_region() -> None:
    baseline = make_baseline(formula_release("regions", 1))
    taker = shown(baseline)
    assert taker.submit("not json").status_code == 422
    assert taker.submit('{"1": "  "}').status_code == 422
    assert taker.submit(json.dumps({"1": LATEX[0], "2": LATEX[1], "9": "more"})).status_code == 302
    publish_results(baseline=baseline, by=manager_of(baseline))
    run_waiting()
    prediction = Prediction.objects.get(prediction_set__system__name="Human P01")
    assert prediction.regions == {"1": LATEX[0], "2": LATEX[1]}


def test_formula_page_when_submitted_then_it_is_scored_as_a_page() -> None:
    baseline = make_baseline(formula_release("page", 1))
    taker = shown(baseline)
    assert "data-region" not in taker.look().text and "<ink-editor" in taker.look().text
    assert taker.submit(f"$${LATEX[0]}$$\n\n$${LATEX[1]}$$").status_code == 302
    publish_results(baseline=baseline, by=manager_of(baseline))
    run_waiting()
    assert (
        not ItemScore.objects.filter(run__prediction_set__system__name="Human P01")
        .exclude(status="scored")
        .exists()
    )


@pytest.mark.parametrize("kind", ["table", "regions", "page"])
def test_practice_when_submitted_then_both_stand_side_by_side_in_the_form_of_the_kind(kind: str) -> None:
    release = table_release(3) if kind == "table" else formula_release(kind, 3)
    taker = the_taker(make_baseline(release, practice=[1]))
    taker.start()
    written = {
        "table": TABLE.replace("black", "blue"),
        "regions": json.dumps({"1": "x^3"}),
        "page": "$$x^3$$",
    }[kind]
    assert taker.do("practise", text=written).status_code == 302
    page = taker.look().text
    tag = {"table": "<ink-table-view", "regions": "<ink-preview", "page": "<ink-diff"}[kind]
    assert taker.page() == "feedback" and tag in page
    assert ("blue" if kind == "table" else "x^3") in page and "{&quot;1&quot;" not in page


@pytest.mark.parametrize(
    ("text", "form", "blank"),
    [
        ("", ResponseFormat("table"), True),
        (EMPTY_GRID, ResponseFormat("table"), True),
        (RAGGED, ResponseFormat("table"), False),
        ("words", ResponseFormat("table"), False),
        ("{}", ResponseFormat("formula", (1,)), True),
        (" \n", ResponseFormat("text"), True),
        ("a", ResponseFormat("text"), False),
    ],
)
def test_is_blank_when_asked_then_only_what_somebody_wrote_counts(
    text: str, form: ResponseFormat, blank: bool
) -> None:
    assert is_blank(parse_response(text, form)) is blank


def test_check_answer_when_a_table_is_very_long_then_lines_of_source_do_not_count() -> None:
    rows = "\n".join("<tr>\n<td>a</td>\n</tr>" for _ in range(400))
    check_response(parse_response(f"<table>{rows}</table>", ResponseFormat("table")))
    with pytest.raises(BadPayload):
        check_response(parse_response("\n".join("a" * 1200), ResponseFormat("text")))
