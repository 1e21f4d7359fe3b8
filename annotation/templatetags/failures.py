"""Labels of the kinds of recogniser failures."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

from evaluation.model_clients.failures import FailureKind

register = template.Library()

FAILURES = {
    FailureKind.TIMEOUT: _("No reply in time"),
    FailureKind.REFUSED: _("Too many requests, or the quota is used up"),
    FailureKind.SERVER_ERROR: _("The endpoint had an internal error"),
    FailureKind.GARBAGE: _("The reply could not be read"),
    FailureKind.EMPTY: _("The reply was empty"),
    FailureKind.AUTH: _("The key is missing or was rejected"),
    FailureKind.BAD_REQUEST: _("The endpoint rejected the request"),
    FailureKind.UNREACHABLE: _("The endpoint could not be reached"),
    FailureKind.ADDRESS_REFUSED: _("The address is not allowed"),
    FailureKind.NOT_INSTALLED: _("The recogniser is not installed"),
    FailureKind.BAD_IMAGE: _("The image could not be read"),
}


@register.filter
def failure_name(kind: str) -> str:
    """The label of a kind; an unknown kind is its own label."""
    try:
        return str(FAILURES[FailureKind(kind)])
    except (KeyError, ValueError):
        return kind
