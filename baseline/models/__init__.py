from baseline.models.participation import Event, Participation, Response, ResponseKind, Task, TaskState
from baseline.models.publication import Part, Publication
from baseline.models.setup import Baseline, ConsentText, State

__all__ = [
    "Baseline",
    "ConsentText",
    "Event",
    "Part",
    "Participation",
    "Publication",
    "Response",
    "ResponseKind",
    "State",
    "Task",
    "TaskState",
]
