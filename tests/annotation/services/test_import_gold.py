"""Ground truth that comes with its pages: checked, reviewed here or released as what it is; masks in the image."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from PIL import Image

from annotation.images.masking import GREY
from annotation.models import Dispute, Draft, Label, Sample, Work
from annotation.selectors.releases import imported_samples
from annotation.services.build_gold_record import make_image_for_models
from annotation.services.claim_work import claim_work
from annotation.services.release_samples import create_release
from annotation.services.return_work import return_to_annotator
from annotation.stages import Stage, Status
from config.accounts.models import Role
from config.blobs import read_blob
from evaluation.exports.data_card import data_card
from evaluation.exports.omnidocbench import page_of
from evaluation.import_messages import explain
from evaluation.selectors.release_integrity import check_release
from evaluation.services.freeze_release import NothingToRelease
from tests.annotation.assignments import submit_work
from tests.annotation.images.images import draw_page, encode, encode_turned
from tests.annotation.imports import do_import, page
from tests.evaluation.restoring import restore_points
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TABLE = '<table><tr><th colspan="2">a | b</th></tr><tr><td>c</td><td>⟦masked⟧</td></tr></table>'
POLYGON = [[20, 20], [200, 30], [120, 100]]


def lines(*entries):
    return "\n".join(json.dumps(entry) for entry in entries)


def bring(project, *entries, data=None):
    names = [entry["file"] for entry in entries]
    files = {name: data or page(seed) for seed, name in enumerate(names, start=1)}
    return do_import(project, files, manifest=lines(*entries))


def test_import_with_ground_truth_then_it_is_the_first_version_of_every_structure():
    project = make_project()
    run = bring(
        project,
        {"file": "a.png", "text": "Dear Jane,", "verification": "unverified"},
        {"file": "b.png", "structure": "table", "ground_truth": TABLE, "verification": "Verified elsewhere"},
        {
            "file": "c.png",
            "structure": "formula",
            "verification": "unverified",
            "regions": [{"number": 1, "polygon": POLYGON, "latex": "x ^ 2"}],
            "masks": [{"shape": "box", "points": [[10, 120], [60, 150.4]], "reason": "torn"}],
        },
        {"file": "d.png", "structure": "formula", "ground_truth": "$$y$$", "verification": "unverified"},
    )
    assert not run.files.exclude(problem="").exists(), list(run.files.values("name", "problem", "facts"))
    works = Work.objects.filter(sample__project=project).values_list("stage", "status")
    assert set(works) == {(Stage.VERIFY, Status.OPEN)}
    text, table, formula, whole = Label.objects.filter(sample__project=project).order_by("sample__number")
    assert (text.text, text.stage, text.assignment) == ("Dear Jane,", Stage.LABEL, None)
    assert "colspan" in table.text and table.sample.gold_status == "verified elsewhere"
    assert json.loads(formula.text)["regions"][0]["polygon"] == POLYGON
    assert formula.masks[0]["points"] == [[10, 120], [60, 150]]
    assert json.loads(whole.text)["regions"][0]["polygon"] == [[0, 0], [300, 0], [300, 240], [0, 240]]


FAULTS = {
    "no status": ({"ground_truth": "x"}, "does not say how it was verified"),
    "masks alone": ({"masks": [{"shape": "box"}]}, "no ground truth"),
    "regions of a text": ({"regions": [{}], "verification": "unverified"}, "not a formula page"),
    "outside": (
        {
            "structure": "formula",
            "verification": "unverified",
            "regions": [{"polygon": [[0, 0], [900, 0], [9, 9]], "latex": "x"}],
        },
        "Region 1",
    ),
    "two points": (
        {
            "structure": "formula",
            "verification": "unverified",
            "regions": [{"polygon": [[0, 0], [9, 0]], "latex": "x"}],
        },
        "Region 1",
    ),
    "no table": ({"structure": "table", "ground_truth": "a, b", "verification": "unverified"}, "able"),
    "mask without reason": (
        {
            "ground_truth": "x",
            "verification": "unverified",
            "masks": [{"shape": "box", "points": [[0, 0], [9, 9]]}],
        },
        "Mask 1",
    ),
}


@pytest.mark.parametrize(("fields", "words"), FAULTS.values(), ids=FAULTS)
def test_import_with_a_ground_truth_that_cannot_be_kept_then_that_page_alone_is_refused_and_says_why(
    fields, words
):
    project = make_project()
    run = bring(
        project,
        {"file": "bad.png", **fields},
        {"file": "good.png", "text": "fine", "verification": "unverified"},
    )
    file = run.files.get(name="bad.png")
    message = explain(file.problem, file.facts)
    assert words in message.message, message
    assert list(project.samples.values_list("original_name", flat=True)) == ["good.png"]


def test_manifest_when_the_status_is_no_status_then_refused_by_line():
    run = bring(make_project(), {"file": "a.png", "text": "x", "verification": "trust me"})
    file = run.files.get()
    assert "unverified, verified elsewhere" in explain(file.problem, file.facts).message


def review(project, text):
    reviewer = make_member(project, Role.REVIEWER)
    assignment = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    submit_work(assignment, text)
    return reviewer


def test_review_that_agrees_then_double_verified():
    project = make_project()
    bring(project, {"file": "a.png", "text": "Dear Jane,", "verification": "unverified"})
    review(project, "Dear Jane,")
    record = create_release(project=project, by=project.created_by).items.get().gold
    assert (record.verification, record.origins) == ("double verified", ("agreed",))


def test_review_that_differs_then_an_adjudicator_decides_as_there_is_nobody_to_talk_to():
    project = make_project()
    bring(project, {"file": "a.png", "text": "Dear Jane,\nso", "verification": "unverified"})
    review(project, "Dear June,\nso")
    work = Work.objects.get(sample__project=project)
    assert (work.stage, work.status) == (Stage.ADJUDICATE, Status.SUBMITTED)
    assert "was imported" in Dispute.objects.get().escalation_reason


def test_release_of_imported_ground_truth_then_only_when_asked_and_it_says_so_everywhere(client):
    project = make_project()
    bring(
        project,
        {"file": "a.png", "text": "one\ntwo", "verification": "unverified"},
        {"file": "b.png", "text": "three", "verification": "verified elsewhere"},
    )
    with pytest.raises(NothingToRelease):
        create_release(project=project, by=project.created_by)
    client.force_login(project.created_by)
    address = f"/projects/{project.slug}/releases/new/"
    shown = client.get(address).content.decode()
    assert "imported, Unverified" in shown and "Release imported ground truth without review" in shown
    client.post(address, {"number": "1", "confirm": "on", "with_imported": "on"})
    release = project.team.releases.get()
    verifications = [(r.verification, r.origins) for r in (item.gold for item in release.items.all())]
    assert verifications == [("unverified", ("imported", "imported")), ("verified elsewhere", ("imported",))]
    card = data_card(release)
    assert "| unverified | 1 |" in card and "| verified elsewhere | 1 |" in card
    assert "| double verified |" not in card
    assert imported_samples(project).count() == 2  # they still can be reviewed here


@pytest.mark.parametrize("orientation", range(1, 9))
def test_places_on_a_turned_photo_then_box_polygon_and_mask_lie_in_the_same_place_all_the_way(orientation):
    """Whatever way the camera was held: the ink that was outlined is the ink in the export's outline."""
    upright = Image.new("L", (900, 600), 255)
    upright.paste(0, (300, 90, 480, 210))  # what is outlined
    upright.paste(60, (600, 300, 750, 450))  # what nobody can read
    project = make_project(image_cap_bytes=None, image_max_side=450)
    box = [[300, 90], [480, 90], [480, 210], [300, 210]]
    triangle = [[300, 90], [480, 90], [300, 210]]
    run = bring(
        project,
        {
            "file": "photo.png",
            "structure": "formula",
            "verification": "unverified",
            "regions": [{"polygon": box, "latex": "x"}, {"polygon": triangle, "latex": "y"}],
            "masks": [{"shape": "box", "points": [[600, 300], [750, 450]], "reason": "blot"}],
        },
        data=encode_turned(upright, orientation, "PNG"),
    )
    sample = Sample.objects.get()
    assert (sample.full_width, sample.full_height) == (900, 600), run.files.get().facts
    release = create_release(project=project, by=project.created_by, with_imported=True)
    record = release.items.get().gold
    assert (record.width, record.height) == (450, 300)
    sizes = {"full": (900, 600), "released": (450, 300)}
    assert [list(map(list, restore_points(r.polygon, **sizes))) for r in record.regions] == [box, triangle]
    pixels = np.asarray(Image.open(io.BytesIO(read_blob(record.image_hash))).convert("L")).astype(int)
    assert pixels.shape == (300, 450)
    for region, inside in ((record.regions[0], (150, 45, 240, 105)), (record.regions[1], (152, 47, 180, 70))):
        left, top = map(min, zip(*region.polygon, strict=True))
        right, bottom = map(max, zip(*region.polygon, strict=True))
        assert (left, top, right, bottom) == (150, 45, 240, 105)
        x0, y0, x1, y1 = inside
        assert pixels[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2].max() < 10
    assert page_of(record)["layout_dets"][0]["poly"] == [150, 45, 240, 45, 240, 105, 150, 105]
    assert (pixels[150:225, 300:375] == GREY[0]).all()
    assert pixels[140, 290] > 250 and pixels[230, 380] > 250
    plain = np.asarray(Image.open(io.BytesIO(read_blob(sample.released_blob))).convert("L"))
    assert (plain[155:220, 305:370] == 60).all()  # the form without masks stays, for annotators
    assert record.image_hash not in (sample.released_blob, sample.original_blob)
    assert check_release(release).is_whole


