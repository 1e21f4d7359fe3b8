"""Open and close a study."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.errors import ApplicationError
from evaluation.preference.design import TrialKind, plan_trials
from evaluation.preference.models import Item, Study, StudyState, Trial
from evaluation.preference.services.analyse_study import request_results
from evaluation.preference.services.configure_study import CannotRate, StudyNotDraft, lock_draft, may_rate
from evaluation.preference.services.reserve_figures import release_figures, reserve_figures


class StudyNotReady(ApplicationError):
    """The study has no sample or no raters yet."""

    kind = "not_ready"
    msgid = gettext_noop("The study cannot be opened yet: it needs a sample and at least one rater.")


class StudyNotOpen(ApplicationError):
    """The study is a draft, so it cannot be closed."""

    kind = "not_open"
    msgid = gettext_noop("Only an open study can be closed.")


def open_study(study: Study) -> None:
    """Fix the order and sides of all raters and open the study. Opening it twice changes nothing.

    Raises StudyNotDraft for a closed study, StudyNotReady without items or raters, CannotRate if a rater has become a
    manager or left.
    """
    with transaction.atomic():
        try:
            locked = lock_draft(study)
        except StudyNotDraft:
            if Study.objects.filter(pk=study.pk, state=StudyState.OPEN).exists():
                return
            raise
        enrolments = list(locked.enrolments.select_related("user"))
        items = {item.number: item for item in locked.items.all()}
        main = _numbers(items, TrialKind.MAIN)
        if not main or not enrolments:
            raise StudyNotReady
        not_allowed = [enrolment.user for enrolment in enrolments if not may_rate(locked, enrolment.user)]
        if not_allowed:
            raise CannotRate(not_allowed)
        plans = plan_trials(
            main=main,
            practice=_numbers(items, TrialKind.PRACTICE),
            attention=_numbers(items, TrialKind.ATTENTION),
            n_repeats=min(locked.n_repeats, len(main) // 2),
            n_raters=len(enrolments),
            seed=locked.seed,
        )
        Trial.objects.bulk_create(
            (
                Trial(
                    enrolment=enrolment,
                    position=position,
                    kind=planned.kind.value,
                    item=items[planned.item],
                    first_is=planned.first_is.value,
                )
                for enrolment, plan in zip(enrolments, plans, strict=True)
                for position, planned in enumerate(plan, start=1)
            ),
            batch_size=500,
        )
        reserve_figures(locked, [enrolment.user for enrolment in enrolments])
        locked.state, locked.opened_at = StudyState.OPEN, timezone.now()
        locked.save(update_fields=["state", "opened_at"])


def close_study(study: Study) -> None:
    """End rating and queue the computation of the results. Closing it twice changes nothing.

    Raises StudyNotOpen for a draft.
    """
    with transaction.atomic():
        locked = Study.objects.select_for_update().get(pk=study.pk)
        if locked.state == StudyState.CLOSED:
            return
        if locked.state != StudyState.OPEN:
            raise StudyNotOpen
        locked.state, locked.closed_at = StudyState.CLOSED, timezone.now()
        locked.save(update_fields=["state", "closed_at"])
        release_figures(locked)
        request_results(locked)


def _numbers(items: dict[int, Item], kind: TrialKind) -> list[int]:
    return sorted(number for number, item in items.items() if item.kind == kind.value)
