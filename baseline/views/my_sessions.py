"""The baselines a person takes part in, and the link that takes them in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from baseline.selectors.setup import by_code, sessions_of
from baseline.services.configure_baseline import (
    ManagersCannotParticipate,
    NothingLeft,
    NotOpen,
    enrol_participant,
)
from config.accounts.requests import PersonRequest


@login_required
def mine(request: PersonRequest) -> HttpResponse:
    return render(request, "baseline/mine.html", {"sessions": sessions_of(request.user)})


def join(request: HttpRequest, code: str) -> HttpResponse:
    """What a link offers. Opening it changes nothing; taking part needs an account and a POST."""
    found = by_code(code)
    if found is None:
        return render(request, "baseline/join.html", {"is_open": False}, status=404)
    error = ""
    if request.method == "POST" and request.user.is_authenticated:
        try:
            row = enrol_participant(baseline=found, person=request.user, by_link=True)
        except ManagersCannotParticipate:
            error = _("You cannot take part: you manage this project and can see the ground truth.")
        except NotOpen:
            return render(request, "baseline/join.html", {"is_open": False}, status=410)
        except NothingLeft:
            error = _(
                "There are no pages left for you: you have already seen them, or others have read them all."
            )
        else:
            return redirect("baseline_session", row.uuid)
    context = {"is_open": True, "baseline": found, "code": code, "error": error}
    return render(request, "baseline/join.html", context, status=409 if error else 200)
