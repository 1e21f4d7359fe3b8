"""What an annotator writes down beside the text, until it is handed in: notes, evidence, suggestions taken."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from annotation.models import Assignment, Evidence, Note, Suggestion, SuggestionUse
from annotation.models.kinds import EvidenceKind
from annotation.services.save_draft import check_open
from evaluation.payloads.table_grid import MAX_CELLS
from evaluation.payloads.text import BadText, validate_text

_is_web_address = URLValidator(schemes=["http", "https"])


class NoSuchEntry(Http404):
    """Not an entry of this assignment's log that its person can change."""


def record_note(*, assignment: Assignment, text: str) -> Note:
    """Keep a note to oneself. Raises BadText, Closed."""
    validate_text(text)
    with transaction.atomic():
        check_open(assignment)
        return Note.objects.create(assignment=assignment, text=text)


def record_evidence(*, assignment: Assignment, kind: str, link: str, note: str) -> Evidence:
    """Log something consulted. Raises BadText, Closed."""
    _check_entry(kind, link, note)
    with transaction.atomic():
        check_open(assignment)
        return Evidence.objects.create(assignment=assignment, kind=kind, link=link, note=note)


def change_evidence(*, assignment: Assignment, pk: int, kind: str, link: str, note: str) -> None:
    """Mend an own entry until the sample is handed in. Raises NoSuchEntry, BadText, Closed."""
    _check_entry(kind, link, note)
    with transaction.atomic():
        check_open(assignment)
        if not _own_entries(assignment, pk).update(kind=kind, link=link, note=note):
            raise NoSuchEntry


def remove_evidence(*, assignment: Assignment, pk: int) -> None:
    """Take an own entry out of the log until the sample is handed in. Raises NoSuchEntry, Closed."""
    with transaction.atomic():
        check_open(assignment)
        if not _own_entries(assignment, pk).delete()[0]:
            raise NoSuchEntry


def _own_entries(assignment: Assignment, pk: int) -> QuerySet[Evidence]:
    """The entry, where it is this assignment's and not an expert's answer."""
    return Evidence.objects.filter(pk=pk, assignment=assignment, question=None)


def _check_entry(kind: str, link: str, note: str) -> None:
    """Raises BadText for an unknown kind, a link that is no web address, and an entry that says nothing."""
    if kind not in EvidenceKind.values:
        raise BadText(_("This kind of evidence does not exist."))
    try:
        if link:
            _is_web_address(link)
    except ValidationError:
        raise BadText(_("The link must be a web address starting with http:// or https://.")) from None
    validate_text(note)
    if not link and not note.strip():
        raise BadText(_("Give a link, or describe what you learned."))


def record_use(
    *, assignment: Assignment, suggestion_id: int, how: str, line: int | None, text: str
) -> SuggestionUse:
    """Write down that a suggestion of this assignment's own sample was taken.

    Raises BadText for any other suggestion, Closed.
    """
    suggestion = Suggestion.objects.filter(pk=suggestion_id, request__sample=assignment.sample).first()
    if suggestion is None:
        raise BadText(_("This sample has no such suggestion."))
    is_number = type(line) is int and 0 <= line <= MAX_CELLS
    if how != "whole" and not (how in ("line", "cell", "region") and is_number):
        raise BadText(_("Use a suggestion as “whole”, or as “line”, “cell” or “region” with its number."))
    validate_text(text)
    with transaction.atomic():
        check_open(assignment)
        return SuggestionUse.objects.create(
            assignment=assignment,
            suggestion=suggestion,
            how=how,
            line=None if how == "whole" else line,
            text=text,
        )
