"""Template context of a draft, and initial values of its set-up form."""

from __future__ import annotations

from typing import Any

from evaluation.preference.design import power_of
from evaluation.preference.labels import LEFT_OUT
from evaluation.preference.models import ScoreSource, Study
from evaluation.preference.selectors import progress_of
from evaluation.preference.services.configure_study import RULES, SourceChoice
from evaluation.preference.services.prepare_study import mapping_of
from evaluation.preference.study_record import FIRST, GRADER, SECOND

WANTED_RATERS = 3


def draft_context(study: Study) -> dict[str, Any]:
    """Context of a draft's page: progress of the preparation, and after it the checks before opening."""
    run = getattr(study, "preparation", None)
    draw = study.draw
    raters = progress_of(study)
    kinds = list(study.items.values_list("kind", flat=True))
    return {
        "run": run,
        "draw": draw,
        "left_out": [(LEFT_OUT[name], count) for name, count in draw.get("left_out", {}).items()],
        "mapped": [
            (measure, mapping.formula())
            for measure in study.measures.all()
            if (mapping := mapping_of(measure))
        ],
        "mirror": [
            (measure.label, draw["mirror"][measure.key], draw["clipped"][measure.key])
            for measure in study.measures.all()
            if measure.key in draw.get("mirror", {})
        ],
        "power": power_of(study.n_items),
        "raters": raters,
        "has_few_raters": len(raters) < WANTED_RATERS,
        "n_practice": kinds.count("practice"),
        "n_attention": kinds.count("attention"),
        "is_ready": bool(run and run.is_over and draw.get("mirror") and raters),
    }


def setup_initial(study: Study) -> dict[str, Any]:
    """The set-up form as last submitted."""
    measures = {measure.key: measure for measure in study.measures.all()}
    initial: dict[str, Any] = {name: getattr(study, name) for name in RULES}
    initial["raters"] = list(study.enrolments.values_list("user", flat=True))
    for side in (FIRST, SECOND):
        if measure := measures.get(side):
            initial |= {
                side: _source(measure).key,
                f"{side}_label": measure.label,
                f"{side}_mapping": measure.mapping,
                f"{side}_low": measure.low,
                f"{side}_high": measure.high,
            }
    if grader := measures.get(GRADER):
        initial["grader"] = _source(grader).key
    initial["beside"] = [
        _source(measure).key for key, measure in measures.items() if key.startswith("beside-")
    ]
    return initial


def _source(measure: ScoreSource) -> SourceChoice:
    return SourceChoice(measure.metric, measure.preset, measure.column)
