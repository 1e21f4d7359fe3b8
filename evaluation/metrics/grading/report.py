"""The report of one grader on one set of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.metrics.base import Score
from evaluation.metrics.grading.error_types import ErrorCounts, count_errors, error_scores
from evaluation.metrics.grading.judgements import GradingRow, Judgement, SkippedRow, judge_all
from evaluation.metrics.grading.verdicts import ConfusionMatrix, count_verdicts, verdict_scores
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy


@dataclass(frozen=True, slots=True)
class DomainReport:
    """Figures of one domain; macro averages are still over all supported types of the taxonomy."""

    confusion: ConfusionMatrix
    verdicts: Mapping[str, Score]
    errors: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class GradingReport:
    """Scores, and the rows that need attention.

    `failures` (`inkbench-1`) are replies without a verdict, counted as wrong; `skipped` (`sketchjudge`) are
    left out of every figure. `n_unknown` counts error names of no type.
    """

    preset: str
    n_rows: int
    confusion: ConfusionMatrix
    verdicts: Mapping[str, Score]
    errors_strict: Mapping[str, Score]
    errors_lenient: Mapping[str, Score]
    strict: ErrorCounts
    lenient: ErrorCounts
    domains: Mapping[str, DomainReport]
    failures: tuple[SkippedRow, ...]
    skipped: tuple[SkippedRow, ...]
    n_unknown: int
    n_inconsistent: int
    unknown_names: tuple[tuple[str, int], ...]

    def recall(self, label: str) -> float | None:
        """Strict recall of one error type, repeats counted; None where gold never has it."""
        named, in_gold = self.strict.recalled.get(label, (0, 0))
        return named / in_gold if in_gold else None


def grade_report(
    rows: Iterable[GradingRow], *, preset: str = "inkbench-1", taxonomy: Taxonomy = DIAGRAM_TAXONOMY
) -> GradingReport:
    """Judge the rows and compute every figure, whatever the order of the rows.

    >>> said = '{"is_correct": true}'
    >>> rows = [GradingRow("a", "chart", True, (), said), GradingRow("b", "chart", True, (), "")]
    >>> report = grade_report(rows)
    >>> report.verdicts["accuracy"].value, [failure.answer_id for failure in report.failures]
    (0.5, ['b'])
    >>> grade_report(rows, preset="sketchjudge").verdicts["accuracy"].value
    1.0
    """
    judgements, skipped = judge_all(rows, preset=preset, taxonomy=taxonomy)
    unknown = Counter(name for judgement in judgements for name in judgement.unknown_names)
    confusion = count_verdicts(judgements)
    strict = count_errors(judgements, taxonomy=taxonomy, is_strict=True)
    lenient = count_errors(judgements, taxonomy=taxonomy, is_strict=False)
    return GradingReport(
        preset=preset,
        n_rows=len(judgements) + len(skipped),
        confusion=confusion,
        verdicts=verdict_scores(confusion, preset=preset),
        errors_strict=error_scores(strict, preset=preset),
        errors_lenient=error_scores(lenient, preset=preset),
        strict=strict,
        lenient=lenient,
        domains=_by_domain(judgements, preset, taxonomy),
        failures=_failures(judgements),
        skipped=tuple(skipped),
        n_unknown=unknown.total(),
        n_inconsistent=sum(judgement.is_inconsistent for judgement in judgements),
        unknown_names=tuple(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
    )


def _failures(judgements: Iterable[Judgement]) -> tuple[SkippedRow, ...]:
    return tuple(
        SkippedRow(judgement.answer_id, "parse_fail", judgement.failure)
        for judgement in judgements
        if judgement.failure
    )


def _by_domain(judgements: Sequence[Judgement], preset: str, taxonomy: Taxonomy) -> dict[str, DomainReport]:
    reports = {}
    for domain in sorted({judgement.domain for judgement in judgements}):
        own = [judgement for judgement in judgements if judgement.domain == domain]
        confusion = count_verdicts(own)
        errors = count_errors(own, taxonomy=taxonomy)
        reports[domain] = DomainReport(
            confusion, verdict_scores(confusion, preset=preset), error_scores(errors, preset=preset)
        )
    return reports
