"""What comes before the clock: consent, questionnaire, briefing, practice."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.models import Participation
from baseline.protocol import SessionPage, Step
from baseline.questionnaire import read_questionnaire
from baseline.responses import check_draft, check_response, parse_response
from baseline.selectors.formats import format_of
from baseline.selectors.sessions import practice_item
from baseline.services.assign_samples import holder_of
from baseline.services.move_session import (
    StaleSession,
    advance_step,
    lock_session,
    record_seen,
    update_session,
)
from config.errors import ApplicationError
from config.exposure.models import SeenContent
from config.exposure.reservations import release_reservations


class Unanswered(ApplicationError):
    """Questions about the participant without an answer; `places` are their indices."""

    status, kind = 422, "invalid"
    msgid = gettext_noop("Please answer the marked questions.")

    def __init__(self, places: list[int]) -> None:
        super().__init__()
        self.places = places


def record_consent(*, participation: Participation, version: int, consent: int) -> None:
    """Consent to the version of the text that was shown. Raises StaleSession when there is a newer one."""
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.CONSENT)
        newest = row.baseline.consents.first()
        if newest is None or newest.number != consent:
            raise StaleSession
        advance_step(row, Step.CONSENT, consent=newest, consented_at=timezone.now())


def answer_questions(*, participation: Participation, version: int, given: Mapping[str, str]) -> None:
    """Store what the person says about themself. Raises Unanswered, BadText."""
    for words in given.values():
        check_draft(words)
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.ABOUT)
        answers, open_ones = read_questionnaire(row.baseline.questions, given)
        if open_ones:
            raise Unanswered(open_ones)
        advance_step(row, Step.ABOUT, about=answers)


def finish_briefing(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.BRIEF)
        advance_step(row, Step.BRIEF)


def submit_practice(*, participation: Participation, version: int, text: str) -> None:
    """Store a practice response, after which its ground truth is shown. Raises BadPayload, as a submission does."""
    check_draft(text)
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.PRACTICE)
        item = practice_item(row)
        if item is None:
            raise StaleSession
        check_response(parse_response(text, format_of(item)))
        if item.pixel_hash:
            release_reservations(
                user=row.person, holder=holder_of(row.baseline), image_hashes=[item.pixel_hash]
            )
            record_seen(row, item, SeenContent.GOLD, "baseline practice")
        update_session(row, is_feedback=True, practice_texts={**row.practice_texts, item.sample_id: text})


def finish_feedback(*, participation: Participation, version: int) -> None:
    with transaction.atomic():
        row = lock_session(participation, version=version, page=SessionPage.FEEDBACK)
        if row.position + 1 < len(row.baseline.practice):
            update_session(row, position=row.position + 1, is_feedback=False)
        else:
            advance_step(row, Step.PRACTICE)
