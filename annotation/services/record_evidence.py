"""What an annotator records beside the text until it is submitted: notes, evidence, suggestions used."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from annotation.models import Assignment, Evidence, Note, Suggestion, SuggestionUse
from annotation.models.kinds import EvidenceKind
from annotation.services.renew_lease import check_open
from config.transactions import retries_conflicts
from evaluation.payloads.table_grid import MAX_CELLS
from evaluation.payloads.text import BadText, validate_text

_is_web_address = URLValidator(schemes=["http", "https"])


class NoSuchEntry(Http404):
    """The assignment has no such entry, or it is an expert's answer, which cannot be changed."""


@retries_conflicts
def record_note(*, assignment: Assignment, text: str) -> Note:
    """Add a private note. Raises BadText, AssignmentClosed."""
    validate_text(text)
    with transaction.atomic():
        check_open(assignment=assignment)
        return Note.objects.create(assignment=assignment, text=text)


@retries_conflicts
def record_evidence(*, assignment: Assignment, kind: str, link: str, note: str) -> Evidence:
    """Add an entry to the evidence log. Raises BadText, AssignmentClosed."""
    _check_entry(kind, link, note)
    with transaction.atomic():
        check_open(assignment=assignment)
        return Evidence.objects.create(assignment=assignment, kind=kind, link=link, note=note)


@retries_conflicts
def change_evidence(*, assignment: Assignment, pk: int, kind: str, link: str, note: str) -> None:
    """Change an own entry until the text is submitted. Raises NoSuchEntry, BadText, AssignmentClosed."""
    _check_entry(kind, link, note)
    with transaction.atomic():
        check_open(assignment=assignment)
        if not _own_entries(assignment, pk).update(kind=kind, link=link, note=note):
            raise NoSuchEntry


@retries_conflicts
def remove_evidence(*, assignment: Assignment, pk: int) -> None:
    """Remove an own entry until the text is submitted. Raises NoSuchEntry, AssignmentClosed."""
    with transaction.atomic():
        check_open(assignment=assignment)
        if not _own_entries(assignment, pk).delete()[0]:
            raise NoSuchEntry


def _own_entries(assignment: Assignment, pk: int) -> QuerySet[Evidence]:
    """The entry, if it belongs to this assignment and is not an expert's answer."""
    return Evidence.objects.filter(pk=pk, assignment=assignment, question=None)


def _check_entry(kind: str, link: str, note: str) -> None:
    """Raises BadText for an unknown kind, a link that is not a web address, and an empty entry."""
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


@retries_conflicts
def record_suggestion_use(
    *, assignment: Assignment, suggestion_id: int, how: str, line: int | None, text: str
) -> SuggestionUse:
    """Record that a suggestion of this assignment's sample was used, `how` and which `line` (a piece's number) of it.

    Raises BadText for a suggestion of another sample and for an unknown `how`, AssignmentClosed.
    """
    suggestion = Suggestion.objects.filter(pk=suggestion_id, request__sample=assignment.sample).first()
    if suggestion is None:
        raise BadText(_("This sample has no such suggestion."))
    is_number = type(line) is int and 0 <= line <= MAX_CELLS
    if how != "whole" and not (how in ("line", "cell", "region") and is_number):
        raise BadText(_("Use a suggestion as “whole”, or as “line”, “cell” or “region” with its number."))
    validate_text(text)
    with transaction.atomic():
        check_open(assignment=assignment)
        return SuggestionUse.objects.create(
            assignment=assignment,
            suggestion=suggestion,
            how=how,
            line=None if how == "whole" else line,
            text=text,
        )
