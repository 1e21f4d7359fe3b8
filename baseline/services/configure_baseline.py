"""Set a baseline up, edit its consent text, open its invitation link, enrol participants, close it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from baseline.models import Baseline, ConsentText, Participation, State
from baseline.models.setup import new_code
from baseline.services.assign_samples import NotDraft, give_share, holder_of
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.errors import ApplicationError
from config.exposure.reservations import release_reservations
from evaluation.models import Release, System, SystemKind

FIXED = frozenset(
    {
        "method",
        "n",
        "strata",
        "balance",
        "seed",
        "people_per_sample",
        "samples_per_person",
        "time_limit_seconds",
        "gap_minutes",
        "clamp_minutes",
        "break_every",
        "practice",
        "questions",
        "brief",
        "system_name",
    }
)
"""Settings that cannot change once the baseline is open, because they must be the same for everybody."""


class NameTaken(ApplicationError):
    """Another baseline of the release, or a model, has this name on the leaderboard."""

    kind = "name_taken"
    field = "system_name"
    msgid = gettext_noop("A model or another baseline of this release already has this name. Choose another.")


class ManagersCannotParticipate(ApplicationError):
    """The person manages the project, so may see the ground truth and the responses of others."""

    kind = "manager"
    msgid = gettext_noop("Managers of the project can see the ground truth, so they cannot take part.")


class ParticipantsFixed(NotDraft):
    """Participants are removed from the list of a draft only."""

    msgid = gettext_noop(
        "The baseline is open, so participants are not removed from the list. If someone asks, withdraw them."
    )


class NotOpen(ApplicationError):
    """The baseline is not open, or its link is closed."""

    status, kind = 410, "not_open"
    msgid = gettext_noop("The baseline is closed.")


class NothingLeft(ApplicationError):
    """No sample is left that this person may read."""

    kind = "nothing_left"
    msgid = gettext_noop(
        "There are no pages left: they have been seen already, or others have read them all."
    )


def create_baseline(*, release: Release, by: User, consent: str = "", **settings: Any) -> Baseline:
    """Make a draft. Raises NameTaken."""
    with transaction.atomic():
        _check_name(release, settings.get("system_name", "Human"))
        made = Baseline.objects.create(team=release.team, release=release, created_by=by, **settings)
        if consent.strip():
            add_consent_text(baseline=made, by=by, text=consent)
    return made


def change_baseline(*, baseline: Baseline, by: User, consent: str = "", **settings: Any) -> None:
    """Change settings. Raises NotDraft for one of FIXED once it is open, and NameTaken."""
    with transaction.atomic():
        locked = Baseline.objects.select_for_update().get(pk=baseline.pk)
        changed = {name: value for name, value in settings.items() if getattr(locked, name) != value}
        if locked.state != State.DRAFT and FIXED & set(changed):
            raise NotDraft
        if "system_name" in changed:
            _check_name(locked.release, changed["system_name"], but=locked)
        Baseline.objects.filter(pk=locked.pk).update(**changed)
        newest = locked.consents.first()
        if consent.strip() and (newest is None or newest.text != consent):
            add_consent_text(baseline=locked, by=by, text=consent)
    baseline.refresh_from_db()


def _check_name(release: Release, name: str, but: Baseline | None = None) -> None:
    others = Baseline.objects.filter(release=release, system_name=name)
    is_model = System.objects.filter(team=release.team_id, name=name, kind=SystemKind.MODEL).exists()
    if is_model or others.exclude(pk=but.pk if but else 0).exists():
        raise NameTaken


def add_consent_text(*, baseline: Baseline, by: User, text: str) -> ConsentText:
    """A new version of the consent text; whoever agreed to an older one keeps that."""
    newest = baseline.consents.first()
    number = newest.number + 1 if newest else 1
    return ConsentText.objects.create(baseline=baseline, number=number, text=text, created_by=by)


def set_invitation_link(*, baseline: Baseline, is_open: bool) -> None:
    """Open the invitation link under a new code, or close it."""
    changes: dict[str, Any] = {"is_link_open": is_open} | ({"code": new_code()} if is_open else {})
    Baseline.objects.filter(pk=baseline.pk).update(**changes)
    baseline.refresh_from_db()


def enrol_participant(*, baseline: Baseline, person: User, by_link: bool = False) -> Participation:
    """Take a person in, once; in an open baseline they get their samples at once.

    Raises ManagersCannotParticipate, NotOpen (closed; or by link, and the link is not open), NothingLeft.
    """
    if has_role(person, baseline.team, Role.MANAGER) or person.pk == baseline.created_by_id:
        raise ManagersCannotParticipate
    with transaction.atomic():
        locked = Baseline.objects.select_for_update().get(pk=baseline.pk)
        enrolled = locked.participations.filter(person=person).first()
        if enrolled is not None:
            return enrolled
        if locked.state == State.CLOSED or (
            by_link and not (locked.is_link_open and locked.state == State.OPEN)
        ):
            raise NotOpen
        last = locked.participations.order_by("-number").first()
        row = Participation.objects.create(
            baseline=locked, person=person, number=last.number + 1 if last else 1
        )
        if locked.state == State.OPEN and not give_share(locked, row):
            raise NothingLeft
    return row


def remove_participation(*, participation: Participation) -> None:
    """Take a person off the list of a draft."""
    if participation.baseline.state != State.DRAFT:
        raise ParticipantsFixed
    participation.delete()


def close_baseline(*, baseline: Baseline) -> None:
    """End all sessions. What was submitted stays; images that were not shown are no longer reserved."""
    with transaction.atomic():
        Baseline.objects.filter(pk=baseline.pk, state=State.OPEN).update(
            state=State.CLOSED, closed_at=timezone.now(), is_link_open=False
        )
        for row in baseline.participations.select_related("person"):
            release_reservations(user=row.person, holder=holder_of(baseline))
    baseline.refresh_from_db()
