"""Who may see what of people and teams."""

from __future__ import annotations

from config.field_access import classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Team": "id slug name created_at",
        "User": "language theme preferences",  # each person's own
        "Membership": "id",
    },
    blind={
        # Names are no secret in themselves, but who worked on a sample is: pages of blind work show no person at all.
        "User": "id username first_name last_name",
        "Membership": "team user role added_at",
    },
    never={
        "User": (
            "password password_set_at last_login is_superuser email is_staff is_active date_joined groups"
            " user_permissions"
        ),
        # A link is as good as the roles it gives; managers hand it out.
        "Invitation": "id team token roles created_by created_at expires_at max_uses uses revoked_at",
        "AttemptCount": "id key count ends_at",
        "SharedCacheEntry": "cache_key value expires",
        "User_groups": "id user group",
        "User_user_permissions": "id user permission",
    },
)
