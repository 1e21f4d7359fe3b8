"""What the scripts of a session's page call: saving the text, events and the heartbeat, all as JSON."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from baseline.models import Participation
from baseline.permissions import session_for
from baseline.services.lock_device import acquire_device_lock, report_events
from baseline.services.run_clock import settle_session
from baseline.services.submit_response import save_draft
from baseline.views.session import device_of
from baseline.visibility import remaining_seconds
from config.accounts.requests import PersonRequest
from config.error_responses import read_json, script_view


@script_view
@require_http_methods(["PUT", "POST"])
def baseline_save(request: PersonRequest, session: uuid.UUID, tab_token: str) -> JsonResponse:
    """Save the text. 200 {version, saved_at}; 409 after its time, or if the page is open elsewhere."""
    row = session_for(request.user, session)
    body = read_json(request, text=str, base_version=int, image_hash=str)
    _lock(request, row, tab_token, body)
    version, saved_at = save_draft(
        participation=row,
        tab_token=tab_token,
        key=body["image_hash"],
        text=body["text"],
    )
    return JsonResponse({"version": version, "saved_at": saved_at.isoformat()})


@script_view
@require_POST
def baseline_signs(request: PersonRequest, session: uuid.UUID, tab_token: str) -> HttpResponse:
    """The heartbeat, with the events since the last one. 200 {remaining, over}; 409 if the page is open elsewhere."""
    row = session_for(request.user, session)
    body = read_json(request, events=list)
    if settle_session(row):
        return JsonResponse({"remaining": None, "over": True})
    _lock(request, row, tab_token, body)
    report_events(participation=row, events=body["events"])
    remaining, current_key = remaining_seconds(row, timezone.now())
    key = str(body.get("key", ""))
    return JsonResponse({"remaining": remaining, "over": bool(key) and key != current_key})


def _lock(request: PersonRequest, row: Participation, tab_token: str, body: dict[str, Any]) -> None:
    acquire_device_lock(
        participation=row,
        device=device_of(request),
        tab_token=tab_token,
        is_alone=bool(body.get("alone")),
    )
