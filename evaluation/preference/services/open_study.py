"""Open a study, and close it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.errors import ApplicationError
from evaluation.preference.design import TrialKind, plan_turns
from evaluation.preference.models import Item, Study, StudyState, Trial
from evaluation.preference.services.analyse_study import request_results
from evaluation.preference.services.configure_study import CannotRate, NotADraft, hold_draft, may_rate


class NotReady(ApplicationError):
    """There is no sample yet, or nobody to rate it."""

    kind = "not_ready"
    msgid = gettext_noop("The study cannot be opened yet: it needs a sample and at least one rater.")


class NotOpen(ApplicationError):
    """Only an open study can be closed."""

    kind = "not_open"
    msgid = gettext_noop("Only an open study can be closed.")


def open_study(study: Study) -> None:
    """Fix every rater's order and sides, and let them in. Opening twice changes nothing.

    Raises NotADraft for a closed study, NotReady without items or raters, CannotRate when a rater has become a manager
    or has left.
    """
    with transaction.atomic():
        try:
            held = hold_draft(study)
        except NotADraft:
            if Study.objects.filter(pk=study.pk, state=StudyState.OPEN).exists():
                return
            raise
        enrolments = list(held.enrolments.select_related("user"))
        items = {item.number: item for item in held.items.all()}
        main = _numbers(items, TrialKind.MAIN)
        if not main or not enrolments:
            raise NotReady
        refused = [enrolment.user for enrolment in enrolments if not may_rate(held, enrolment.user)]
        if refused:
            raise CannotRate(refused)
        plans = plan_turns(
            main=main,
            practice=_numbers(items, TrialKind.PRACTICE),
            attention=_numbers(items, TrialKind.ATTENTION),
            n_repeats=min(held.n_repeats, len(main) // 2),
            n_raters=len(enrolments),
            seed=held.seed,
        )
        Trial.objects.bulk_create(
            (
                Trial(
                    enrolment=enrolment,
                    position=position,
                    kind=turn.kind.value,
                    item=items[turn.item],
                    first_is=turn.first_is.value,
                )
                for enrolment, turns in zip(enrolments, plans, strict=True)
                for position, turn in enumerate(turns, start=1)
            ),
            batch_size=500,
        )
        held.state, held.opened_at = StudyState.OPEN, timezone.now()
        held.save(update_fields=["state", "opened_at"])


def close_study(study: Study) -> None:
    """Take no more answers, and have the results of those there are computed. Closing twice changes nothing.

    Raises NotOpen for a draft.
    """
    with transaction.atomic():
        held = Study.objects.select_for_update().get(pk=study.pk)
        if held.state == StudyState.CLOSED:
            return
        if held.state != StudyState.OPEN:
            raise NotOpen
        held.state, held.closed_at = StudyState.CLOSED, timezone.now()
        held.save(update_fields=["state", "closed_at"])
        request_results(held)


def _numbers(items: dict[int, Item], kind: TrialKind) -> list[int]:
    return sorted(number for number, item in items.items() if item.kind == kind.value)
