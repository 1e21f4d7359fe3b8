"""A baseline of the release, and people who are somewhere in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from baseline.models import Baseline, Task
from baseline.selectors.formats import format_of
from baseline.selectors.sessions import current_page, key_of
from baseline.services import onboard_participant, run_clock, submit_response
from baseline.services.assign_samples import open_baseline
from baseline.services.configure_baseline import create_baseline, enrol_participant, set_invitation_link
from baseline.services.lock_device import acquire_device_lock
from baseline.services.publish_results import publish_results
from config.jobs.services import run_waiting
from tests.blindness.world import World


def add_baseline(world: World) -> None:
    """One person who has handed all in, one in the middle of a page, one who practises, one who has not begun."""
    boss = world.people["manager"]
    practice = world.release.items.get(sample_id=world.samples["decided"].uuid.hex)
    world.baseline = create_baseline(
        release=world.release,
        by=boss,
        name="Reading by hand",
        consent="You may stop.",
        brief="Read.",
        questions=[{"label": "Who?", "choices": [], "is_optional": True}],
        practice=[practice.number],
        break_every=1,
        time_limit_seconds=3600,
        gap_minutes=0,
    )
    for name in ("done", "reading", "practising", "waiting"):
        world.passes[name] = enrol_participant(baseline=world.baseline, person=world.people[f"reader {name}"])
    set_invitation_link(baseline=world.baseline, is_open=True)
    Baseline.objects.filter(pk=world.baseline.pk).update(code=world.plant("baseline code"))
    world.baseline.refresh_from_db()
    open_baseline(baseline=world.baseline)
    for name in ("practising", "reading", "done"):
        _take_part(world, name)
    publish_results(baseline=world.baseline, by=boss)
    run_waiting()


def _take_part(world: World, name: str) -> None:
    row = world.passes[name]

    def step(verb: Callable[..., None], **more: Any) -> None:
        row.refresh_from_db()
        verb(participation=row, version=row.version, **more)

    step(onboard_participant.record_consent, consent=1)
    step(onboard_participant.answer_questions, given={"q0": world.plant("baseline about", name)})
    step(onboard_participant.finish_briefing)
    if name == "practising":
        return
    step(onboard_participant.submit_practice, text=world.plant("baseline practice", name))
    step(onboard_participant.finish_feedback)
    while True:
        row.refresh_from_db()
        if current_page(row) == "break":
            step(run_clock.end_break)
            row.refresh_from_db()
        if current_page(row) != "ready":
            break
        step(run_clock.show_sample)
        row.refresh_from_db()
        task = row.tasks.get(position=row.position)
        key = key_of(task)
        acquire_device_lock(participation=row, device="", tab_token="tab")
        if name == "reading":
            text = _answer(world, task, "draft", name)
            submit_response.save_draft(participation=row, tab_token="tab", key=key, text=text)
            return
        submit_response.submit_response(
            participation=row,
            tab_token="tab",
            key=key,
            text=_answer(world, task, "answer", name),
            cannot_read=False,
            idempotency_key=world.plant("idempotency key"),
        )
    step(submit_response.finish_session, words=world.plant("baseline about", name))


def _answer(world: World, task: Task, what: str, name: str) -> str:
    """A canary in the form the page asks for: a text, a table, or LaTeX by the region's number."""
    form = format_of(task.item)
    words = world.plant(f"baseline {what}", name)
    if form.regions is not None:
        return json.dumps(dict.fromkeys(map(str, form.regions), words))
    return f"<table><tr><td>{words}</td></tr></table>" if form.structure == "table" else words
