"""Field access classes of the API's models."""

from __future__ import annotations

from config.field_access import classify_fields

CLASSIFICATION = classify_fields(
    open={"ApiToken": "id name hint created_at last_used_at revoked_at"},  # shown to the owner only
    never={
        "ApiToken": "user digest",
        "RequestKey": "id user key request result at",
    },
)
