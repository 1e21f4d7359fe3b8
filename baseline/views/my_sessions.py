"""A person's own sessions, and joining a baseline through its link."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from baseline.selectors.setup import by_code, sessions_of
from baseline.services.configure_baseline import NotOpen, enrol_participant
from config.accounts.requests import PersonRequest
from config.accounts.sign_up import allow_sign_up
from config.error_responses import error_message, renders_errors
from config.errors import RequestError


@login_required
def baselines_mine(request: PersonRequest) -> HttpResponse:
    return render(request, "baseline/mine.html", {"sessions": sessions_of(request.user)})


def _render_join(request: HttpRequest, code: str, **extra: object) -> HttpResponse:
    context = {"is_open": True, "baseline": by_code(code), "code": code}
    return render(request, "baseline/join.html", context | extra)


def _join_refused(request: HttpRequest, error: RequestError, code: str) -> HttpResponse:
    if isinstance(error, NotOpen):
        return _render_join(request, code, is_open=False)
    return _render_join(request, code, error=error_message(error))


@renders_errors(_join_refused)
def baseline_join(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a link. Opening it changes nothing; joining takes an account and a POST."""
    baseline = by_code(code)
    if baseline is None:
        return render(request, "baseline/join.html", {"is_open": False}, status=404)
    if request.method == "POST" and request.user.is_authenticated:
        row = enrol_participant(baseline=baseline, person=request.user, by_link=True)
        return redirect("baseline_session", row.uuid)
    allow_sign_up(request)
    return _render_join(request, code)
