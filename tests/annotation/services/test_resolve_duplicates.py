from __future__ import annotations

import io
import uuid

import pytest
from PIL import Image

from annotation.images import fingerprint as prints
from annotation.models import DuplicatePair, Event, FingerprintWord, Project, Sample
from annotation.models.sample import DuplicateDecision, DuplicateKind
from annotation.selectors.duplicates import suggested_decision
from annotation.services.claim_work import claim_work
from annotation.services.resolve_duplicates import (
    AlreadyDecided,
    WorkWouldBeLost,
    decide_duplicate,
    undo_duplicate_decision,
)
from annotation.stages import Intake, Stage
from config.accounts.models import Role
from tests.annotation.images.images import draw_page, encode
from tests.annotation.imports import do_import
from tests.factories import make_member, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def turned_and_cropped(page: Image.Image) -> Image.Image:
    """By 2 degrees and 4 % on each side."""
    image = page.rotate(2, Image.Resampling.BICUBIC, fillcolor=(250, 246, 235))
    dx, dy = int(page.width * 0.04), int(page.height * 0.04)
    return image.crop((dx, dy, page.width - dx, page.height - dy))


def pair_of_twins(project: Project) -> DuplicatePair:
    do_import(
        project, {"a.png": encode(draw_page(1), "PNG"), "b.jpg": encode(draw_page(1), "JPEG", quality=60)}
    )
    return DuplicatePair.objects.get(project=project)


def intakes(project: Project) -> list[str]:
    return list(Sample.objects.filter(project=project).order_by("number").values_list("intake", flat=True))


def test_import_when_one_scan_comes_in_every_way_then_each_is_flagged_and_none_dropped() -> None:
    project = make_project()
    page = draw_page(1)
    data = encode(page, "PNG")
    do_import(
        project,
        {
            "1.png": data,
            "2 same bytes.png": data,
            "3 same pixels.tif": encode(page, "TIFF"),
            "4 saved again.jpg": encode(page, "JPEG", quality=50),
            "5 turned.jpg": encode(turned_and_cropped(page), "JPEG", quality=70),
            "6 other.png": encode(draw_page(2), "PNG"),
        },
    )
    with_first = DuplicatePair.objects.filter(first__number=1).order_by("second__number")
    assert [(pair.second.number, pair.kind) for pair in with_first] == [
        (2, DuplicateKind.BYTES),
        (3, DuplicateKind.PIXELS),
        (4, DuplicateKind.NEAR),
        (5, DuplicateKind.NEAR),
    ]
    waiting, ready = Intake.DUPLICATE, Intake.READY
    assert intakes(project) == [ready, waiting, waiting, waiting, waiting, ready]


def test_import_when_many_pages_by_one_hand_on_one_paper_then_none_is_flagged() -> None:
    project = make_project()
    do_import(project, {f"{seed}.png": encode(draw_page(seed), "PNG") for seed in range(12)})
    assert not DuplicatePair.objects.exists()
    assert FingerprintWord.objects.filter(project=project).count() > 12 * 100


def test_import_when_the_twin_is_in_another_project_then_no_pair() -> None:
    first, second = make_project(), make_project()
    for project in (first, second):
        do_import(project, {"a.png": encode(draw_page(1), "PNG")})
    assert not DuplicatePair.objects.exists()


def test_import_when_page_waits_for_a_decision_then_nobody_is_given_it() -> None:
    project = make_project()
    pair_of_twins(project)
    person = make_member(project, Role.ANNOTATOR)
    assignment = claim_work(person=person, project=project, stage=Stage.LABEL)
    assert assignment is not None and assignment.sample.number == 1
    other = make_member(project, Role.ANNOTATOR)
    assert claim_work(person=other, project=project, stage=Stage.LABEL) is None


def test_decide_when_first_is_kept_then_second_is_excluded_with_reason_and_event() -> None:
    project = make_project()
    pair = pair_of_twins(project)
    decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_FIRST, by=project.created_by)
    assert intakes(project) == [Intake.READY, Intake.EXCLUDED]
    second = Sample.objects.get(pk=pair.second_id)
    assert second.excluded_reason == "duplicate of 1"
    event = Event.objects.get(sample=second, verb="excluded_as_duplicate")
    assert (event.actor, event.data["number"]) == (project.created_by, 1)


def test_decide_when_both_are_kept_then_the_waiting_one_goes_on_to_the_annotators() -> None:
    project = make_project()
    pair = pair_of_twins(project)
    decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_BOTH, by=project.created_by)
    assert intakes(project) == [Intake.READY, Intake.READY]
    assert Sample.objects.get(pk=pair.second_id).work.stage == Stage.LABEL


def test_decide_when_second_is_kept_then_the_first_is_excluded_and_the_second_goes_on() -> None:
    project = make_project()
    pair = pair_of_twins(project)
    decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_SECOND, by=project.created_by)
    assert intakes(project) == [Intake.EXCLUDED, Intake.READY]