def test_release_twice_then_the_masked_image_is_the_same_bytes():
    project = make_project()
    mask = {"shape": "brush", "points": [[30, 30], [80, 60]], "width": 9, "reason": "blot"}
    photo = encode(draw_page(3, size=(300, 240)), "PNG")
    entry = {"file": "a.png", "text": "⟦masked⟧", "verification": "unverified", "masks": [mask]}
    bring(project, entry, data=photo)
    hashes = {
        create_release(project=project, by=project.created_by, with_imported=True).items.get().image_blob
        for _ in range(2)
    }
    assert len(hashes) == 1


def test_recogniser_that_reads_a_masked_sample_again_then_it_gets_the_masked_bytes():
    project = make_project()
    sample = make_sample(project)
    assert make_image_for_models(sample=sample).blob == sample.released_blob
    mask = {"id": "m1", "shape": "box", "points": [[0, 0], [100, 100]], "reason": "blot"}
    Label.objects.create(sample=sample, stage=Stage.DONE, round=1, text="⟦masked⟧", masks=[mask])
    masked = make_image_for_models(sample=sample)
    assert masked.blob != sample.released_blob
    record = create_release(project=finish(sample).project, by=project.created_by).items.get().gold
    assert record.image_hash == masked.blob


def finish(sample):
    Work.objects.filter(sample=sample).update(stage=Stage.DONE, status=Status.SUBMITTED)
    return sample


def test_imported_ground_truth_that_a_reviewer_returns_then_an_annotator_goes_on_from_it():
    project = make_project()
    bring(project, {"file": "a.png", "text": "Dear Jane,", "verification": "unverified"})
    reviewer = make_member(project, Role.REVIEWER)
    assignment = claim_work(person=reviewer, project=project, stage=Stage.VERIFY)
    return_to_annotator(assignment=assignment, reason="It is another page.")
    annotator = make_member(project, Role.ANNOTATOR)
    again = claim_work(person=annotator, project=project, stage=Stage.LABEL)
    assert Draft.objects.get(assignment=again).text == "Dear Jane,"
    assert not imported_samples(project).exists()
