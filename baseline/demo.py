"""A baseline to look at: drawn pages of text, tables and formulas, one baseline that is over and one that waits."""

from __future__ import annotations

import io
import json
import random
import re
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction

from annotation.demo.drawing.page_scripts import PageScript, load_pages
from annotation.demo.drawing.pages import draw_page, regions_of
from annotation.models import Project
from annotation.services.configure_project import create_project
from baseline.models import Baseline, Event, Participation, Task
from baseline.protocol import EventKind, SessionPage
from baseline.selectors.sessions import current_page, key_of
from baseline.services import onboard_participant, run_clock, submit_response
from baseline.services.assign_samples import open_baseline
from baseline.services.configure_baseline import (
    close_baseline,
    create_baseline,
    enrol_participant,
    set_invitation_link,
)
from baseline.services.lock_device import acquire_device_lock
from baseline.services.publish_results import publish_results
from config.accounts.models import User
from config.blobs import blob_hash, put_blob
from evaluation.models import Release
from evaluation.payloads.formula import page_markdown, read_regions
from evaluation.predictions import Regions, Text
from evaluation.record_parts import RecordRegion
from evaluation.records import GoldRecord, PredictionRecord
from evaluation.services.freeze_release import import_release
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score

SLUG = "exam"
SEED = 1905
PAGES = (
    "shopping-list",
    "letter-allotment",
    "poem-blake",
    "diary-rain",
    "table-rain-gauge",
    "table-duty-roster",
    "formulas-homework",
    "formulas-lecture",
)
GUIDELINE = "Write what the ink says."
READERS = 3  # whose session is over, with simulated responses
CONSENT = """You read pages of handwriting and write down what stands there. It takes about a quarter of an hour.

What you write, and how long you take, is stored under a code, without your name. You may stop at any time; your
answers are deleted then."""
BRIEF = (
    "We want to know how well people read these pages, so that what machines read can be held against it.\n\n"
    "Write every mark of the ink that you can read, as it stands there."
)
QUESTIONS: list[dict[str, Any]] = [
    {"label": "Which hand do you write with?", "choices": ["left", "right"], "is_optional": False},
    {"label": "Which languages do you read every day?", "choices": [], "is_optional": False},
    {"label": "Have you read handwriting as your work?", "choices": ["yes", "no"], "is_optional": True},
]


def make_example_project(*, by: User, people: Sequence[User]) -> Project:
    """A project with one release, two systems' answers, a closed baseline with simulated answers of three accounts made
    for it, and an open one that waits for `people`."""
    with transaction.atomic():
        return _make(by, people)


def _make(by: User, people: Sequence[User]) -> Project:
    project = create_project(by=by, name="Reading room", slug=SLUG, guideline=GUIDELINE)
    dice = random.Random(SEED)
    release = _make_release(project, by)
    for system, rate in (("reader", 0.05), ("hasty reader", 0.15)):
        _answer(release, system, by, dice, rate)
    over = _make_baseline(release, by, "First reading", "Human", time_limit_seconds=600, break_every=3)
    for number in range(1, READERS + 1):
        reader, _ = User.objects.get_or_create(username=f"exam-reader-{number}")
        enrol_participant(baseline=over, person=reader)
    open_baseline(baseline=over)
    for row in over.participations.select_related("person"):
        _sit(row, dice, rate=0.02 * row.number)
    publish_results(baseline=over, by=by)
    close_baseline(baseline=over)
    waiting = _make_baseline(
        release,
        by,
        "Second reading",
        "Human, second reading",
        time_limit_seconds=300,
        practice=[1],
        break_every=2,
    )
    for person in people:
        enrol_participant(baseline=waiting, person=person)
    set_invitation_link(baseline=waiting, is_open=True)
    open_baseline(baseline=waiting)
    return project


def _make_baseline(release: Release, by: User, name: str, system: str, **settings: Any) -> Baseline:
    return create_baseline(
        release=release,
        by=by,
        name=name,
        system_name=system,
        seed=SEED,
        consent=CONSENT,
        brief=BRIEF,
        questions=QUESTIONS,
        **settings,
    )


