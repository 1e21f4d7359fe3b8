"""A release of graded problems, two systems' answers, and a study on them, made by the services."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from config.accounts.models import Role, User
from config.jobs.services import run_waiting
from evaluation.models import Release
from evaluation.preference.models import Enrolment, Study
from evaluation.preference.score_files import Scores
from evaluation.preference.score_mapping import MappingKind, ScoreMapping
from evaluation.preference.services.configure_study import (
    ComparedScore,
    SourceChoice,
    StudyPlan,
    configure,
    create_study,
)
from evaluation.preference.services.open_study import open_study
from tests.factories import make_answers, make_gold, make_gold_release, make_member, make_project

PINK = ComparedScore("PINK", SourceChoice(column="pink"), ScoreMapping(MappingKind.LINEAR, 0, 100))
EDIT = ComparedScore("Edit", SourceChoice("edit", "inkbench-1"), ScoreMapping(MappingKind.INVERTED, 0, 1))


def make_maths_release(n: int = 12, *, team: object = None) -> Release:
    """`n` solutions in LaTeX, each with its problem and reference answer."""
    records = [
        make_gold(
            rf"Step one: $x = {number}$" + "\n" + rf"$\frac{{x}}{{2}} = {number / 2}$",
            extra={
                "problem": rf"Halve $x = {number}$.",
                "reference_answer": rf"The half of {number} is ${number / 2}$.",
            },
        )
        for number in range(n)
    ]
    return make_gold_release(team or make_project().team, records)  # type: ignore[arg-type]


def answer_all(release: Release, system: str = "reader", *, wrong_by: int = 1) -> None:
    """Every answer has another number of wrong characters, so that scores differ."""
    golds = [item.record["text"] for item in release.items.order_by("position")]
    answers = {text: text[: len(text) - (index * wrong_by) % 17 - 1] for index, text in enumerate(golds)}
    make_answers(release, answers, system=system)


def uploaded(release: Release, column: str = "pink") -> Scores:
    items = release.items.order_by("position")
    values = {
        (item.sample_id, ""): {column: float(7 * index % 90) + 5, "raw": float(index)}
        for index, item in enumerate(items)
    }
    return Scores((column, "raw"), values)


def make_study(release: Release, raters: Sequence[User] = (), **plan: object) -> Study:
    """A draft with its sample drawn."""
    study = create_study(
        release=release,
        by=release.created_by,
        title="PINK or Edit",
        prediction_sets=list(release.prediction_sets.all()),
        scores=uploaded(release),
    )
    small = StudyPlan(
        first=PINK, second=EDIT, n_items=6, n_attention=2, n_repeats=2, n_practice=1, raters=tuple(raters)
    )
    configure(study=study, plan=replace(small, **plan))  # type: ignore[arg-type]
    run_waiting()
    study.refresh_from_db()
    return study


def make_raters(release: Release, n: int = 3) -> list[User]:
    project = type("OfTeam", (), {"team": release.team})
    return [make_member(project, Role.STUDY_EXPERT) for _ in range(n)]  # type: ignore[arg-type]


def make_open_study(n_raters: int = 3, n: int = 12, **plan: object) -> tuple[Study, list[Enrolment]]:
    release = make_maths_release(n)
    answer_all(release)
    study = make_study(release, make_raters(release, n_raters), **plan)
    open_study(study)
    study.refresh_from_db()
    return study, list(study.enrolments.select_related("study__release__team", "user"))
