"""Stored responses as typed content: the one way from a row back to what somebody wrote."""

from __future__ import annotations

from dataclasses import dataclass

from baseline.models import Response, ResponseKind
from baseline.responses import ResponseContent, comparison_text, parse_response
from baseline.selectors.formats import format_of


@dataclass(frozen=True, slots=True)
class CannotRead:
    """The participant submitted the page as one they cannot read."""


def content_of(response: Response) -> ResponseContent | CannotRead | None:
    """What was submitted; None where nothing was received in time."""
    match response.kind:
        case ResponseKind.NOTHING:
            return None
        case ResponseKind.CANNOT_READ:
            return CannotRead()
    return parse_response(response.text, format_of(response.task.item))


def compared_text(response: Response) -> str | None:
    """The response in the spelling in which participants are compared; None where there is no text."""
    content = content_of(response)
    return None if content is None or isinstance(content, CannotRead) else comparison_text(content)
