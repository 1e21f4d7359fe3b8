"""What the API tells of projects, samples, queues and imports. Label content is told as worksheets only."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models import ImportRun, Sample
from annotation.models.event import Event
from annotation.models.project import Project
from annotation.models.work import Assignment, Flag
from annotation.selectors.board import Column
from annotation.selectors.imports import FileGroup, count_samples, groups_of
from annotation.selectors.sample import past_of, verbs_for_manager
from annotation.selectors.samples import state_of
from annotation.selectors.waiting import Queue
from annotation.stages import Intake, Stage
from annotation.worksheets import MaskSheet
from config.accounts.models import Role, User
from config.pictures import picture_token


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """One project of yours. `roles` are your own there."""

    slug: str
    name: str
    description: str
    languages: tuple[str, ...]
    scenarios: tuple[str, ...]
    verification_mode: str
    is_archived: bool
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueAnswer:
    """A stage you work at: how many samples you could take, and your seat at the one in your hands."""

    stage: str
    waiting: int
    in_hand: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class StateAnswer:
    """How many samples are in one state, and how many of them in somebody's hands."""

    state: str
    count: int
    held: int


@dataclass(frozen=True, slots=True)
class ProjectDetail:
    """One project, your queues in it, and for managers the states of its samples (null for others)."""

    project: ProjectAnswer
    queues: tuple[QueueAnswer, ...]
    discussions: tuple[uuid.UUID, ...]  # own seats in open discussions
    states: tuple[StateAnswer, ...] | None


@dataclass(frozen=True, slots=True)
class GuidelineAnswer:
    """One version of a project's guideline (Markdown)."""

    number: int
    text: str
    created_at: datetime


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

    `is_veiled`: you may still be given this sample to work on blind, so its people, history and flags are left out
    until you open its transcriptions on the record.
    """

    sample: SampleAnswer
    picture: str  # token; empty while the page is being screened
    is_veiled: bool
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


@dataclass(frozen=True, slots=True)
class NextAnswer:
    """Your seat at the next sample; null when nothing is left, and then when the earliest may fall free."""

    assignment: uuid.UUID | None
    stage: str
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """One sample in your hands, or under discussion with you."""

    assignment: uuid.UUID
    project: str
    stage: str
    sample_number: int
    is_discussion: bool


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """The draft as it is stored now. The next save names this version."""

    version: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class LeaseAnswer:
    """Until when the sample is in your hands."""

    lease_until: datetime


@dataclass(frozen=True, slots=True)
class SubmittedAnswer:
    """What was handed in, in its canonical form."""

    assignment: uuid.UUID
    text: str
    masks: tuple[MaskSheet, ...]
    submitted_at: datetime


@dataclass(frozen=True, slots=True)
class FileGroupAnswer:
    """Files of an import that share an outcome and a problem; `files` names the first few."""

    outcome: str
    problem: str
    mend: str
    count: int
    files: tuple[FileAnswer, ...]


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One file of an import, and what happened to it in words."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """One import. `is_receiving`: more files may still be sent, and it has to be started."""

    id: int
    project: str
    state: str
    is_receiving: bool
    progress_done: int
    progress_total: int
    samples: int
    duplicates: int
    error: str
    created_at: datetime
    files: tuple[FileGroupAnswer, ...]


def project_answer(project: Project, roles: tuple[Role, ...]) -> ProjectAnswer:
    return ProjectAnswer(
        slug=project.slug,
        name=project.name,
        description=project.description,
        languages=tuple(project.languages),
        scenarios=tuple(project.scenarios),
        verification_mode=project.verification_mode,
        is_archived=project.archived_at is not None,
        roles=tuple(role.value for role in roles),
    )


def queue_answer(queue: Queue) -> QueueAnswer:
    return QueueAnswer(queue.stage, queue.waiting, queue.in_hand.uuid if queue.in_hand else None)


def state_answer(column: Column) -> StateAnswer:
    return StateAnswer(column.state, column.count, column.held)


def seat_answer(seat: Assignment, project: Project, *, is_discussion: bool) -> SeatAnswer:
    return SeatAnswer(seat.uuid, project.slug, Stage(seat.stage), seat.sample.number, is_discussion)


def sample_answer(sample: Sample) -> SampleAnswer:
    """Of a row of `samples_of`."""
    return _sample_answer(sample, is_veiled=sample.is_veiled, has_flag=sample.has_flag)  # type: ignore[attr-defined]


def _sample_answer(sample: Sample, *, is_veiled: bool, has_flag: bool) -> SampleAnswer:
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
        holder=work.holder.display_name if not is_veiled and work is not None and work.holder else "",
        has_flag=has_flag,
    )


def sample_detail(sample: Sample, viewer: User) -> SampleDetail:
    past = past_of(sample, viewer)
    has_flag = sample.flags.filter(closed_at=None).exists()
    return SampleDetail(
        sample=_sample_answer(sample, is_veiled=past.is_veiled, has_flag=has_flag),
        picture=""
        if sample.intake == Intake.SCREENING
        else picture_token(person=viewer, blob=sample.full_blob, team=sample.project.team),
        is_veiled=past.is_veiled,
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


def import_answer(run: ImportRun, *, with_files: bool = True) -> ImportAnswer:
    samples, duplicates = count_samples(run)
    return ImportAnswer(
        id=run.pk,
        project=run.project.slug,
        state=run.state,
        is_receiving=run.is_receiving,
        progress_done=run.progress_done,
        progress_total=run.progress_total,
        samples=samples,
        duplicates=duplicates,
        error=run.told,
        created_at=run.queued_at,
        files=tuple(_group_answer(group) for group in groups_of(run)) if with_files else (),
    )


def _group_answer(group: FileGroup) -> FileGroupAnswer:
    return FileGroupAnswer(
        outcome=group.outcome,
        problem=group.words.title if group.words else "",
        mend=group.words.mend if group.words else "",
        count=group.count,
        files=tuple(FileAnswer(file.name, message) for file, message in group.files),
    )
