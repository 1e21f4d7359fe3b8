"""The progress and failures of a project's recognisers, without the text of suggestions."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, Q

from annotation.models import Project, Suggestion, SuggestionRequest
from annotation.selectors.blind_manager import hidden_samples
from config.accounts.models import User
from config.error_messages import render_message
from config.jobs.models import JobState


@dataclass(frozen=True, slots=True)
class Failure:
    """One kind of failure of one recogniser: the number of samples, and the newest message.

    A message may quote the page, so it is taken from samples that are not hidden from the viewer; "" if there are none.
    """

    kind: str
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class Progress:
    """One current recogniser. `missing` counts requests that ended without a suggestion."""

    letter: str
    label: str
    answered: int
    waiting: int
    missing: int
    not_asked: int
    failures: tuple[Failure, ...]

    @property
    def total(self) -> int:
        return self.answered + self.waiting + self.missing + self.not_asked


def progress_of(project: Project, viewer: User) -> list[Progress]:
    """The progress of each current recogniser, by slot."""
    samples = project.samples.filter(intake="ready").count()
    ended = [JobState.FAILED, JobState.CANCELLED]
    rows = project.recognisers.filter(retired_at=None).annotate(
        asked=Count("requests"),
        answered=Count("requests", filter=Q(requests__state=JobState.DONE)),
        missing=Count("requests", filter=Q(requests__state__in=ended)),
    )
    failures = _failures_of(project, viewer)
    return [
        Progress(
            letter="ABC"[row.slot - 1],
            label=row.label,
            answered=row.answered,
            waiting=row.asked - row.answered - row.missing,
            missing=row.missing,
            not_asked=max(0, samples - row.asked),
            failures=tuple(failures.get(row.pk, [])),
        )
        for row in rows.order_by("slot")
    ]


def _failures_of(project: Project, viewer: User) -> dict[int, list[Failure]]:
    """Failures by recogniser, of requests that ended without a suggestion."""
    is_visible = Q(request__sample__in=project.samples.exclude(hidden_samples(viewer, project)))
    groups = (
        Suggestion.objects.filter(
            request__recogniser__project=project,
            request__recogniser__retired_at=None,
            request__state=JobState.FAILED,
        )
        .exclude(failure="")
        .values("request__recogniser", "failure")
        .annotate(count=Count("request", distinct=True), newest=Max("pk", filter=is_visible))
        .order_by("request__recogniser", "-count", "failure")
    )
    newest = Suggestion.objects.filter(pk__in=[group["newest"] for group in groups if group["newest"]])
    rows = newest.values_list("pk", "message_parts", "message")
    messages = {pk: render_message(parts, message) for pk, parts, message in rows}
    failures: dict[int, list[Failure]] = {}
    for group in groups:
        failure = Failure(group["failure"], group["count"], messages.get(group["newest"], ""))
        failures.setdefault(group["request__recogniser"], []).append(failure)
    return failures


def is_reading(project: Project) -> bool:
    """True while some request of the project waits or runs."""
    return SuggestionRequest.objects.filter(
        sample__project=project, state__in=[JobState.QUEUED, JobState.RUNNING]
    ).exists()
