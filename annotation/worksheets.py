"""The complete list of what each stage may see. What is not a field here is not seen.

Primitives only: no rows, no querysets, nothing a template could follow to somewhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of the image the page shows."""


@dataclass(frozen=True, slots=True)
class Page:
    """The image and the facts given at import; both annotation stages see them."""

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
    """An area of the image, in its pixels: a closed outline, or with a `width` a brush stroke that wide."""

    points: tuple[tuple[int, int], ...]
    width: int


@dataclass(frozen=True, slots=True)
class MaskSheet:
    """An area that somebody found illegible. A box has two opposite corners; `width` is a brush's."""

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
    """One recogniser's answer, or its failure in words."""

    id: int
    letter: str  # A, B, C: beside the colour, for those who do not see it
    label: str
    text: str
    lines: tuple[SuggestedLine, ...]
    failure: str
    message: str
    is_waiting: bool
    has_seen_more: bool  # it was made from an image that still showed what is masked now
    left_out: int  # lines that were read as words of a page of formulas, and are not offered


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
    """A question to a domain expert from this assignment. `answer` is empty while nobody has answered."""

    id: int
    text: str
    box: tuple[int, ...]  # left, top, width, height; empty = the whole page
    asked_at: datetime
    answer: str
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class AssignmentState:
    """A person's own side of an assignment: draft, lease, notes."""

    assignment: str  # UUID, the assignment's only name in addresses
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
    """Primary annotation. `returned_because` is the reason the sample came back, without a name."""

    page: Page
    desk: AssignmentState
    suggestions: tuple[SuggestionSheet, ...]
    returned_because: str


@dataclass(frozen=True, slots=True)
class VerifySheet:
    """Second review. `primary_text` and `primary_masks` are None in mode double-blind; nothing else of the primary's is
    here."""

    page: Page
    desk: AssignmentState
    mode: str
    primary_text: str | None
    primary_masks: tuple[MaskSheet, ...] | None
    is_end_reached: bool


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    discussion_role: str  # pseudonym: primary, second, adjudicator
    is_mine: bool
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FieldSheet:
    """One field of the consensus. None as a text = that version has no such field.

    What a text holds follows from `kind`: a line; a table without its cells' texts; a cell; the outline of a region as
    JSON points, or a whole region as JSON where only one version has it; LaTeX; keys in reading order as JSON; a mask
    as JSON. `key` names the field: `r2c1` a cell (second row, first column), an id a region or mask.
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
    box: Box | None  # to zoom to: around the areas below, or of the recognised line that is most like it
    primary_area: AreaSheet | None  # of regions, their LaTeX, and masks
    second_area: AreaSheet | None
    messages: tuple[SpokenMessage, ...]


@dataclass(frozen=True, slots=True)
class ConsensusSheet:
    """The discussion, for one assignment of it."""

    page: Page
    desk: AssignmentState
    discussion_role: str
    is_open: bool  # this assignment may speak now
    is_escalated: bool
    escalation_reason: str
    is_over: bool
    fields: tuple[FieldSheet, ...]
    disclosed: tuple[SpokenMessage, ...]
    disclosable: tuple[str, ...]  # own notes and evidence, to choose from


@dataclass(frozen=True, slots=True)
class ImageOnlyPage:
    """The image alone: for those who must know nothing else of the sample."""

    number: int
    language: str
    image: str  # token
    image_hash: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RedactedCopy:
    """What was redacted on another sample that shows the same page, and is not marked on this one."""

    number: int
    areas: tuple[MaskSheet, ...]


@dataclass(frozen=True, slots=True)
class ScreeningSheet:
    """Screening a page for names: the page as it came (no image once it is done), and the evidence beside it."""

    screening: str  # UUID, its only name in addresses
    project_slug: str
    project_name: str
    page: ImageOnlyPage
    areas: str  # JSON, the shape of masks
    because: str  # why a manager asked for another look
    copies: tuple[RedactedCopy, ...]
    transcript: str
    source_url: str
    discussion_links: tuple[str, ...]
    is_evidence_withheld: bool
    is_closed: bool


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """A question to a domain expert: the image, the question, and the own answer. Not who asked, nor why."""

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
    """Rating how hard a page is: the image and the own choices (dimension -> 1..5), nothing of others'."""

    rating: str  # UUID, its only name in addresses
    project_slug: str
    project_name: str
    page: ImageOnlyPage
    scores: dict[str, int]
    note: str
    lease_until: datetime | None
    is_closed: bool
