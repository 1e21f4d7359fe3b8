"""The request as views behind `login_required` know it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from config.accounts.models import User


class PersonRequest(HttpRequest):
    """A request of a signed-in person, with htmx details."""

    user: User
    htmx: HtmxDetails
