"""Who may see what of programs' tokens and requests."""

from __future__ import annotations

from config.field_access import classify_fields

CLASSIFICATION = classify_fields(
    open={"ApiToken": "id name hint created_at last_used_at revoked_at"},  # each person's own
    never={
        "ApiToken": "user digest",
        "RequestKey": "id user key request result at",
    },
)
