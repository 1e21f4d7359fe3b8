"""Who may see what of releases, systems and scores."""

from __future__ import annotations

from config.field_access import JOB_FIELDS, classify_fields

CLASSIFICATION = classify_fields(
    open={
        "Release": "id team number title notes manifest checksum count created_at",
        "GoldItem": "id release position sample_id number file_name structure language scenario",
        "System": "id team name kind description",
        "PredictionSet": "id release system origin created_at pooling members",
        "PredictionSet_members": "id from_predictionset to_predictionset",
        "ScoreRun": "bundle results coverage n_missing n_failed_answers prediction_set",
        "ItemScore": "id run item metric value numerator denominator status reason",
        "ExportRun": "release format size checksum",
    },
    blind={
        # Released text is an answer to anybody who still works on the image (a reopened sample, a duplicate, the
        # baseline): reading it is written into the exposure log and bars blind work on that image.
        "GoldItem": "record image_blob outlines_blob pixel_hash",
        "Prediction": "id prediction_set item text regions failure message message_parts raw provenance created_at",
        "PredictionSet": "provenance report asked",
    },
    never={
        "Release": "created_by",
        "PredictionSet": "created_by",
        "ExportRun": f"{JOB_FIELDS} created_by",
        "ModelRun": f"{JOB_FIELDS} prediction_set recogniser",  # with the endpoint's address and prompt
        "ScoreRun": JOB_FIELDS,
    },
)
