"""The suggestions of the demo's recognisers as predictions for its release."""

from __future__ import annotations

from annotation.models import Project, Suggestion
from config.accounts.models import User
from evaluation.models import Release, ScoreRun
from evaluation.predictions import Failed, Text
from evaluation.records import PredictionRecord
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score


def publish_suggestions(*, project: Project, release: Release, by: User) -> list[ScoreRun]:
    """Store the suggestions for released pages as predictions, a system for each recogniser, and queue their scoring.

    The recognisers read the very bytes that the release holds, so this equals a model run.
    """
    runs = []
    sample_ids = set(release.items.values_list("sample_id", flat=True))
    for setting in project.recognisers.filter(retired_at=None):
        suggestions = Suggestion.objects.filter(request__recogniser=setting).select_related("request__sample")
        records = [
            PredictionRecord(
                suggestion.request.sample.uuid.hex,
                Failed(suggestion.failure) if suggestion.failure else Text(suggestion.text),
                raw=suggestion.raw,
                provenance=suggestion.provenance,
            )
            for suggestion in suggestions
            if suggestion.request.sample.uuid.hex in sample_ids
        ]
        prediction_set = record_predictions(
            release=release, system_name=setting.label, by=by, records=records, origin="run"
        )
        runs.append(request_score(prediction_set=prediction_set))
    return runs
