"""The small calls of a running page: the text while it is typed, events, signs of life. JSON in, JSON out."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.views.work_ajax import read_json, signed_in_or_401
from baseline.permissions import session_for
from baseline.services.lock_device import DeviceLocked, acquire_device_lock, report_events
from baseline.services.move_session import StaleSession, TabReplaced
from baseline.services.run_clock import settle_session
from baseline.services.submit_response import save_draft
from baseline.views.session import device_of
from baseline.visibility import remaining_seconds
from config.accounts.requests import PersonRequest
from evaluation.payloads.text import BadText


@signed_in_or_401
@require_http_methods(["PUT", "POST"])
def save(request: PersonRequest, session: uuid.UUID, tab_token: str) -> JsonResponse:
    """Keep the text. 200 {version, saved_at}; 409 closed when its time is over, or the page is open elsewhere; 422."""
    row = session_for(request.user, session)
    try:
        body = read_json(request, text=str, base_version=int, image_hash=str)
        acquire_device_lock(
            participation=row,
            device=device_of(request),
            tab_token=tab_token,
            is_alone=bool(body.get("alone")),
        )
        version, saved_at = save_draft(
            participation=row,
            tab_token=tab_token,
            key=body["image_hash"],
            text=body["text"],
        )
    except (DeviceLocked, TabReplaced):
        return _elsewhere()
    except StaleSession:
        words = _("Time is up for this page, or it has been submitted. What arrived by then counts.")
        return JsonResponse({"kind": "closed", "message": words}, status=409)
    except BadText as error:
        return JsonResponse({"errors": {"text": [error.message(_)]}}, status=422)
    return JsonResponse({"version": version, "saved_at": saved_at.isoformat()})


@signed_in_or_401
@require_POST
def signs(request: PersonRequest, session: uuid.UUID, tab_token: str) -> HttpResponse:
    """A sign of life, and what happened since the last. 200 {remaining, over}; 409 when open elsewhere."""
    row = session_for(request.user, session)
    try:
        body = read_json(request, events=list)
    except BadText as error:
        return JsonResponse({"errors": {"events": [error.message(_)]}}, status=422)
    if settle_session(row):
        return JsonResponse({"remaining": None, "over": True})
    try:
        acquire_device_lock(
            participation=row,
            device=device_of(request),
            tab_token=tab_token,
            is_alone=bool(body.get("alone")),
        )
    except DeviceLocked:
        return _elsewhere()
    report_events(participation=row, events=body["events"])
    return JsonResponse(_state(row, str(body.get("key", ""))))


def _state(row: Any, key: str) -> dict[str, Any]:
    left, current = remaining_seconds(row, timezone.now())
    return {"remaining": left, "over": bool(key) and key != current}


def _elsewhere() -> JsonResponse:
    words = _("This page is open in another tab or on another device. Continue there; nothing is saved here.")
    return JsonResponse({"kind": "lease_lost", "message": words}, status=409)
