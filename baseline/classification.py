"""Who may see what of a baseline."""

from __future__ import annotations

from config.field_access import classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Baseline": "id team release name state time_limit_seconds gap_minutes break_every brief questions",
        "ConsentText": "id baseline number text created_at",
        "Publication": "id baseline part participation prediction_set at",
        # Each person's own, on their own page.
        "Participation": "id uuid baseline step position is_feedback rested_at version consent consented_at",
        "Task": "id participation position state shown_at deadline version saved_at closed_at",
    },
    blind={
        # What people wrote leaves in the sheet of their own current page, and by handing the answers down.
        "Participation": "person number about practice_texts debrief joined_at finished_at withdrawn_at",
        "Task": "item text void_reason",
        "Response": "id task kind text is_timed_out late_ms received_at",
        "Event": "id participation task kind at detail",
        # Which samples are to come is no participant's to know.
        "Baseline": "sample_ids practice seed n strata balance method people_per_sample samples_per_person",
    },
    never={
        "Baseline": "system_name code is_link_open clamp_minutes created_by created_at opened_at closed_at",
        "ConsentText": "created_by",
        "Participation": "device tab_token seen_at",
        "Response": "idempotency_key",
        "Event": "key",
    },
)
