"""The field access classes of expert studies.

Until a study is closed nobody sees its ratings. Which metric was on which side is only in the record of a closed study.
Raters see nothing but their own worksheets.
"""

from __future__ import annotations

from config.field_access import JOB_FIELDS, classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Study": "id release number state instructions opened_at closed_at",
        "Enrolment": "uuid is_paused",
    },
    blind={
        # On the rater's own worksheets: in step 1 the output, in step 2 the scores without names.
        "Item": "gold output shown_first shown_second",
        "Trial": "position",
        # For managers once the study is closed.
        "Study": "results",
        "ExpertGrade": "id trial value marks at",
        "PreferenceVote": "id trial choice comment at",
    },
    never={
        # Names of metrics and whatever reveals which is which: for managers, never for raters of the study.
        "Study": "title prediction_sets seed decimals tie_rule n_items n_attention n_repeats n_practice"
        " attention_share uploads draw created_by created_at",
        "Study_prediction_sets": "id study predictionset",
        "ScoreSource": "id study position key label metric preset column is_lower_better mapping low high signature",
        "StudyPreparation": f"{JOB_FIELDS} study",
        "StudyAnalysis": f"{JOB_FIELDS} study",
        "StudyUnit": "id study gold system output values",
        "Item": "id study number kind system values expected",
        "Enrolment": "id study user rater_number",
        "Trial": "id enrolment kind item first_is",
        "TrialEvent": "id trial kind at",
    },
)
