"""Status labels and figures of imports and duplicates."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import DuplicatePair, ImportRun
from annotation.models.sample import ImportOutcome
from annotation.selectors.imports import FileGroup, Speed
from config.jobs.models import JobState

register = template.Library()

_STATES = {
    JobState.QUEUED: ("", "hourglass"),
    JobState.RUNNING: ("info", "loader-circle"),
    JobState.DONE: ("done", "circle-check"),
    JobState.FAILED: ("bad", "octagon-x"),
    JobState.CANCELLED: ("", "ban"),
}
_OUTCOMES = {
    ImportOutcome.PENDING: ("", "hourglass"),
    ImportOutcome.IMPORTED: ("done", "circle-check"),
    ImportOutcome.PARTLY: ("todo", "triangle-alert"),
    ImportOutcome.ALREADY: ("", "files"),
    ImportOutcome.READ: ("", "archive"),
    ImportOutcome.FAILED: ("bad", "octagon-x"),
}
_RECEIVING = gettext_lazy("Receiving files")
_STOPPING = gettext_lazy("Stopping after this page")


@register.simple_tag
def import_state(run: ImportRun) -> SafeString:
    """The state of a run, with its tone and icon."""
    state = JobState(run.state)
    words = state.label
    if run.is_receiving and not run.is_over:
        words = _RECEIVING
    elif state == JobState.RUNNING and run.cancel_requested_at:
        words = _STOPPING
    tone, icon = _STATES[state]
    return render_to_string("components/status.html", {"tone": tone, "icon": icon, "words": words})


@register.simple_tag
def outcome_status(group: FileGroup) -> SafeString:
    """The outcome of a group of files, with its problem if there is one."""
    tone, icon = _OUTCOMES[group.outcome]
    words = str(group.outcome.label)
    if group.words:
        words = f"{words}: {group.words.title}"
    return render_to_string("components/status.html", {"tone": tone, "icon": icon, "words": words})


@register.simple_tag
def speed_words(speed: Speed | None) -> str:
    """Rate and remaining time as text; empty while they are unknown."""
    if speed is None or speed.rest is None:
        return ""
    now = timezone.now()
    rest = (
        timesince(now - speed.rest, now, depth=1)
        if speed.rest.total_seconds() >= 60
        else _("less than a minute")
    )
    return _("%(rate)s pages/min, %(rest)s left") % {"rate": round(speed.per_minute), "rest": rest}


@register.filter
def similarity_percent(pair: DuplicatePair) -> int:
    """The similarity of the two pages, 0 to 100."""
    return round(100 * (1 - pair.distance))


@register.filter
def decimal_size(count: int) -> str:
    """Bytes in decimal units, as limits are set: 1,000,000 is 1 MB."""
    if count < 1_000_000:
        return f"{count / 1000:g} kB"
    return f"{count / 1_000_000:g} MB"