def _make_release(project: Project, by: User) -> Release:
    scripts = {page.name: page for page in load_pages()}
    records, hashes = [], {}
    for number, name in enumerate(PAGES, start=1):
        record, pixels = _record(scripts[name], number)
        records.append(record)
        hashes[record.id] = pixels
    return import_release(
        team=project.team,
        by=by,
        records=records,
        pixel_hashes=hashes,
        title="Eight pages",
        settings={"formula_answers": "regions"},
        guideline_text=GUIDELINE,
    )


def _record(page: PageScript, number: int) -> tuple[GoldRecord, str]:
    image = draw_page(page, seed=SEED)
    out = io.BytesIO()
    image.save(out, "PNG")
    text = page.truth
    regions: tuple[RecordRegion, ...] = ()
    if page.formulas:
        entries = read_regions(regions_of(page))
        regions = tuple(
            RecordRegion(number, region.polygon, region.latex)
            for number, region in enumerate(entries, start=1)
        )
        text = page_markdown(regions_of(page))
    record = GoldRecord(
        id=uuid.uuid5(uuid.NAMESPACE_URL, f"example baseline {page.name}").hex,
        file_name=f"{page.name}.png",
        structure=page.structure,
        language=page.language,
        scenario=page.scenario,
        text=text,
        image_hash=put_blob(out.getvalue()),
        width=image.width,
        height=image.height,
        number=number,
        guideline=1,
        regions=regions,
        difficulty={"overall": {"mean": float(1 + number % 3), "spread": 0.0, "n": 1}},
    )
    return record, blob_hash(image.tobytes())


def _answer(release: Release, system: str, by: User, dice: random.Random, rate: float) -> None:
    records = []
    for item in release.items.order_by("position"):
        if "regions" in item.record:
            read = {str(r["number"]): _misread(r["latex"], dice, rate) for r in item.record["regions"]}
            records.append(PredictionRecord(item.sample_id, Regions(read)))
        else:
            records.append(PredictionRecord(item.sample_id, Text(_misread(item.record["text"], dice, rate))))
    answers = record_predictions(release=release, system_name=system, by=by, records=records, origin="upload")
    request_score(prediction_set=answers)


def _misread(text: str, dice: random.Random, rate: float) -> str:
    """Some letters lost, never of a tag or a command."""
    pieces = re.split(r"(<[^>]*>|\\[A-Za-z]+)", text)  # every second piece is a tag or a command
    return "".join(
        piece if index % 2 else "".join(c for c in piece if not c.isalnum() or dice.random() > rate)
        for index, piece in enumerate(pieces)
    )


def _sit(row: Participation, dice: random.Random, rate: float) -> None:
    """A whole session through the services, as its pages call them."""

    def step(service: Any, **fields: Any) -> None:
        service(participation=row, version=row.version, **fields)
        row.refresh_from_db()

    step(onboard_participant.record_consent, consent=1)
    step(onboard_participant.answer_questions, given={"q0": "right", "q1": "English, Chinese", "q2": "no"})
    step(onboard_participant.finish_briefing)
    while current_page(row) in (SessionPage.READY, SessionPage.BREAK):
        if current_page(row) == SessionPage.BREAK:
            step(run_clock.end_break)
        step(run_clock.show_sample)
        _write(row, dice, rate)
        row.refresh_from_db()
    step(submit_response.finish_session, words="")


def _write(row: Participation, dice: random.Random, rate: float) -> None:
    task = row.tasks.select_related("item").get(position=row.position)
    _date_back(task, dice.uniform(40, 280))
    acquire_device_lock(participation=row, device="example", tab_token="example")
    record = task.item.record
    text = _misread(record["text"], dice, rate)
    if "regions" in record:
        text = json.dumps({str(r["number"]): _misread(r["latex"], dice, rate) for r in record["regions"]})
    submit_response.submit_response(
        participation=row,
        tab_token="example",
        key=key_of(task),
        text=text,
        cannot_read=dice.random() < rate,
        idempotency_key=uuid.uuid4().hex,
    )


def _date_back(task: Task, seconds: float) -> None:
    """As if the page had been shown so long ago: simulated answers take no time of their own."""
    span = timedelta(seconds=seconds)
    assert task.shown_at is not None and task.deadline is not None
    Task.objects.filter(pk=task.pk).update(shown_at=task.shown_at - span, deadline=task.deadline - span)
    Event.objects.filter(task=task, kind=EventKind.SHOWN).update(at=task.shown_at - span)
