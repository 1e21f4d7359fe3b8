"""What an annotator writes down beside the text, until it is handed in: notes, evidence, suggestions taken."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, Evidence, Note, Suggestion, SuggestionUse
from annotation.services.autosave import check_open
from evaluation.payloads.text import MAX_LINES, BadText, validate_text


def record_note(*, seat: Assignment, text: str) -> Note:
    """Keep a note to oneself. Raises BadText, Closed."""
    validate_text(text)
    with transaction.atomic():
        check_open(seat)
        return Note.objects.create(assignment=seat, text=text)


def record_evidence(*, seat: Assignment, kind: str, link: str, note: str) -> Evidence:
    """Log something consulted. Raises BadText, Closed."""
    validate_text(note)
    with transaction.atomic():
        check_open(seat)
        return Evidence.objects.create(assignment=seat, kind=kind, link=link, note=note)


def record_use(
    *, seat: Assignment, suggestion_id: int, how: str, line: int | None, text: str
) -> SuggestionUse:
    """Write down that a suggestion of this seat's own sample was taken.

    Raises BadText for any other suggestion, Closed.
    """
    suggestion = Suggestion.objects.filter(pk=suggestion_id, request__sample=seat.sample).first()
    if suggestion is None:
        raise BadText(_("There is no such suggestion for this sample."))
    is_number = type(line) is int and 0 <= line < MAX_LINES
    if how not in ("whole", "line") or (how == "line" and not is_number):
        raise BadText(_("A suggestion is taken “whole”, or as “line” with its number."))
    validate_text(text)
    with transaction.atomic():
        check_open(seat)
        return SuggestionUse.objects.create(
            assignment=seat, suggestion=suggestion, how=how, line=line if how == "line" else None, text=text
        )
