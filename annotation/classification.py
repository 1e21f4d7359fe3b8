"""Who may see what of projects, samples, work and labels."""

from __future__ import annotations

from config.field_access import JOB_FIELDS, classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Project": (
            "id team slug name description languages scenarios file_prefix image_cap_bytes image_max_side"
            " verification_mode region_pair_iou region_agree_iou lease_minutes requires_screening raters_per_sample"
            " release_needs_ratings"
            " created_at archived_at"
        ),
        "Guideline": "id project number text author created_at",
        # The sample as a task. Evidence given at import is for both annotation stages; it is not reasoning.
        "Sample": (
            "id project uuid number structure language scenario source full_width full_height"
            " released_width released_height pixel_hash transcript source_url licence discussion_links"
        ),
        "RecogniserSetting": "id project slot label",  # the label is shown beside each suggestion
        "Assignment": "uuid sample stage round mode",  # of one's own assignment; another's uuid is never shown
    },
    blind={
        # What people wrote.
        "Label": (
            "id sample assignment stage round text masks origins parent guideline idempotency_key image_hash"
            " created_at"
        ),
        "Draft": "id assignment text masks version saved_at",
        "Field": "id dispute position kind key primary_text second_text text origin is_disputed settled_at",
        "Signature": "id field discussion_role person text at",
        # Their reasoning, and what they were shown.
        "Suggestion": (
            "id request text lines raw failure message message_parts provenance latency_seconds image_hash created_at"
        ),
        "SuggestionUse": "id assignment suggestion how line text at",
        "Evidence": "id assignment kind link note question at",
        "Question": (
            "id uuid sample assignment text box asked_at withdrawn_at expert lease_until version answer answered_at"
        ),
        "Note": "id assignment text at",
        "Message": "id field discussion_role person text at",
        "Disclosure": "id dispute discussion_role text at",
        "Dispute": (
            "id sample round primary second agreement_before agreement_after opened_at escalated_at"
            " escalation_reason closed_at"
        ),
        # Who, when and how far: it can reveal whether and how the other person decided.
        "Event": ("id sample verb actor from_stage from_status to_stage to_status version reason data at"),
        "Work": (
            "id sample stage status version round holder lease_until reserved_for is_released changed_at"
        ),
        "Assignment": "id person opened_at submitted_at reached_end_at",
        # Where names are on a page, and why it was screened again: for screeners and managers.
        "Screening": (
            "id uuid sample round person lease_until version areas is_clean reason asked_by opened_at done_at"
        ),
        # Ratings of a page: hidden from other raters and from those who transcribe it.
        "Rating": "id uuid sample person slot lease_until scores note opened_at submitted_at skipped_at",
        "Skip": "id sample person stage reason at",
        "Flag": "id sample person stage message at closed_at",
        # Answers that were imported with the sample.
        "Sample": "problem reference_answer perturbation",
    },
    never={
        "Project": "queue_seed next_number created_by",  # the seed orders the queues
        "RecogniserSetting": (
            "kind engine base_url model prompt prompt_version table_prompt table_prompt_version"
            " formula_prompt formula_prompt_version parameters api_key_variable timeout_seconds"
            " created_at retired_at"
        ),
        "SuggestionRequest": f"{JOB_FIELDS} sample recogniser",
        # File names and paths may reveal writer, place or text; people see sample numbers instead.
        "ImportRun": f"{JOB_FIELDS} project created_by origin defaults manifest is_receiving",
        "ImportFile": "id run name parent position blob size outcome problem facts pages",
        "Sample": (
            "intake excluded_reason original_name page_number original_blob full_blob released_blob released_name"
            " released_bytes image_steps unredacted_blob unredacted_pixel_hash is_evidence_withheld consent"
            " subtask writer_id split group gold_status import_file created_at"
        ),
        "SampleFingerprint": "sample version shape",
        "FingerprintWord": "id project sample word",
        "DuplicatePair": "id project first second kind distance decision decided_by decided_at",
    },
)
