"""Responses about samples, for their managers. Transcriptions are in worksheets, or opened with a log entry."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Sample
from annotation.models.event import Event
from annotation.models.work import Flag
from annotation.selectors.sample import history_of, verbs_for_manager
from annotation.selectors.samples import state_of
from annotation.stages import Intake
from annotation.worksheets import MaskSheet
from config.accounts.models import User
from config.signed_images import image_token


@dataclass(frozen=True, slots=True)
class SampleResponse:
    """One row of a manager's list. `holder` is empty if nobody has claimed the sample."""

    uuid: uuid.UUID
    number: int
    state: str
    structure: str
    language: str
    scenario: str
    source: str
    original_name: str
    page_number: int
    released_name: str
    width: int
    height: int
    holder: str
    has_flag: bool


@dataclass(frozen=True, slots=True)
class EventResponse:
    """One event. `actor` is empty for automatic events."""

    verb: str
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FlagResponse:
    """A problem reported to the managers."""

    id: int
    stage: str
    message: str
    at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class SampleDetailResponse:
    """Metadata and history of one sample, without transcriptions. `moves` are the actions you can take now.

    `is_hidden`: you may still be assigned this sample for blind work, so its people, history and flags are omitted
    until you open its transcriptions.
    """

    sample: SampleResponse
    image: str  # token; empty during screening
    is_hidden: bool
    image_hash: str
    transcript: str
    source_url: str
    licence: str
    discussion_links: tuple[str, ...]
    moves: tuple[str, ...]
    events: tuple[EventResponse, ...]
    flags: tuple[FlagResponse, ...]


@dataclass(frozen=True, slots=True)
class LabelResponse:
    """One frozen transcription."""

    stage: str
    round: int
    text: str
    masks: tuple[MaskSheet, ...]
    origins: tuple[str, ...]
    at: datetime
    person: str


@dataclass(frozen=True, slots=True)
class LabelsResponse:
    """All transcriptions of a sample, oldest first."""

    labels: tuple[LabelResponse, ...]


def sample_response(sample: Sample) -> SampleResponse:
    """From a row of `samples_of`."""
    return _sample_response(sample, is_hidden=sample.is_hidden, has_flag=sample.has_flag)  # type: ignore[attr-defined]


def _sample_response(sample: Sample, *, is_hidden: bool, has_flag: bool) -> SampleResponse:
    work = getattr(sample, "work", None)
    return SampleResponse(
        uuid=sample.uuid,
        number=sample.number,
        state=state_of(sample),
        structure=sample.structure,
        language=sample.language,
        scenario=sample.scenario,
        source=sample.source,
        original_name=sample.original_name,
        page_number=sample.page_number,
        released_name=sample.released_name,
        width=sample.full_width,
        height=sample.full_height,
        holder=work.holder.display_name if not is_hidden and work is not None and work.holder else "",
        has_flag=has_flag,
    )


def sample_detail_response(sample: Sample, viewer: User) -> SampleDetailResponse:
    past = history_of(sample, viewer)
    has_flag = sample.flags.filter(closed_at=None).exists()
    return SampleDetailResponse(
        sample=_sample_response(sample, is_hidden=past.is_hidden, has_flag=has_flag),
        image=""
        if sample.intake == Intake.SCREENING
        else image_token(person=viewer, blob=sample.full_blob, team=sample.project.team),
        is_hidden=past.is_hidden,
        image_hash=sample.pixel_hash,
        transcript=sample.transcript,
        source_url=sample.source_url,
        licence=sample.licence,
        discussion_links=tuple(sample.discussion_links),
        moves=tuple(verbs_for_manager(getattr(sample, "work", None))),
        events=tuple(_event_response(event) for event in past.events),
        flags=tuple(flag_response(flag) for flag in past.flags),
    )


def _event_response(event: Event) -> EventResponse:
    return EventResponse(event.verb, event.actor.display_name if event.actor else "", event.reason, event.at)


def flag_response(flag: Flag) -> FlagResponse:
    return FlagResponse(flag.pk, flag.stage, flag.message, flag.at, flag.closed_at)
