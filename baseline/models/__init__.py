from baseline.models.participation import Answer, AnswerKind, Event, Participation, Task, TaskState
from baseline.models.publication import Part, Publication
from baseline.models.setup import Baseline, ConsentText, State

__all__ = [
    "Answer",
    "AnswerKind",
    "Baseline",
    "ConsentText",
    "Event",
    "Part",
    "Participation",
    "Publication",
    "State",
    "Task",
    "TaskState",
]
