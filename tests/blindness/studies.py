"""Expert studies of the world: a draft, one that is being rated, and one that is closed, with their canaries."""

from __future__ import annotations

from config.jobs.services import run_waiting
from evaluation.preference.models import Study
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
from tests.blindness.world import World

STATES = ("draft", "open", "closed")


def add_studies(world: World) -> None:
    """The rater is `study`. In the open study one item is answered and the next one graded: step 2 waits."""
    for state in STATES:
        study = _study(world, state)
        if state == "draft":
            continue
        open_study(study)
        enrolment = study.enrolments.get()
        comment = world.plant("study comment", state)
        rate_item.save_grade(enrolment=enrolment, position=1, value=7, marks={})
        rate_item.save_vote(enrolment=enrolment, position=1, choice="A", comment=comment)
        rate_item.save_grade(enrolment=enrolment, position=2, value=3, marks={})
        if state == "closed":
            close_study(study)
            run_waiting()


def _study(world: World, state: str) -> Study:
    first, second = world.plant("study metric", state), world.plant("study metric", state)
    sample = world.samples["decided"].uuid.hex
    study = create_study(
        release=world.release,
        by=world.people["manager"],
        title=world.plant("study title", state),
        prediction_sets=[world.predictions],
        scores=Scores((first, second), {(sample, ""): {first: 62.0, second: 17.0}}),
    )
    whole = ScoreMapping(MappingKind.LINEAR, 0, 100)
    configure(
        study=study,
        plan=StudyPlan(
            first=ComparedScore(first, SourceChoice(column=first), whole),
            second=ComparedScore(second, SourceChoice(column=second), whole),
            n_items=1,
            n_attention=2,
            n_repeats=0,
            n_practice=0,
            instructions=world.plant("study instructions", state),
            raters=(world.people["study"],),
        ),
    )
    run_waiting()
    study.refresh_from_db()
    assert study.items.count() == 3
    return study
