"""Which metrics there are: how pages, the scorer and the command line find one by name.

An entry's functions live in its own package, which is imported when the entry is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, MetricSpec


def get(name: str) -> MetricSpec:
    """The metric called `name`; ValueError with the known names otherwise.

    >>> get("edit").direction.value, get("edit").presets[0]
    ('lower', 'inkbench-1')
    """
    if name not in _MAKERS:
        raise ValueError(f"unknown metric {name!r}; known: {', '.join(_MAKERS)}")
    return _made(name)


def all_metrics() -> tuple[MetricSpec, ...]:
    """Every metric, in the order they are shown.

    >>> [spec.name for spec in all_metrics()][:3]
    ['edit', 'cer', 'wer']
    """
    return tuple(get(name) for name in _MAKERS)


def metric_names() -> tuple[str, ...]:
    """Every name, without importing anything.

    >>> metric_names()[0]
    'edit'
    """
    return tuple(_MAKERS)


@lru_cache
def _made(name: str) -> MetricSpec:
    return _MAKERS[name]()


def _text(name: str, label: str, direction: Direction, ratio_name: str) -> MetricSpec:
    from evaluation.metrics import string_metric, text  # noqa: PLC0415  (only the metrics asked for are loaded)

    return MetricSpec(
        name=name,
        label=label,
        direction=direction,
        kinds=frozenset({"text"}),
        presets=string_metric.METRICS[name].presets,
        sample=getattr(text, name),
        corpus=getattr(text, f"{name}_corpus"),
        worst=1.0 if direction is Direction.LOWER else 0.0,
        ratio_name=ratio_name,
        make_accumulator=partial(string_metric.make_accumulator, name),
        average=Average.POOLED.value,
    )


def _table(name: str, label: str, structure_only: bool) -> MetricSpec:
    from evaluation.metrics import table  # noqa: PLC0415  (numpy, scipy and lxml)

    def tally(preset: str) -> Accumulator:
        signature = table.teds_signature(preset, structure_only=structure_only)
        return Accumulator(signature, Direction.HIGHER, 0.0, ratio_in_page=False)

    return MetricSpec(
        name=name,
        label=label,
        direction=Direction.HIGHER,
        kinds=frozenset({"table"}),
        presets=table.PRESETS,
        sample=partial(table.teds, structure_only=structure_only),
        corpus=partial(table.teds_corpus, structure_only=structure_only),
        worst=0.0,
        ratio_name="nodes of the larger table",
        make_accumulator=tally,
        average=Average.SAMPLE.value,
    )


def _formula(name: str, label: str) -> MetricSpec:
    from evaluation.metrics import cdm  # noqa: PLC0415  (numpy, fonts)

    return MetricSpec(
        name=name,
        label=label,
        direction=Direction.HIGHER,
        kinds=frozenset({"formula"}),
        presets=tuple(cdm.PRESETS),
        sample=getattr(cdm, name),
        corpus=getattr(cdm, f"{name}_corpus"),
        worst=0.0,
        ratio_name="visible tokens of both formulas",
        make_accumulator=partial(cdm.make_accumulator, name),
        average=Average.SAMPLE.value,
    )


def _grade(name: str, label: str, ratio_name: str) -> MetricSpec:
    from evaluation.metrics import grading  # noqa: PLC0415  (only the metrics asked for are loaded)

    return MetricSpec(
        name=name,
        label=label,
        direction=Direction.HIGHER,
        kinds=frozenset({"grade"}),
        presets=grading.PRESETS,
        sample=getattr(grading, name),
        corpus=getattr(grading, f"{name}_corpus"),
        worst=0.0,
        ratio_name=ratio_name,
        make_accumulator=partial(grading.make_accumulator, name),
        average=Average.SAMPLE.value,
    )


_MAKERS: dict[str, Callable[[], MetricSpec]] = {
    "edit": partial(_text, "edit", "Edit distance", Direction.LOWER, "characters of the longer text"),
    "cer": partial(_text, "cer", "Character error rate", Direction.LOWER, "characters of the reference"),
    "wer": partial(_text, "wer", "Word error rate", Direction.LOWER, "tokens of the reference"),
    "ned": partial(_text, "ned", "1 − NED", Direction.HIGHER, "characters of the longer text"),
    "bleu": partial(_text, "bleu", "BLEU-4", Direction.HIGHER, ""),
    "token_f1": partial(_text, "token_f1", "Token F1", Direction.HIGHER, "tokens of both texts"),
    "teds": partial(_table, "teds", "TEDS", False),
    "teds_s": partial(_table, "teds_s", "TEDS-S", True),
    "cdm": partial(_formula, "cdm", "CDM"),
    "cdm_strict": partial(_formula, "cdm_strict", "CDM strict"),
    "grade_accuracy": partial(_grade, "grade_accuracy", "Verdict accuracy", "answers"),
    "grade_errors": partial(_grade, "grade_errors", "Error-type F1", "answers incorrect in gold and reply"),
}
