"""What the stages hand down of every structure, exported and brought back: equal byte for byte, message on the card."""

from __future__ import annotations

import json
import zipfile

import pytest

from annotation.difficulty import Dimension
from annotation.models import Sample
from annotation.models.project import VerificationMode
from annotation.services.rate_difficulty import claim_rating, submit_rating
from annotation.services.record_evidence import record_evidence, record_note
from annotation.services.release_samples import create_release
from annotation.stages import Stage
from config.accounts.models import Role
from config.blobs import open_blob
from config.jobs.services import run_waiting
from evaluation.models import ExportFormat, Release
from evaluation.prediction_formats import FORMS
from evaluation.services.export_release import request_export
from evaluation.services.reimport_release import reimport_release
from tests.annotation.assignments import assignment_for, submit_work
from tests.annotation.versions import BRUSH, MASK, VERSIONS
from tests.factories import make_member, make_project, make_sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
LABELS = {VERSIONS[name][0]: VERSIONS[name][1] for name in ("a line", "a cell", "a polygon")}
FACTS = {
    "writer_id": "w7",
    "split": "test",
    "group": "box 3",
    "subtask": "ml-hard",
    "problem": "Solve.",
    "reference_answer": "2",
    "perturbation": "sign flipped",
    "source": "internet",
    "scenario": "letters_notes",
}
REASONING = "The parish register has the same hand."


@pytest.fixture
def project():
    """A page of each structure, masked, agreed on, and rated by three."""
    made = make_project(raters_per_sample=3, verification_mode=VerificationMode.DOUBLE_BLIND)
    for number, (structure, text) in enumerate(LABELS.items()):
        make_sample(made, structure=structure, **FACTS)
        assignment = assignment_for(made)
        record_evidence(assignment=assignment, kind="expert", link="", note=REASONING)
        record_note(assignment=assignment, text=REASONING)
        submit_work(assignment, text, key=f"key-1000000{number}", masks=[MASK, BRUSH])
        submit_work(assignment_for(made, Stage.VERIFY), text, key=f"key-2000000{number}", masks=[MASK, BRUSH])
    for level in (2, 3, 5):
        rater = make_member(made, Role.DIFFICULTY_RATER)
        while rating := claim_rating(person=rater, project=made):
            image = rating.sample.pixel_hash
            submit_rating(
                rating=rating,
                scores=dict.fromkeys(map(str, Dimension), level),
                note=REASONING,
                image_hash=image,
            )
    return made


def export(release: Release, form: ExportFormat) -> dict[str, bytes]:
    run = request_export(release=release, format=form, by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    assert run.checksum, run.error
    with zipfile.ZipFile(open_blob(run.checksum)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("form", FORMS)
def test_release_of_every_structure_when_exported_and_brought_back_then_nothing_is_lost(project, form):
    release = create_release(project=project, by=project.created_by, formula_answers=form)
    held = export(release, ExportFormat.INKBENCH)
    records = [item.gold for item in release.items.order_by("position")]
    for record in records:
        assert record.text and len(record.masks) == 2
        assert record.verification == "double verified"
        assert record.difficulty["cursiveness"]["n"] == 3
        extra = {name: value for name, value in FACTS.items() if name not in ("source", "scenario")}
        assert {name: record.extra[name] for name in extra} == extra
    other = make_project().team
    run = request_export(release=release, format=ExportFormat.INKBENCH, by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    again = reimport_release(team=other, by=other.memberships.get().user, file=open_blob(run.checksum))
    assert [item.gold for item in again.items.order_by("position")] == records
    back = export(again, ExportFormat.INKBENCH)
    heads = {"README.md", "manifest.json"}  # they say number, team and date
    assert back.keys() == held.keys()
    assert all(back[name] == data for name, data in held.items() if name not in heads)
    assert any(name.startswith("outlines/") for name in held) == (form == "regions")
    assert not any(REASONING.encode() in data for data in held.values())


def test_data_card_when_every_structure_is_there_then_it_counts_masks_splits_ratings_and_how_verified(
    project,
):
    release = create_release(project=project, by=project.created_by)
    card = export(release, ExportFormat.INKBENCH)["README.md"].decode()
    for words in (
        "| double verified | 3 |",
        "Masks: 6 on 3 samples.",
        "Difficulty: rated for 3 samples",
        "Formulas: 2 regions on 1 pages.",
        "| test | 3 |",
    ):
        assert words in card, card


def test_omnidocbench_when_every_structure_is_there_then_each_page_has_its_elements_and_its_masks(project):
    release = create_release(project=project, by=project.created_by)
    pages = json.loads(export(release, ExportFormat.OMNIDOCBENCH)["OmniDocBench.json"])
    kinds = {}
    for item, page in zip(release.items.order_by("position"), pages, strict=True):
        structure = Sample.objects.get(uuid=item.sample_id).structure
        kinds[structure] = [(element["category_type"], element["ignore"]) for element in page["layout_dets"]]
        assert page["extra"] == {"relation": []}
        assert [element["order"] for element in page["layout_dets"] if not element["ignore"]] == [
            *range(len(kinds[structure]) - 2)
        ]
        ids = [element["anno_id"] for element in page["layout_dets"]]
        assert len({*ids}) == len(ids)
        assert all(len(element["poly"]) == 8 for element in page["layout_dets"])
    assert [kind for kind, ignored in kinds["formula"] if not ignored] == ["equation_isolated"] * 2
    assert [kind for kind, ignored in kinds["table"] if not ignored] == ["table"]
    assert all(sum(ignored for _, ignored in page) == 2 for page in kinds.values())
