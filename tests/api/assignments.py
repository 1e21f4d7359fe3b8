"""What programs of several people do to a sample, step by step."""

from __future__ import annotations

import secrets
from typing import Any

from rest_framework.test import APIClient

API = "/api/v1"


def take(client: APIClient, slug: str, stage: str) -> str:
    """The assignment of the next sample of a queue."""
    response = client.post(f"{API}/projects/{slug}/next/{stage}/")
    assert response.status_code == 200, response.content
    return str(response.json()["assignment"])


def body_for(client: APIClient, assignment: str, text: str) -> dict[str, Any]:
    sheet = client.get(f"{API}/work/{assignment}/").json()
    return {
        "text": text,
        "base_version": sheet["assignment"]["version"],
        "image_hash": sheet["page"]["image_hash"],
    }


def submit_work(client: APIClient, assignment: str, text: str, key: str = "", **more: Any) -> Any:
    return client.post(
        f"{API}/work/{assignment}/submit/",
        body_for(client, assignment, text) | more,
        format="json",
        headers={"Idempotency-Key": key or secrets.token_hex(16)},
    )


def review(client: APIClient, slug: str, text: str) -> str:
    """Take the next second review, read it to the end and hand it in; its assignment."""
    assignment = take(client, slug, "verify")
    assert client.post(f"{API}/work/{assignment}/reached-end/").status_code == 204
    response = submit_work(client, assignment, text)
    assert response.status_code == 200, response.content
    return assignment