def test_decide_when_decided_before_then_refused_and_unchanged() -> None:
    project = make_project()
    pair = pair_of_twins(project)
    decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_BOTH, by=project.created_by)
    with pytest.raises(AlreadyDecided):
        decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_FIRST, by=project.created_by)
    assert intakes(project) == [Intake.READY, Intake.READY]


def test_decide_when_people_worked_on_the_dropped_one_then_it_must_be_meant() -> None:
    project = make_project()
    pair = pair_of_twins(project)
    claim_work(person=make_member(project, Role.ANNOTATOR), project=project, stage=Stage.LABEL)
    assert suggested_decision(pair) == DuplicateDecision.KEEP_FIRST
    with pytest.raises(WorkWouldBeLost):
        decide_duplicate(pair=pair, decision=DuplicateDecision.KEEP_SECOND, by=project.created_by)
    pair.refresh_from_db()
    assert pair.decision == DuplicateDecision.PENDING
    assert intakes(project) == [Intake.READY, Intake.DUPLICATE]
    decide_duplicate(
        pair=pair, decision=DuplicateDecision.KEEP_SECOND, by=project.created_by, even_if_worked_on=True
    )
    assert intakes(project) == [Intake.EXCLUDED, Intake.READY]
    assert pair.first.assignments.count() == 1


@pytest.mark.parametrize("decision", ["keep_first", "keep_second", "keep_both"])
def test_undo_decision_when_decided_then_all_is_as_before(decision: str) -> None:
    project = make_project()
    pair = pair_of_twins(project)
    decide_duplicate(pair=pair, decision=DuplicateDecision(decision), by=project.created_by)
    pair.refresh_from_db()
    undo_duplicate_decision(pair=pair, by=project.created_by)
    pair.refresh_from_db()
    assert (pair.decision, pair.decided_by) == (DuplicateDecision.PENDING, None)
    assert intakes(project) == [Intake.READY, Intake.DUPLICATE]
    assert set(Sample.objects.filter(project=project).values_list("excluded_reason", flat=True)) == {""}
    with pytest.raises(AlreadyDecided):
        undo_duplicate_decision(pair=pair, by=project.created_by)


def test_decide_when_the_kept_page_was_never_compared_with_a_third_then_that_question_stays_open() -> None:
    project = make_project()
    page = draw_page(1)
    files = {f"{n}.jpg": encode(page, "JPEG", quality=80 - 10 * n) for n in range(3)}
    do_import(project, files)
    pairs = {(p.first.number, p.second.number): p for p in DuplicatePair.objects.filter(project=project)}
    pairs[1, 3].delete()
    decide_duplicate(pair=pairs[1, 2], decision=DuplicateDecision.KEEP_FIRST, by=project.created_by)
    pairs[2, 3].refresh_from_db()
    assert pairs[2, 3].decision == DuplicateDecision.MOOT
    carried = DuplicatePair.objects.get(first__number=1, second__number=3)
    assert carried.decision == DuplicateDecision.PENDING
    assert intakes(project) == [Intake.READY, Intake.EXCLUDED, Intake.DUPLICATE]
    decide_duplicate(pair=carried, decision=DuplicateDecision.KEEP_BOTH, by=project.created_by)
    assert intakes(project) == [Intake.READY, Intake.EXCLUDED, Intake.READY]


def test_suggested_decision_when_nobody_worked_then_the_larger_image_survives() -> None:
    project = make_project()
    page = draw_page(1)
    small = page.resize((page.width // 2, page.height // 2))
    do_import(project, {"small.png": encode(small, "PNG"), "large.png": encode(page, "PNG")})
    assert suggested_decision(DuplicatePair.objects.get()) == DuplicateDecision.KEEP_SECOND


def test_import_when_project_is_large_then_a_new_page_is_not_compared_with_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The index gives the candidates: the twin among 300 others is found by comparing at most 24 prints."""
    project = make_project()
    twin = encode(draw_page(7), "JPEG", quality=50)
    do_import(project, {"twin.png": encode(draw_page(7), "PNG")})
    target = Sample.objects.get(project=project)
    crowd = []
    for number in range(2, 302):
        copy = Sample.objects.get(pk=target.pk)
        copy.pk, copy.uuid, copy.number = None, uuid.uuid4(), number
        copy.released_name, copy.import_file, copy.pixel_hash = f"x{number}.png", None, f"{number}"
        copy.original_blob = f"{number}"
        crowd.append(copy)
    Sample.objects.bulk_create(crowd)
    Project.objects.filter(pk=project.pk).update(next_number=302)
    made = Sample.objects.filter(project=project, number__gt=1)
    own = prints.take_fingerprint(Image.open(io.BytesIO(twin))).words
    common = int(own[0])
    FingerprintWord.objects.bulk_create(
        FingerprintWord(project=project, sample=sample, word=word)
        for sample in made
        for word in (common, int(own[1]), int(own[2]), int(own[3]))
    )
    compared: list[int] = []
    real = prints.similarity
    monkeypatch.setattr(prints, "similarity", lambda a, b: compared.append(1) or real(a, b))
    do_import(project, {"again.jpg": twin})
    assert DuplicatePair.objects.get().first_id == target.pk
    assert len(compared) <= 24
