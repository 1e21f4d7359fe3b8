"""Who may: a release and all that hangs on it exist only for the people of its team.

Everything raises Http404 both for what does not exist and for what is not theirs: the answer must not tell which. To
somebody who is still to read samples of the release in a baseline, or rates some in a study that is not closed, all of
it is closed, in words (403).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from config.accounts.models import Role, Team, User
from config.accounts.selectors import has_role, roles_in
from config.exposure.models import ReservedContent
from config.exposure.reservations import deny_reserved_readers, reserved_for
from evaluation.models import ExportRun, GoldItem, PredictionSet, Release, ScoreRun


def release_for(user: User, pk: int, *roles: Role) -> Release:
    """The release, if the person has one of `roles` in its team (any role when none is named)."""
    release = Release.objects.select_related("team").filter(pk=pk).first()
    if release is None or not may_enter(user, release.team, *roles):
        raise Http404
    deny_figure_readers_of(user, release)
    return release


def export_for(user: User, pk: int, *roles: Role) -> ExportRun:
    run = ExportRun.objects.select_related("release__team").filter(pk=pk).first()
    if run is None or not may_enter(user, run.release.team, *roles):
        raise Http404
    deny_figure_readers_of(user, run.release)
    return run


def prediction_set_for(user: User, pk: int, *roles: Role) -> PredictionSet:
    answers = PredictionSet.objects.select_related("release__team", "system").filter(pk=pk).first()
    if answers is None or not may_enter(user, answers.release.team, *roles):
        raise Http404
    deny_figure_readers_of(user, answers.release)
    return answers


def score_run_for(user: User, pk: int, *roles: Role) -> ScoreRun:
    rows = ScoreRun.objects.select_related("prediction_set__release__team", "prediction_set__system")
    run = rows.filter(pk=pk).first()
    if run is None or not may_enter(user, run.prediction_set.release.team, *roles):
        raise Http404
    deny_figure_readers_of(user, run.prediction_set.release)
    return run


def may_enter(user: User, team: Team, *roles: Role) -> bool:
    """True when the person has one of `roles` in the team (any role when none is named)."""
    return has_role(user, team, *roles) if roles else bool(roles_in(user, team))


def deny_figure_readers_of(user: User, *releases: Release) -> None:
    """Ground truth and figures wait until the person has read what they are to read with an untouched eye, and until
    the studies that they rate are closed (403)."""
    keys = [reservation_key(release) for release in releases]
    deny_reserved_readers(user, _hashes_of(*releases), keys=keys, has_figures=True)


def closed_figures(user: User, releases: Sequence[Release]) -> dict[int, ReservedContent]:
    """Which of these releases `deny_figure_readers_of` closes to the person, by their ids, and what it waits for; for
    lists that link to figures."""
    closed: dict[int, ReservedContent] = {}
    for content in (ReservedContent.FIGURES, ReservedContent.GOLD):
        reserved = reserved_for(user, content)
        keys = set(reserved)
        if not keys:
            continue
        items = GoldItem.objects.filter(release__in=releases, pixel_hash__in=reserved).order_by()
        closed |= dict.fromkeys(items.values_list("release_id", flat=True).distinct(), content)
        closed |= {release.pk: content for release in releases if reservation_key(release) in keys}
    return closed


def deny_reserved_readers_of(user: User, *releases: Release) -> None:
    """The same for pages that show ground truth and no figures."""
    deny_reserved_readers(user, _hashes_of(*releases))


def reservation_key(release: Release) -> str:
    """What reserves a whole release, whether or not its samples have images."""
    return f"release {release.pk}"


def _hashes_of(*releases: Release) -> QuerySet[GoldItem, Any]:
    return GoldItem.objects.filter(release__in=releases).exclude(pixel_hash="").values("pixel_hash")
