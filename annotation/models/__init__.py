from annotation.models.difficulty import Rating
from annotation.models.event import Event
from annotation.models.label import (
    Disclosure,
    Dispute,
    Evidence,
    Field,
    Label,
    Message,
    Note,
    Signature,
    Suggestion,
    SuggestionRequest,
    SuggestionUse,
)
from annotation.models.project import Guideline, Project, RecogniserSetting
from annotation.models.question import Question
from annotation.models.sample import (
    DuplicatePair,
    FingerprintWord,
    ImportFile,
    ImportRun,
    Sample,
    SampleFingerprint,
)
from annotation.models.screening import Screening
from annotation.models.work import Assignment, Draft, Flag, Skip, Work

__all__ = [
    "Assignment",
    "Disclosure",
    "Dispute",
    "Draft",
    "DuplicatePair",
    "Event",
    "Evidence",
    "Field",
    "FingerprintWord",
    "Flag",
    "Guideline",
    "ImportFile",
    "ImportRun",
    "Label",
    "Message",
    "Note",
    "Project",
    "Question",
    "Rating",
    "RecogniserSetting",
    "Sample",
    "SampleFingerprint",
    "Screening",
    "Signature",
    "Skip",
    "Suggestion",
    "SuggestionRequest",
    "SuggestionUse",
    "Work",
]
