from baseline.models.result import Part, Publication
from baseline.models.setup import Baseline, ConsentText, State
from baseline.models.taking import Answer, AnswerKind, Event, Participation, Task, TaskState

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
