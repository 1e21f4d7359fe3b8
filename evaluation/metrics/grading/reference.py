"""A report in the format of the reference evaluator, for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.metrics.grading.error_types import ErrorCounts
from evaluation.metrics.grading.judgements import read_rows
from evaluation.metrics.grading.report import GradingReport, grade_report
from evaluation.payloads.taxonomy import Taxonomy

_VERDICT_NAMES = {
    "Accuracy": "accuracy",
    "Precision_pos": "precision",
    "Recall_pos": "recall",
    "F1_pos": "f1",
    "MacroF1_binary": "macro_f1",
    "FNR": "fnr",
    "FPR": "fpr",
    "MCC": "mcc",
}
_ERROR_NAMES = {
    "F1e_example": "example_f1",
    "F1e_macro": "macro_f1_err",
    "F1e_micro": "micro_f1_err",
    "Hamming_masked": "hamming",
}
_SKIP_KINDS = ("missing_gt", "parse_fail", "missing_field")


def reference_scores(
    rows: Sequence[Mapping[str, Any]], taxonomy: Mapping[str, Sequence[str | Mapping[str, str]]]
) -> dict[str, Any]:
    """The figures of the preset `sketchjudge` under the names of the reference, by section.

    binary, skipped, oov, inconsistent, errors_strict, errors_lenient, recall_strict; `rows` as `read_row`
    reads them.

    >>> row = {"answer_id": "a", "gold": {"category": "chart", "is_correct": True}, "response": "?"}
    >>> reference_scores([row], {"chart": ["Omission Error"]})["skipped"]
    {'missing_gt': 0, 'parse_fail': 1, 'missing_field': 0}
    """
    readable, without_gold = read_rows(rows, preset="sketchjudge")
    report = grade_report(readable, preset="sketchjudge", taxonomy=Taxonomy.from_mapping(taxonomy))
    kinds = Counter(skipped.kind for skipped in (*without_gold, *report.skipped))
    return {
        "binary": _binary(report),
        "skipped": {kind: kinds[kind] for kind in _SKIP_KINDS},
        "oov": report.n_unknown,
        "inconsistent": report.n_inconsistent,
        "errors_strict": _errors(report.errors_strict, report.strict),
        "errors_lenient": _errors(report.errors_lenient, report.lenient),
        "recall_strict": {label: report.recall(label) for label in report.strict.recalled},
    }


def _binary(report: GradingReport) -> dict[str, float | None]:
    counts = report.confusion
    figures = {name: report.verdicts[figure].value for name, figure in _VERDICT_NAMES.items()}
    return figures | {"TP": counts.tp, "FP": counts.fp, "TN": counts.tn, "FN": counts.fn, "N": counts.n}


def _errors(scores: Mapping[str, Any], counts: ErrorCounts) -> dict[str, float | None]:
    figures = {name: scores[figure].value for name, figure in _ERROR_NAMES.items()}
    return figures | {"N_eval": counts.n, "NumLabels": counts.n_labels}
