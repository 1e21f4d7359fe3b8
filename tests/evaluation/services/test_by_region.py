"""Formula pages answered by region or as pages: what a release asks for is taken, scored and distinguished."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from config.blobs import read_blob
from config.jobs.services import run_waiting
from evaluation.models import Prediction
from evaluation.prediction_formats import formula_answers
from evaluation.record_parts import RecordRegion
from evaluation.rendering.region_images import draw_outlines
from evaluation.services.record_predictions import NothingTaken, upload_predictions
from evaluation.services.score_predictions import request_score
from evaluation.upload_messages import line_for
from tests.evaluation.formula_pages import LATEX, formula_page, release_of
from tests.factories import make_gold, make_gold_release, make_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def upload(release, *lines, name="answers.jsonl"):
    data = "\n".join(json.dumps(line) for line in lines) if isinstance(lines[0], dict) else lines[0]
    files = [(name, io.BytesIO(data.encode()))]
    return upload_predictions(
        release=release, system_name="scribe", by=release.created_by, files=files, kind="model"
    )


def scored(answers, bundle="inkbench-1"):
    run = request_score(prediction_set=answers, bundle=bundle)
    run_waiting()
    run.refresh_from_db()
    return run


def test_regions_when_one_is_left_out_then_the_item_is_the_mean_with_the_worst_for_it_and_it_is_counted():
    release = release_of("regions")
    item = release.items.get()
    answers = upload(release, {"id": item.sample_id, "regions": {"1": LATEX[0], "3": LATEX[2]}})
    run = scored(answers)
    assert run.item_scores.get(metric="cdm").value == pytest.approx(2 / 3)
    assert run.coverage == 1
    corpus = next(score for score in run.results["scores"] if score["group"] == "all")
    assert corpus["details"]["states"] == {"scored": 2, "missing": 1}


@pytest.mark.parametrize("bundle", ["inkbench-1", "wildhandbench", "omnihandwritingocr"])
@pytest.mark.parametrize("form", ["regions", "page"])
def test_both_forms_when_answered_right_then_the_best_score_in_every_bundle(form, bundle):
    release = release_of(form)
    item = release.items.get()
    line = {"id": item.sample_id}
    line |= (
        {"regions": {str(n): formula for n, formula in enumerate(LATEX, 1)}}
        if form == "regions"
        else {"text": "\n\n".join(f"$${formula}$$" for formula in LATEX)}
    )
    run = scored(upload(release, line), bundle)
    values = {score.metric: score.value for score in run.item_scores.all()}
    assert values and all(value == (0 if metric in ("cer", "wer") else 1) for metric, value in values.items())


def test_swapped_regions_then_they_stay_swapped_as_pages_they_are_matched():
    swapped = {"1": LATEX[1], "2": LATEX[0], "3": LATEX[2]}
    release = release_of("regions")
    run = scored(upload(release, {"id": release.items.get().sample_id, "regions": swapped}))
    page = release_of("page")
    text = "\n\n".join(f"$${formula}$$" for formula in swapped.values())
    as_page = scored(upload(page, {"id": page.items.get().sample_id, "text": text}))
    assert run.item_scores.get().value < 0.8
    assert as_page.item_scores.get().value == 1


WRONG = {
    "page for regions": ("regions", {"text": "$$x$$"}, "expects by region"),
    "regions for page": ("page", {"regions": {"1": "x"}}, 'give "text", not "regions"'),
    "unknown region": ("regions", {"regions": {"4": "x"}}, "has no region 4; its regions: 1, 2, 3"),
    "broken": ("regions", {"regions": {"one": "x"}}, "must be a region number"),
    "null byte": ("regions", {"regions": {"1": "x\0"}}, "field 'regions'"),
}


@pytest.mark.parametrize(("form", "answer", "words"), WRONG.values(), ids=WRONG)
def test_answer_in_the_wrong_form_then_refused_with_what_is_wanted(form, answer, words, tmp_path):
    release = release_of(form)
    line = {"id": release.items.get().sample_id, **answer}
    with pytest.raises(NothingTaken) as refusal:
        upload(release, line)
    assert words in line_for(refusal.value.report[0])
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(line))
    with pytest.raises(CommandError, match="Nothing was scored"):
        call_command("score", f"{release.team.slug}/{release.number}", str(file))


def test_markdown_page_for_a_release_by_region_then_refused_by_file():
    release = release_of("regions")
    with pytest.raises(NothingTaken) as refusal:
        upload(release, "$$x$$", name=f"{release.items.get().sample_id}.md")
    assert "expects by region" in line_for(refusal.value.report[0])


def test_text_sample_in_a_release_by_region_then_answered_as_text():
    text = make_gold("Dear Jane")
    release = release_of("regions", text, formula_page())
    answers = upload(release, {"id": text.id, "text": "Dear Jane"})
    assert Prediction.objects.get(prediction_set=answers).regions is None
    assert formula_answers(release) == "regions"


def test_release_by_region_then_outlines_show_places_and_numbers_and_depend_on_no_latex():
    release, other = release_of("regions"), release_of("regions", formula_page(("u", "v", "w")))
    item = release.items.get()
    assert item.outlines_blob not in ("", item.image_blob)
    image = Image.open(io.BytesIO(read_blob(item.outlines_blob))).convert("RGB")
    assert image.size == (item.record["width"], item.record["height"])
    assert image.getpixel((55, 10)) == (0xB3, 0x26, 0x1E)
    # The same page with other formulas in the same places: the same outlines.
    page = read_blob(item.image_blob)
    again = [
        RecordRegion(r["number"], tuple(map(tuple, r["polygon"])), "other") for r in item.record["regions"]
    ]
    assert draw_outlines(page, again) == read_blob(item.outlines_blob)
    assert other.items.get().outlines_blob
    assert release_of("page").items.get().outlines_blob == ""


def test_masks_in_formula_table_and_text_then_they_cost_nothing_and_inventions_are_extra():
    gold = [
        formula_page((r"x+⟦masked⟧y",)),
        make_gold("<table><tr><td>a⟦masked⟧</td><td>b</td></tr></table>", structure="table"),
        make_gold("Dear ⟦masked⟧Jane"),
    ]
    release = make_gold_release(make_project().team, gold)
    right = ["$$x+y$$", "<table><tr><td>a</td><td>b</td></tr></table>", "Dear Jane"]
    invented = ["$$x+z+y$$", "<table><tr><td>aXX</td><td>b</td></tr></table>", "Dear old Jane"]
    for bundle in ("inkbench-1", "wildhandbench"):
        for texts, is_best in ((right, True), (invented, False)):
            lines = [{"id": record.id, "text": text} for record, text in zip(gold, texts, strict=True)]
            run = scored(upload(release, *lines), bundle)
            for metric, best in (("cdm", 1), ("teds", 1), ("edit", 0)):
                assert (run.item_scores.get(metric=metric).value == best) is is_best, (bundle, metric)
