"""What the API tells a manager of samples. Label content is told as worksheets, or opened on the record."""

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
class SampleAnswer:
    """One line of a manager's list. `holder` is in whose hands it is, empty for nobody."""

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
class EventAnswer:
    """One thing that happened. `actor` is empty for the site itself."""

    verb: str
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FlagAnswer:
    """What a person told the managers about a sample."""

    id: int
    stage: str
    message: str
    at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class SampleDetail:
    """One sample for its manager: facts and history, no label content. `moves` are those you can make now.

    `is_hidden`: you may still be given this sample to work on blind, so its people, history and flags are left out
    until you open its transcriptions on the record.
    """

    sample: SampleAnswer
    image: str  # token; empty while the page is being screened
    is_hidden: bool
    image_hash: str
    transcript: str
    source_url: str
    licence: str
    discussion_links: tuple[str, ...]
    moves: tuple[str, ...]
    events: tuple[EventAnswer, ...]
    flags: tuple[FlagAnswer, ...]


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """One frozen transcription, opened on the record."""

    stage: str
    round: int
    text: str
    masks: tuple[MaskSheet, ...]
    origins: tuple[str, ...]
    at: datetime
    person: str


@dataclass(frozen=True, slots=True)
class LabelsAnswer:
    """All transcriptions of a sample, oldest first."""

    labels: tuple[LabelAnswer, ...]


def sample_answer(sample: Sample) -> SampleAnswer:
    """Of a row of `samples_of`."""
    return _sample_answer(sample, is_hidden=sample.is_hidden, has_flag=sample.has_flag)  # type: ignore[attr-defined]


def _sample_answer(sample: Sample, *, is_hidden: bool, has_flag: bool) -> SampleAnswer:
    work = getattr(sample, "work", None)
    return SampleAnswer(
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


def sample_detail(sample: Sample, viewer: User) -> SampleDetail:
    past = history_of(sample, viewer)
    has_flag = sample.flags.filter(closed_at=None).exists()
    return SampleDetail(
        sample=_sample_answer(sample, is_hidden=past.is_hidden, has_flag=has_flag),
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
        events=tuple(_event_answer(event) for event in past.events),
        flags=tuple(flag_answer(flag) for flag in past.flags),
    )


def _event_answer(event: Event) -> EventAnswer:
    return EventAnswer(event.verb, event.actor.display_name if event.actor else "", event.reason, event.at)


def flag_answer(flag: Flag) -> FlagAnswer:
    return FlagAnswer(flag.pk, flag.stage, flag.message, flag.at, flag.closed_at)
