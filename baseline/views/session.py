"""The pages of a session. Every address leads to the page the participant is on; every change is a POST."""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from baseline.models import Participation, State
from baseline.permissions import is_open_for, session_for
from baseline.protocol import GRACE_SECONDS, Page
from baseline.questionnaire import Question
from baseline.services import move_session, onboard_participant, run_clock, submit_response
from baseline.services.lock_device import (
    DeviceLocked,
    acquire_device_lock,
    device_mark,
    is_elsewhere,
    report_events,
)
from baseline.services.publish_results import withdraw_participation
from baseline.visibility import image_of, sheet_of
from config.accounts.requests import PersonRequest
from config.blobs import open_blob
from evaluation.payloads.errors import BadPayload

COOKIE = "inkbench_device"  # tells one device from another
PAGES = {
    Page.CONSENT: "consent",
    Page.ABOUT: "about",
    Page.BRIEF: "briefing",
    Page.PRACTICE: "item",
    Page.FEEDBACK: "feedback",
    Page.READY: "ready",
    Page.ITEM: "item",
    Page.BREAK: "break",
    Page.DEBRIEF: "debrief",
    Page.OVER: "over",
    Page.WITHDRAWN: "over",
}


@dataclass(frozen=True, slots=True)
class RejectedForm:
    """What a refused POST shows again, so that nothing typed is lost."""

    error: str = ""
    text: str | None = None
    given: dict[str, str] | None = None
    open_questions: tuple[int, ...] = ()
    status: int = 422


def device_of(request: PersonRequest) -> str:
    return device_mark(request.COOKIES.get(COOKIE, ""))


@login_required
def session_page(request: PersonRequest, session: uuid.UUID) -> HttpResponse:
    """The current page. Opening it starts nothing; only what time alone has decided is drawn first."""
    row = session_for(request.user, session)
    if request.method not in ("GET", "HEAD"):
        return redirect("baseline_session", session)
    if run_clock.settle_session(row):
        messages.info(
            request,
            _("The last page has ended: time ran out, you were away too long, or you opened it elsewhere."),
        )
        row = session_for(request.user, session)
    return show_page(request, row, RejectedForm(status=200))


def marked(request: PersonRequest, response: HttpResponse) -> HttpResponse:
    """With the cookie that tells this device from others, from the first page on."""
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
    given = shown.given or {}
    context = {
        "sheet": sheet,
        "shown": shown,
        "tab_token": secrets.token_hex(16),
        "idempotency_key": secrets.token_hex(16),
        "text": shown.text if shown.text is not None else (sheet.written.text if sheet.written else ""),
        "asked": [
            (at, Question(**q), given.get(f"q{at}", ""), at in shown.open_questions)
            for at, q in enumerate(sheet.questions)
        ],
        "is_practice": sheet.page == Page.PRACTICE,
        "grace": GRACE_SECONDS,
    }
    response = render(request, f"baseline/session/{PAGES[sheet.page]}.html", context, status=shown.status)
    response["Cache-Control"] = "private, no-store"
    return marked(request, response)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: PersonRequest, session: uuid.UUID, verb: str) -> HttpResponse:
    """One transition. A GET, a stale page and a second click lead to the current page; a refusal shows the page again
    with what was typed."""
    row = session_for(request.user, session)
    if verb not in VERBS:
        raise Http404
    if request.method != "POST":
        return redirect("baseline_session", session)
    shown = _try(request, row, verb)
    if shown is not None:
        return show_page(request, session_for(request.user, session), shown)
    return marked(request, redirect("baseline_session", session))


def _try(request: PersonRequest, row: Participation, verb: str) -> RejectedForm | None:
    """Nothing when it went through or came from a page that is past; else what to show again."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        VERBS[verb](request, row, text)
    except move_session.StaleSession:
        return None
    except move_session.BaselineClosed:
        return RejectedForm(_("This baseline is closed. What you submitted is kept."), text, status=409)
    except (DeviceLocked, move_session.TabReplaced):
        return RejectedForm(
            _("This page is open in another tab or on another device. Continue there."), text, status=409
        )
    except submit_response.Blank:
        return RejectedForm(
            _("Nothing has been written. Write what you can read, or press “I cannot read this”."), text
        )
    except onboard_participant.Unanswered as missing:
        return RejectedForm(
            _("Please answer the marked questions."),
            given=request.POST.dict(),
            open_questions=tuple(missing.places),
        )
    except BadPayload as error:
        return RejectedForm(error.message(_), text, given=request.POST.dict())
    return None


def _version(request: PersonRequest) -> int:
    value = request.POST.get("version", "")
    return int(value) if value.isdecimal() and len(value) < 10 else -1


def _name(request: PersonRequest, field: str) -> str:
    """A name that the page itself made; what no page makes is none."""
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


def _hand_in(request: PersonRequest, row: Participation, text: str) -> None:
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
    """What happened since the page's last report, as it comes with the hand-in; what is no list is left out."""
    try:
        found = json.loads(request.POST.get("events", "[]"))
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


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
    "hand-in": _hand_in,
    "finish": _finish,
    "withdraw": _withdraw,
}


@login_required
@require_safe
def image(request: PersonRequest, session: uuid.UUID) -> FileResponse:
    """The image of the current page, as models get it: while it may be looked at, on the device it is open on."""
    row = session_for(request.user, session)
    if not is_open_for(row) or is_elsewhere(row, device_of(request)):
        raise Http404
    response = FileResponse(open_blob(image_of(row)), content_type="image/png")
    response["Cache-Control"] = "private, no-store"
    return response
