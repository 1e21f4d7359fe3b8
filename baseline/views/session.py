"""The pages of a session. The server decides the order: every URL of a session leads to the current page, and every
change is a POST."""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from baseline.models import Participation, State
from baseline.permissions import is_open_for, session_for
from baseline.protocol import GRACE_SECONDS, SessionPage
from baseline.questionnaire import Question
from baseline.services import move_session, onboard_participant, run_clock, submit_response
from baseline.services.lock_device import (
    acquire_device_lock,
    device_mark,
    is_elsewhere,
    report_events,
)
from baseline.services.publish_results import withdraw_participation
from baseline.visibility import image_of, sheet_of
from config.accounts.requests import PersonRequest
from config.blobs import open_blob
from config.error_responses import error_message, renders_errors
from config.errors import RequestError

COOKIE = "inkbench_device"  # identifies the device
PAGES = {
    SessionPage.CONSENT: "consent",
    SessionPage.ABOUT: "about",
    SessionPage.BRIEF: "briefing",
    SessionPage.PRACTICE: "item",
    SessionPage.FEEDBACK: "feedback",
    SessionPage.READY: "ready",
    SessionPage.ITEM: "item",
    SessionPage.BREAK: "break",
    SessionPage.DEBRIEF: "debrief",
    SessionPage.OVER: "over",
    SessionPage.WITHDRAWN: "over",
}


@dataclass(frozen=True, slots=True)
class RejectedForm:
    """What a refused POST shows again, so that nothing typed is lost."""

    error: str = ""
    text: str | None = None
    answers: dict[str, str] = field(default_factory=dict)
    open_questions: tuple[int, ...] = ()


def device_of(request: PersonRequest) -> str:
    return device_mark(request.COOKIES.get(COOKIE, ""))


@login_required
def baseline_session(request: PersonRequest, session: uuid.UUID) -> HttpResponse:
    """The current page. Opening it starts nothing; only what time has already decided is settled first."""
    row = session_for(request.user, session)
    if request.method not in ("GET", "HEAD"):
        return redirect("baseline_session", session)
    if run_clock.settle_session(row):
        messages.info(
            request,
            _("The last page has ended: time ran out, you were away too long, or you opened it elsewhere."),
        )
        row = session_for(request.user, session)
    return show_page(request, row, RejectedForm())


