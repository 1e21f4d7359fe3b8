"""Who may see what of an expert study.

Until a study is closed its answers are told to nobody, and which metric stands on which side to nobody at any time
but in the record of a closed one. What a rater sees is on the rater's own sheet alone.
"""

from __future__ import annotations

from config.field_access import JOB_FIELDS, classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Study": "id release number state instructions opened_at closed_at",
        "Enrolment": "uuid is_paused",
    },
    blind={
        # The rater's own sheet shows them: step 1 the output, step 2 the scores without names.
        "Item": "gold output shown_first shown_second",
        "Trial": "position",
        # Told to managers once the study is closed.
        "Study": "results",
        "ExpertGrade": "id trial value marks at",
        "PreferenceVote": "id trial choice comment at",
    },
    never={
        # Names of metrics, and all that tells which is which: for managers, never for a rater of the study.
        "Study": "title prediction_sets seed decimals tie_rule n_items n_attention n_repeats n_practice"
        " attention_share uploads draw created_by created_at",
        "Study_prediction_sets": "id study predictionset",
        "ScoreSource": "id study position key label metric preset column is_lower_better mapping low high signature",
        "StudyPreparation": f"{JOB_FIELDS} study",
        "StudyAnalysis": f"{JOB_FIELDS} study",
        "StudyUnit": "id study gold system output values",
        "Item": "id study number kind system values expected",
        "Enrolment": "id study user place",
        "Trial": "id enrolment kind item first_is",
        "TrialEvent": "id trial what at",
    },
)
