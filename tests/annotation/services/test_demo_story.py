"""The demo's story: no page of the project is empty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Draft, Field, Project, Question, Rating, Sample, Screening, Work
from annotation.selectors.difficulty import difficulty_in
from annotation.selectors.question_queue import count_waiting_questions
from annotation.selectors.rating_queue import count_waiting_ratings
from annotation.selectors.screening_queue import count_waiting_screenings
from annotation.stages import Stage, Status
from config.accounts.models import User
from evaluation.payloads.fields import FieldKind
from tests.demo_sketch import copy_demo

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path
    return copy_demo(monkeypatch)


def test_demo_when_made_then_every_role_finds_work_and_every_kind_of_page_its_content(demo: Project) -> None:
    people = {user.username: user for user in User.objects.all()}
    assert count_waiting_screenings(people["finn"], demo) == 1
    assert count_waiting_ratings(people["hugo"], demo) > 0
    assert count_waiting_questions(people["ines"], demo) == 1
    assert Question.objects.exclude(answered_at=None).count() == 1
    assert Screening.objects.get(done_at=None).sample.work.stage in (Stage.PREANNOTATE, Stage.LABEL)
    begun = {draft.assignment.sample.structure for draft in Draft.objects.filter(version__gt=0)}
    assert begun >= {"table", "formula"}
    release = demo.team.releases.get()
    released = Sample.objects.filter(uuid__in=list(release.items.values_list("sample_id", flat=True)))
    assert set(released.values_list("structure", flat=True)) == {"text", "table", "formula"}
    assert not Work.objects.filter(status=Status.HELD, lease_until=None).exists()


def test_demo_when_made_then_one_field_of_each_kind_is_disputed_and_all_else_agreed(demo: Project) -> None:
    fields = Field.objects.filter(dispute__sample__project=demo, dispute__closed_at=None, settled_at=None)
    disputed: dict[str, set[str]] = {}
    for sample in Sample.objects.filter(disputes__closed_at=None, disputes__isnull=False):
        kinds = set(fields.filter(dispute__sample=sample).values_list("kind", flat=True))
        disputed.setdefault(sample.structure, set()).update(kinds)
    assert disputed == {
        "text": {FieldKind.LINE, FieldKind.MASK},
        "table": {FieldKind.CELL},
        "formula": {FieldKind.REGION, FieldKind.LATEX},
    }


def test_demo_when_made_then_difficulty_has_means_spread_and_agreement(demo: Project) -> None:
    difficulty = difficulty_in(demo, demo.created_by)
    assert difficulty.rated > 10
    assert difficulty.begun > 0
    assert all(figures.over_samples and figures.over_samples.spread for figures in difficulty.figures)
    alphas = [figures.alpha.value for figures in difficulty.figures]
    assert all(value is not None and value > 0.3 for value in alphas), alphas
    assert Rating.objects.filter(submitted_at=None).count() == 0
    assert any(item.record.get("difficulty") for item in demo.team.releases.get().items.all())