def set_device_cookie(request: PersonRequest, response: HttpResponse) -> HttpResponse:
    """The response, with the cookie that identifies the device unless the browser has it."""
    if COOKIE not in request.COOKIES:
        response.set_cookie(
            COOKIE,
            secrets.token_urlsafe(24),
            max_age=90 * 24 * 3600,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


def show_page(request: PersonRequest, row: Participation, shown: RejectedForm) -> HttpResponse:
    if is_elsewhere(row, device_of(request)):
        return render(request, "baseline/session/elsewhere.html", {"row": row}, status=409)
    if not is_open_for(row):
        context = {"sheet": sheet_of(row), "is_draft": row.baseline.state == State.DRAFT}
        return render(request, "baseline/session/closed.html", context, status=409)
    sheet = sheet_of(row)
    context = {
        "sheet": sheet,
        "shown": shown,
        "tab_token": secrets.token_hex(16),
        "idempotency_key": secrets.token_hex(16),
        "text": shown.text if shown.text is not None else (sheet.written.text if sheet.written else ""),
        "asked": [
            (index, Question(**question), shown.answers.get(f"q{index}", ""), index in shown.open_questions)
            for index, question in enumerate(sheet.questions)
        ],
        "is_practice": sheet.page == SessionPage.PRACTICE,
        "grace": GRACE_SECONDS,
    }
    response = render(request, f"baseline/session/{PAGES[sheet.page]}.html", context)
    response["Cache-Control"] = "private, no-store"
    return set_device_cookie(request, response)


def _render_refused(
    request: PersonRequest, error: RequestError, session: uuid.UUID, verb: str
) -> HttpResponse:
    """The current page with what was typed; a page that is no longer current leads to the one that is."""
    if isinstance(error, move_session.StaleSession):
        return set_device_cookie(request, redirect("baseline_session", session))
    places = error.places if isinstance(error, onboard_participant.Unanswered) else ()
    shown = RejectedForm(
        error=error_message(error),
        text=_typed_text(request) if "text" in request.POST else None,
        answers=request.POST.dict(),
        open_questions=tuple(places),
    )
    return show_page(request, session_for(request.user, session), shown)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@renders_errors(_render_refused)
def baseline_act(request: PersonRequest, session: uuid.UUID, verb: str) -> HttpResponse:
    """One transition. A GET, an outdated page and a second click lead to the current page."""
    row = session_for(request.user, session)
    if verb not in VERBS:
        raise Http404
    if request.method != "POST":
        return redirect("baseline_session", session)
    VERBS[verb](request, row, _typed_text(request))
    return set_device_cookie(request, redirect("baseline_session", session))


def _typed_text(request: PersonRequest) -> str:
    return request.POST.get("text", "").replace("\r\n", "\n")


def _version(request: PersonRequest) -> int:
    value = request.POST.get("version", "")
    return int(value) if value.isdecimal() and len(value) < 10 else -1


def _name(request: PersonRequest, field: str) -> str:
    """A token made by the page; "" for anything a page would not make."""
    value = request.POST.get(field, "")[:64]
    return value if value.isascii() and value.isprintable() else ""


def _agree(request: PersonRequest, row: Participation, text: str) -> None:
    number = request.POST.get("consent", "")
    consent = int(number) if number.isdecimal() and len(number) < 10 else -1
    onboard_participant.record_consent(participation=row, version=_version(request), consent=consent)


def _answer(request: PersonRequest, row: Participation, text: str) -> None:
    onboard_participant.answer_questions(
        participation=row, version=_version(request), given=request.POST.dict()
    )


def _practise(request: PersonRequest, row: Participation, text: str) -> None:
    onboard_participant.submit_practice(participation=row, version=_version(request), text=text)


def _submit(request: PersonRequest, row: Participation, text: str) -> None:
    tab_token = _name(request, "tab_token")
    acquire_device_lock(
        participation=row, device=device_of(request), tab_token=tab_token, is_alone="alone" in request.POST
    )
    report_events(participation=row, events=_events(request))
    submit_response.submit_response(
        participation=row,
        tab_token=tab_token,
        key=request.POST.get("image_hash", "")[:80],
        text=text,
        cannot_read="cannot_read" in request.POST,
        idempotency_key=_name(request, "idempotency_key"),
        format_name=_name(request, "format"),
    )


def _events(request: PersonRequest) -> list[Any]:
    """The events since the page's last heartbeat, as submitted with the response; [] unless they are a list."""
    try:
        events = json.loads(request.POST.get("events", "[]"))
    except (ValueError, RecursionError):
        return []
    return events if isinstance(events, list) else []


def _finish(request: PersonRequest, row: Participation, text: str) -> None:
    submit_response.finish_session(
        participation=row, version=_version(request), words=request.POST.get("words", "")
    )


def _withdraw(request: PersonRequest, row: Participation, text: str) -> None:
    if request.POST.get("sure") != "yes":
        raise move_session.StaleSession
    withdraw_participation(participation=row)


def _by_version(service: Callable[..., None]) -> Callable[[PersonRequest, Participation, str], None]:
    return lambda request, row, text: service(participation=row, version=_version(request))


VERBS: dict[str, Callable[[PersonRequest, Participation, str], None]] = {
    "agree": _agree,
    "answer": _answer,
    "begin": _by_version(onboard_participant.finish_briefing),
    "practise": _practise,
    "seen": _by_version(onboard_participant.finish_feedback),
    "rested": _by_version(run_clock.end_break),
    "show": _by_version(run_clock.show_sample),
    "submit": _submit,
    "finish": _finish,
    "withdraw": _withdraw,
}


@login_required
@require_safe
def baseline_image(request: PersonRequest, session: uuid.UUID) -> FileResponse:
    """The image of the current page as models get it, while it may be viewed, on the device that is in use."""
    row = session_for(request.user, session)
    if not is_open_for(row) or is_elsewhere(row, device_of(request)):
        raise Http404
    response = FileResponse(open_blob(image_of(row)), content_type="image/png")
    response["Cache-Control"] = "private, no-store"
    return response
