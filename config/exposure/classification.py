"""Who may see what of the exposure log."""

from __future__ import annotations

from config.field_access import classify_fields

CLASSIFICATION = classify_fields(
    # It tells who worked on an image, and when. The queues ask it; no page lists it.
    never={
        "Exposure": "id user image_hash role saw place at",
        "Reservation": "id user image_hash holder content",
        "RestrictedImage": "id team blob at",
    },
)
