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
            (source, mapping.formula())
            for source in study.score_sources.all()
            if (mapping := mapping_of(source))
        ],
        "mirror": [
            (source.label, draw["mirror"][source.key], draw["clipped"][source.key])
            for source in study.score_sources.all()
            if source.key in draw.get("mirror", {})
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
    sources = {source.key: source for source in study.score_sources.all()}
    initial: dict[str, Any] = {name: getattr(study, name) for name in RULES}
    initial["raters"] = list(study.enrolments.values_list("user", flat=True))
    for side in (FIRST, SECOND):
        if source := sources.get(side):
            initial |= {
                side: _choice_of(source).key,
                f"{side}_label": source.label,
                f"{side}_mapping": source.mapping,
                f"{side}_low": source.low,
                f"{side}_high": source.high,
            }
    if grader := sources.get(GRADER):
        initial["grader"] = _choice_of(grader).key
    initial["beside"] = [
        _choice_of(source).key for key, source in sources.items() if key.startswith("beside-")
    ]
    return initial


def _choice_of(source: ScoreSource) -> SourceChoice:
    return SourceChoice(source.metric, source.preset, source.column)
