"""The three classes of data, by who may see it. Every field of every model has one.

Each app says so of its own models in its `classification.py`; a field that nobody has classified fails the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class FieldAccess(StrEnum):
    """Who may see a field."""

    OPEN = "open"
    """Facts of the task: any member whose page needs it."""

    BLIND = "blind"
    """What people wrote, why, who and when. Until a sample is done it leaves the database in worksheets only, and
    goes to the assignment it belongs to; a manager opens it on the record."""

    NEVER = "never"
    """No page or call of a working role shows it at any time: it is for managers, or for the machine."""


def classify_fields(
    *,
    open: Mapping[str, str] | None = None,
    blind: Mapping[str, str] | None = None,
    never: Mapping[str, str] | None = None,
) -> dict[str, FieldAccess]:
    """ "Model.field" -> class, from three tables "Model" -> field names with spaces between. Raises ValueError for a
    field that stands in two."""
    classes: dict[str, FieldAccess] = {}
    for sight, table in ((FieldAccess.OPEN, open), (FieldAccess.BLIND, blind), (FieldAccess.NEVER, never)):
        for model, names in (table or {}).items():
            for name in names.split():
                if f"{model}.{name}" in classes:
                    raise ValueError(f"{model}.{name} is classify_fields twice")
                classes[f"{model}.{name}"] = sight
    return classes


JOB_FIELDS = (
    "id state worker lease_until attempts progress_done progress_total error error_parts"
    " queued_at started_at finished_at cancel_requested_at"
)
"""The columns of every job row; errors and timing are for managers."""
