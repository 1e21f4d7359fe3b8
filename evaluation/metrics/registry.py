"""The metrics by name: one row each, from which pages, scorer, bundles, exports and command line follow.

docs/metrics/adding-a-metric.md says how a row is added. A metric's module is imported when it is first used: tables
bring numpy and lxml, formulas a font reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from evaluation.errors import gettext_noop as _
from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, Score


class MetricModule(Protocol):
    """What the module of a metric has beside the functions `<name>` and `<name>_corpus`."""

    def metric_presets(self, name: str) -> tuple[str, ...]:
        """The presets of the metric called `name`; the first is the default for new projects."""

    def make_accumulator(self, name: str, preset: str) -> Accumulator:
        """An empty accumulator for the sample scores of the metric called `name`."""


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A row of the registry."""

    name: str
    label: str  # `_("...")` where it can be translated; names such as TEDS stand as they are
    module: str  # dotted path of a `MetricModule`
    kinds: frozenset[str]  # the kinds of ground truth it scores: "text", "table", "formula", "grade"
    direction: Direction
    average: Average  # the average that is the headline figure of a corpus
    ratio_name: str = ""  # what the denominator counts; "" where the metric is no ratio

    @property
    def worst(self) -> float:
        """The value of a missing or failed prediction."""
        return 1.0 if self.direction is Direction.LOWER else 0.0

    @property
    def presets(self) -> tuple[str, ...]:
        """Names of the presets; the first is the default for new projects."""
        return cast(MetricModule, import_module(self.module)).metric_presets(self.name)

    @property
    def sample(self) -> Callable[..., Score]:
        """The score of one sample: `(prediction, reference, *, preset)`."""
        return cast(Callable[..., Score], self.load(self.name))

    @property
    def corpus(self) -> Callable[..., Score]:
        """The score of a corpus: `(pairs, *, preset)`."""
        return cast(Callable[..., Score], self.load(f"{self.name}_corpus"))

    def make_accumulator(self, preset: str) -> Accumulator:
        """An empty accumulator for the metric's sample scores. Raises ValueError for an unknown preset."""
        return cast(MetricModule, import_module(self.module)).make_accumulator(self.name, preset)

    def load(self, name: str) -> Any:
        """An attribute of the metric's module."""
        return getattr(import_module(self.module), name)


_TEXT, _TABLE = "evaluation.metrics.text", "evaluation.metrics.table"
_CDM, _GRADING = "evaluation.metrics.cdm", "evaluation.metrics.grading"
_LOWER, _HIGHER = Direction.LOWER, Direction.HIGHER
_POOLED, _SAMPLE = Average.POOLED, Average.SAMPLE
_TEXTS, _TABLES = frozenset({"text"}), frozenset({"table"})
_FORMULAS, _GRADES = frozenset({"formula"}), frozenset({"grade"})

# fmt: off
METRICS = {
    row.name: row
    for row in (
        MetricSpec("edit", _("Edit distance"), _TEXT, _TEXTS, _LOWER, _POOLED, "characters of the longer text"),
        MetricSpec("cer", "CER", _TEXT, _TEXTS, _LOWER, _POOLED, "characters of the reference"),
        MetricSpec("wer", "WER", _TEXT, _TEXTS, _LOWER, _POOLED, "tokens of the reference"),
        MetricSpec("ned", "1 − NED", _TEXT, _TEXTS, _HIGHER, _POOLED, "characters of the longer text"),
        MetricSpec("bleu", "BLEU-4", _TEXT, _TEXTS, _HIGHER, _POOLED),
        MetricSpec("token_f1", _("Token F1"), _TEXT, _TEXTS, _HIGHER, _POOLED, "tokens of both texts"),
        MetricSpec("teds", "TEDS", _TABLE, _TABLES, _HIGHER, _SAMPLE, "nodes of the larger table"),
        MetricSpec("teds_s", "TEDS-S", _TABLE, _TABLES, _HIGHER, _SAMPLE, "nodes of the larger table"),
        MetricSpec("cdm", "CDM", _CDM, _FORMULAS, _HIGHER, _SAMPLE, "visible tokens of both formulas"),
        MetricSpec("cdm_strict", _("CDM strict"), _CDM, _FORMULAS, _HIGHER, _SAMPLE, "visible tokens of both formulas"),
        MetricSpec("grade_accuracy", _("Verdict accuracy"), _GRADING, _GRADES, _HIGHER, _SAMPLE, "answers"),
        MetricSpec("grade_errors", _("Error-type F1"), _GRADING, _GRADES, _HIGHER, _SAMPLE,
                   "answers incorrect in gold and reply"),
    )
}
# fmt: on
"""Every metric by name, in the order in which metrics are shown."""


def get(name: str) -> MetricSpec:
    """The metric called `name`. Raises ValueError naming the known ones.

    >>> get("edit").direction.value, get("edit").presets[0]
    ('lower', 'inkbench-1')
    """
    if name not in METRICS:
        raise ValueError(f"unknown metric {name!r}; known: {', '.join(METRICS)}")
    return METRICS[name]


def all_metrics() -> tuple[MetricSpec, ...]:
    """Every metric, in the order in which metrics are shown.

    >>> [spec.name for spec in all_metrics()][:3]
    ['edit', 'cer', 'wer']
    """
    return tuple(METRICS.values())


def metric_names() -> tuple[str, ...]:
    """Every name, in the order in which metrics are shown.

    >>> metric_names()[0]
    'edit'
    """
    return tuple(METRICS)


def exported_modules() -> dict[str, str]:
    """Public function -> its module, for `from evaluation.metrics import <function>`.

    A metric that is called as its own package (`cdm`) is imported from there: the package owns the name.

    >>> exported_modules()["edit_corpus"], "cdm" in exported_modules()
    ('evaluation.metrics.text', False)
    """
    functions = ((name, row.module) for row in METRICS.values() for name in (row.name, f"{row.name}_corpus"))
    return {name: module for name, module in functions if module.rpartition(".")[2] != name}
