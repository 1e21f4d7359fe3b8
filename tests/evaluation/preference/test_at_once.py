"""The same grade and vote from several windows at one moment."""

from __future__ import annotations

import pytest

from evaluation.preference.models import ExpertGrade, PreferenceVote, TrialEvent
from evaluation.preference.services import rate_item
from evaluation.preference.services.open_study import close_study
from tests.at_once import at_once
from tests.evaluation.preference.world import make_open_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def test_votes_when_sent_at_the_same_moment_then_one_row_and_no_error() -> None:
    _study, enrolments = make_open_study(n_raters=1)
    enrolment = enrolments[0]
    grades = at_once(
        *[
            lambda value=value: rate_item.save_grade(enrolment=enrolment, position=1, value=value, marks={})
            for value in (3, 3, 9)
        ]
    )
    votes = at_once(
        *[
            lambda choice=choice: rate_item.save_vote(
                enrolment=enrolment, position=1, choice=choice, comment=""
            )
            for choice in ("A", "A", "B")
        ]
    )
    assert grades == votes == [None] * 3
    assert ExpertGrade.objects.count() == PreferenceVote.objects.count() == 1
    assert TrialEvent.objects.filter(kind__in=("graded", "voted")).count() == 2


def test_closing_when_votes_come_at_the_same_moment_then_each_is_in_the_results_or_refused() -> None:
    study, enrolments = make_open_study(n_raters=2)
    for enrolment in enrolments:
        rate_item.save_grade(enrolment=enrolment, position=1, value=5, marks={})
    results = at_once(
        lambda: close_study(study),
        *[
            lambda enrolment=enrolment: rate_item.save_vote(
                enrolment=enrolment, position=1, choice="A", comment=""
            )
            for enrolment in enrolments
        ],
    )
    refused = [result for result in results if isinstance(result, rate_item.StudyClosed)]
    assert [r for r in results if r is not None and not isinstance(r, rate_item.StudyClosed)] == []
    assert PreferenceVote.objects.count() == 2 - len(refused)
