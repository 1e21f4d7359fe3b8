"""An example project of expert studies: drawn solutions of invented students, two systems that read them."""

from __future__ import annotations

import io
import random
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone
from PIL import Image, ImageDraw

from annotation.demo.drawing.fonts import open_font
from annotation.models import Project
from annotation.services.configure_project import create_project
from config.accounts.models import Role, User
from config.accounts.services import give_roles
from config.blobs import blob_hash, put_blob
from config.jobs.models import Job
from config.jobs.services import claim_job, run_claimed
from evaluation.models import Release
from evaluation.predictions import Text
from evaluation.preference.design import CardSide, Choice, TrialKind
from evaluation.preference.models import Enrolment, Study, StudyAnalysis, StudyPreparation, TrialEvent
from evaluation.preference.score_files import Scores
from evaluation.preference.score_mapping import MappingKind, ScoreMapping
from evaluation.preference.services import rate_item
from evaluation.preference.services.configure_study import (
    ComparedScore,
    SourceChoice,
    StudyPlan,
    configure,
    create_study,
)
from evaluation.preference.services.open_study import close_study, open_study
from evaluation.preference.timing import OPENED
from evaluation.records import GoldRecord, PredictionRecord
from evaluation.services.freeze_release import import_release
from evaluation.services.record_predictions import record_predictions

SLUG = "halves"
SAMPLES = 45
SEED = 1905
FONT = "kalam"
_SIZE = (900, 420)


def make_example_project(*, by: User, raters: Sequence[User], n_items: int = 3) -> Project:
    """A project with one release and three studies: one open, one closed with simulated ratings, one being set up."""
    project = create_project(by=by, name="Halves and thirds", slug=SLUG, guideline="Write what the ink says.")
    for rater in raters:
        give_roles(team=project.team, user=rater, roles=[Role.STUDY_EXPERT])
    dice = random.Random(SEED)
    release = _make_release(project, by, dice)
    for system in ("reader", "other reader"):
        _record_misreadings(release, system, by, dice)
    waiting = _make_study(release, by, raters, n_items=n_items, n_practice=1, n_attention=1, n_repeats=0)
    open_study(waiting)
    closed = _make_study(release, by, raters, n_items=30, n_practice=1, n_attention=4, n_repeats=6)
    open_study(closed)
    for enrolment in closed.enrolments.all():
        _rate_trials(enrolment, dice, is_careful=enrolment.rater_number != len(raters))
    close_study(closed)
    _run_now(StudyAnalysis, closed.analysis.pk)
    _make_study(release, by, raters, n_items=24, n_practice=2, n_attention=4, n_repeats=4)
    return project


def _make_release(project: Project, by: User, dice: random.Random) -> Release:
    records, hashes = [], {}
    for number in range(1, SAMPLES + 1):
        a, b = dice.randint(2, 40), dice.choice((2, 3, 4, 5))
        right = a / b
        written = right if number % 3 else right + dice.choice((-1, 1, 2))
        lines = [f"{b} x = {a}", f"x = {a} / {b}", f"x = {written:.2f}"]
        png = _draw(lines)
        record = GoldRecord(
            id=uuid.UUID(int=dice.getrandbits(128)).hex,
            file_name=f"ink_{uuid.UUID(int=dice.getrandbits(128)).hex}.png",
            structure="text",
            language="en",
            scenario="education_learning",
            text=f"${b} x = {a}$\n\n$x = \\frac{{{a}}}{{{b}}}$\n\n$x = {written:.2f}$",
            image_hash=put_blob(png),
            width=_SIZE[0],
            height=_SIZE[1],
            number=number,
            guideline=1,
            extra={
                "problem": f"Solve ${b} x = {a}$ for $x$. Give two decimals.",
                "reference_answer": f"$x = \\frac{{{a}}}{{{b}}} = {right:.2f}$",
            },
        )
        records.append(record)
        hashes[record.id] = blob_hash(png)
    return import_release(team=project.team, by=by, records=records, pixel_hashes=hashes, title="Solutions")


def _draw(lines: Sequence[str]) -> bytes:
    image = Image.new("RGB", _SIZE, (252, 250, 244))
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        pen.text((70 + 9 * row, 45 + 115 * row), line, fill=(28, 40, 92), font=open_font(FONT, 62))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _record_misreadings(release: Release, system: str, by: User, dice: random.Random) -> None:
    """A system's predictions: some digits missing, and some wrong results corrected."""
    records = []
    for item in release.items.order_by("position"):
        text = item.record["text"]
        if dice.random() < 0.3:
            text = text.replace(text.rsplit("x = ", 1)[1], f"{dice.randint(1, 20)}.00$")
        for _ in range(dice.randint(0, 6)):
            index = dice.randrange(1, len(text) - 1)
            text = text[:index] + text[index + 1 :] if text[index].isdigit() else text
        records.append(PredictionRecord(item.sample_id, Text(text)))
    record_predictions(release=release, system_name=system, by=by, records=records, origin="upload")


def _make_study(release: Release, by: User, raters: Sequence[User], **counts: Any) -> Study:
    dice = random.Random(SEED)
    values = {
        (item.sample_id, system): {
            "faithful": float(dice.randint(20, 100)),
            "raw": float(dice.randint(20, 100)),
        }
        for item in release.items.order_by("position")
        for system in ("reader", "other reader")
    }
    study = create_study(
        release=release,
        by=by,
        title="Faithful score or edit distance",
        prediction_sets=list(release.prediction_sets.order_by("pk")),
        scores=Scores(("faithful", "raw"), values),
    )
    plan = StudyPlan(
        first=ComparedScore(
            "Faithful score", SourceChoice(column="faithful"), ScoreMapping(MappingKind.LINEAR, 0, 100)
        ),
        second=ComparedScore(
            "Edit distance", SourceChoice("edit", "inkbench-1"), ScoreMapping(MappingKind.INVERTED, 0, 1)
        ),
        grader=SourceChoice(column="raw"),
        beside=(SourceChoice("bleu", "inkbench-1"),),
        raters=tuple(raters),
        **counts,
    )
    run = configure(study=study, plan=plan)
    _run_now(StudyPreparation, run.pk)
    study.refresh_from_db()
    return study


def _run_now(model: type[Job], pk: int) -> None:
    """Run the job here, unless a worker has claimed it already."""
    claim = claim_job(model, pk)
    if claim is not None:
        run_claimed(claim)


def _rate_trials(enrolment: Enrolment, dice: random.Random, *, is_careful: bool) -> None:
    """Rate every trial: grades that follow the first score, and a slight preference for it. A careless rater fails the
    attention items."""
    for trial in list(enrolment.trials.select_related("item")):
        first = float(trial.item.shown_first)
        grade = min(10, max(0, round(first + dice.gauss(0, 1.5))))
        side = CardSide(trial.first_is) if dice.random() < 0.58 else CardSide(trial.first_is).other
        choice = Choice.NONE if dice.random() < 0.1 else Choice(side.value)
        if trial.kind == TrialKind.ATTENTION:
            is_first = (trial.item.expected == "first") is is_careful
            choice = Choice(trial.first_is if is_first else CardSide(trial.first_is).other.value)
        opened_at = timezone.now() - timedelta(seconds=dice.randint(25, 140))
        TrialEvent.objects.create(trial=trial, kind=OPENED, at=opened_at)
        rate_item.save_grade(enrolment=enrolment, position=trial.position, value=grade, marks={})
        rate_item.save_vote(enrolment=enrolment, position=trial.position, choice=choice.value, comment="")
