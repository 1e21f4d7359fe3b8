"""The complete list of what each stage may see: what is not a field here is not shown.

Primitives only: no rows or querysets that a template could follow to other data.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of the image that is shown."""


@dataclass(frozen=True, slots=True)
class Page:
    """The image and the facts given at import, for both annotation stages."""

    number: int
    structure: str
    language: str
    scenario: str
    image: str  # token
    image_hash: str
    width: int
    height: int
    transcript: str
    source_url: str
    licence: str
    discussion_links: tuple[str, ...]
    guideline_number: int
    guideline_text: str


@dataclass(frozen=True, slots=True)
class AreaSheet:
    """An area in pixels of the image: a closed outline, or a brush stroke where there is a `width`."""

    points: tuple[tuple[int, int], ...]
    width: int


@dataclass(frozen=True, slots=True)
class MaskSheet:
    """An area that is illegible. A box has two opposite corners; `width` is that of a brush."""

    id: str
    shape: str  # box, polygon, brush
    points: tuple[tuple[int, int], ...]
    width: int
    reason: str


@dataclass(frozen=True, slots=True)
class SuggestedLine:
    text: str
    box: Box | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class SuggestionSheet:
    """One recogniser's suggestion, or the message of its failure."""

    id: int
    letter: str  # A, B, C: in addition to the colour
    label: str
    text: str
    lines: tuple[SuggestedLine, ...]
    failure: str
    message: str
    is_waiting: bool
    has_seen_more: bool  # it read an image on which nothing was masked
    left_out: int  # lines of words on a formula page, which are not offered


@dataclass(frozen=True, slots=True)
class OwnNote:
    id: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OwnEvidence:
    id: int
    kind: str
    link: str
    note: str
    at: datetime
    kind_key: str
    is_answer: bool  # an expert's; it cannot be changed


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question to a domain expert from this assignment; `answer` is empty until it is answered."""

    id: int
    text: str
    box: tuple[int, ...]  # left, top, width, height; empty = the whole page
    asked_at: datetime
    answer: str
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class AssignmentState:
    """What a person has at their assignment: draft, lease, notes, evidence, questions."""

    uuid: str  # its only name in addresses
    project_slug: str
    project_name: str
    text: str
    masks: tuple[MaskSheet, ...]
    version: int
    saved_at: datetime
    lease_until: datetime | None
    is_closed: bool
    notes: tuple[OwnNote, ...]
    evidence: tuple[OwnEvidence, ...]
    questions: tuple[OwnQuestion, ...]


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """The worksheet of primary annotation. `returned_because` is the reason for a return, without a name."""

    page: Page
    assignment: AssignmentState
    suggestions: tuple[SuggestionSheet, ...]
    returned_because: str


@dataclass(frozen=True, slots=True)
class VerifySheet:
    """The worksheet of second review. `primary_text` and `primary_masks` are None in mode double-blind.

    `is_not_blind` is set where the project's reviews are double-blind and this person's cannot be, since they have read
    what others wrote of the page.
    """

    page: Page
    assignment: AssignmentState
    mode: str
    primary_text: str | None
    primary_masks: tuple[MaskSheet, ...] | None
    is_end_reached: bool
    is_not_blind: bool


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    discussion_role: str  # pseudonym: primary, second, adjudicator
    is_mine: bool
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FieldSheet:
    """One field of a discussion. A text is None where that version has no such field.

    The format of a text depends on `kind`: a line; a table without the texts of its cells; a cell; the outline of a
    region as JSON points, or a whole region as JSON where only one version has it; LaTeX; keys in reading order as
    JSON; a mask as JSON. `key` names the field: `r2c1` for a cell (second row, first column), an id for a region or
    mask.
    """

    position: int
    kind: str
    key: str
    primary_text: str | None
    second_text: str | None
    is_disputed: bool
    is_settled: bool
    text: str | None
    origin: str
    my_signature: str | None
    have_signed: bool
    their_signature: str | None
    have_they_signed: bool
    box: Box | None  # to zoom to: around the areas, or of the most similar recognised line
    primary_area: AreaSheet | None  # of regions, their LaTeX, and masks
    second_area: AreaSheet | None
    messages: tuple[SpokenMessage, ...]


@dataclass(frozen=True, slots=True)
class ConsensusSheet:
    """The worksheet of a discussion, for one of its assignments."""

    page: Page
    assignment: AssignmentState
    discussion_role: str
    is_open: bool  # this person may write in it now
    is_escalated: bool
    escalation_reason: str
    is_over: bool
    fields: tuple[FieldSheet, ...]
    disclosed: tuple[SpokenMessage, ...]
    disclosable: tuple[str, ...]  # own notes and evidence entries


@dataclass(frozen=True, slots=True)
class ImageOnlyPage:
    """The image, for people who may see nothing else of the sample."""

    number: int
    language: str
    image: str  # token
    image_hash: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RedactedCopy:
    """Areas that were redacted on a copy of the page and are not marked on this one."""

    number: int
    areas: tuple[MaskSheet, ...]


@dataclass(frozen=True, slots=True)
class ScreeningSheet:
    """The worksheet of screening: the unredacted page and its evidence, until the screening is finished."""

    screening: str  # UUID, its only name in addresses
    project_slug: str
    project_name: str
    page: ImageOnlyPage
    areas: str  # JSON, like masks
    because: str  # why a manager asked for another screening
    copies: tuple[RedactedCopy, ...]
    transcript: str
    source_url: str
    discussion_links: tuple[str, ...]
    is_evidence_withheld: bool
    is_closed: bool


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """The worksheet of a domain expert: the image, the question and the answer. Not who asked."""

    question: str  # UUID, its only name in addresses
    project_slug: str
    project_name: str
    page: ImageOnlyPage
    text: str
    box: tuple[int, ...]
    answer: str
    is_closed: bool


@dataclass(frozen=True, slots=True)
class RatingSheet:
    """The worksheet of a difficulty rating: the image and one's own levels (dimension -> 1..5)."""

    rating: str  # UUID, its only name in addresses
    project_slug: str
    project_name: str
    page: ImageOnlyPage
    scores: dict[str, int]
    note: str
    lease_until: datetime | None
    is_closed: bool
