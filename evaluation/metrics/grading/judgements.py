"""Judgements: graded answers with their gold, from which every metric of diagram grading is computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.metrics.grading.labels import match_label
from evaluation.metrics.grading.predictions import GraderPrediction, UnreadableReply, parse_prediction
from evaluation.payloads.taxonomy import Taxonomy, domain_id, label_id

_DOMAIN_KEYS = ("domain", "category", "subject")


@dataclass(frozen=True, slots=True)
class GradingRow:
    """Gold and raw reply of one answer. `error_names` as the gold spells them, with repeats.

    `tags` are the conditions for comparisons: system, setting, prompt, modality, solution.
    """

    answer_id: str
    domain: str
    is_correct: bool
    error_names: tuple[str, ...]
    response: str | None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A row with its reply parsed: verdicts (True = correct) and label ids, with repeats.

    `failure` is the reason why there is no verdict, else empty. Without a verdict `predicted` is the opposite of the
    gold, so that it counts as wrong. `unknown_names` match no type of the domain.
    """

    answer_id: str
    domain: str
    gold: bool
    predicted: bool
    gold_labels: tuple[str, ...] = ()
    predicted_labels: tuple[str, ...] = ()
    unknown_names: tuple[str, ...] = ()
    is_inconsistent: bool = False
    failure: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row left out under the preset `sketchjudge`, and why.

    `kind` is missing_gt (no gold), missing_field (gold without a verdict) or parse_fail (unreadable reply).
    """

    answer_id: str
    kind: str
    reason: str


class InvalidGradingRow(ValueError):
    """A row that cannot be judged; `kind` as in `SkippedRow`. The message names the field."""

    def __init__(self, answer_id: str, kind: str, message: str) -> None:
        super().__init__(f"{answer_id}, {message}" if answer_id else message)
        self.answer_id = answer_id
        self.kind = kind
        self.reason = message


def read_row(data: Mapping[str, Any]) -> GradingRow:
    """Read `{"answer_id", "gold": {"category", "is_correct", "error_list"}, "response", "tags"?}`.

    Gold errors are objects with `error_type` under `error_list`, or names under `error_types`; entries of any
    other form are skipped, as by the reference. Raises InvalidGradingRow naming the field.

    >>> read_row({"answer_id": "a", "gold": {"category": "chart", "is_correct": True}, "response": ""}).domain
    'chart'
    """
    answer_id = data.get("answer_id")
    if not isinstance(answer_id, str) or not answer_id:
        raise InvalidGradingRow("", "missing_gt", f"answer_id: must be a non-empty string, not {answer_id!r}")
    gold = data.get("gold")
    if not isinstance(gold, Mapping):
        message = f"gold: must be an object with category and is_correct, not {gold!r}"
        raise InvalidGradingRow(answer_id, "missing_gt", message)
    verdict = gold.get("is_correct")
    if not isinstance(verdict, bool):
        message = f"gold.is_correct: must be true or false, not {verdict!r}"
        raise InvalidGradingRow(answer_id, "missing_field", message)
    response = data.get("response")
    if response is not None and not isinstance(response, str):
        message = f"response: must be the reply's text or null, not {response!r}"
        raise InvalidGradingRow(answer_id, "parse_fail", message)
    named = (gold.get(key) for key in _DOMAIN_KEYS)
    domain = next((name for name in named if isinstance(name, str) and name.strip()), "ALL")
    return GradingRow(answer_id, domain, verdict, _gold_names(gold), response, dict(data.get("tags") or {}))


def read_rows(
    data: Iterable[Mapping[str, Any]], *, preset: str = "inkbench-1"
) -> tuple[list[GradingRow], list[SkippedRow]]:
    """Read many rows. A row without usable gold raises InvalidGradingRow under `inkbench-1`, where gold can be fixed;
    `sketchjudge` skips it, as its evaluator does."""
    rows: list[GradingRow] = []
    skipped: list[SkippedRow] = []
    for entry in data:
        try:
            rows.append(read_row(entry))
        except InvalidGradingRow as fault:
            if preset != "sketchjudge":
                raise
            skipped.append(SkippedRow(fault.answer_id, fault.kind, fault.reason))
    return rows, skipped


def _gold_names(gold: Mapping[str, Any]) -> tuple[str, ...]:
    listed = gold.get("error_list")
    if isinstance(listed, list):
        names = [entry.get("error_type") for entry in listed if isinstance(entry, Mapping)]
    else:
        types = gold.get("error_types")
        names = list(types) if isinstance(types, list) else []
    return tuple(name for name in names if isinstance(name, str) and name.strip())


def judge(row: GradingRow, *, preset: str, taxonomy: Taxonomy) -> Judgement | SkippedRow:
    """Parse the reply of a row under the preset and pair it with the gold.

    >>> from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY
    >>> row = GradingRow("a", "chart", True, (), "no idea")
    >>> judge(row, preset="inkbench-1", taxonomy=DIAGRAM_TAXONOMY).predicted
    False
    >>> judge(row, preset="sketchjudge", taxonomy=DIAGRAM_TAXONOMY)
    SkippedRow(answer_id='a', kind='parse_fail', reason='the reply is not one bare JSON object')
    """
    gold_labels = tuple(label_id(row.domain, name) for name in row.error_names)
    grade = parse_prediction(row.response, preset=preset)
    if isinstance(grade, UnreadableReply):
        if preset == "sketchjudge":
            return SkippedRow(row.answer_id, "parse_fail", grade.reason)
        return Judgement(
            row.answer_id,
            domain_id(row.domain),
            row.is_correct,
            not row.is_correct,
            gold_labels,
            failure=grade.reason,
            tags=row.tags,
        )
    matched, unknown = _match_names(row.domain, grade, taxonomy)
    return Judgement(
        row.answer_id,
        domain_id(row.domain),
        row.is_correct,
        grade.is_correct,
        gold_labels,
        matched,
        unknown,
        grade.is_inconsistent,
        tags=row.tags,
    )


def _match_names(
    domain: str, grade: GraderPrediction, taxonomy: Taxonomy
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    matched, unknown = [], []
    for name in grade.error_names:
        label = match_label(domain, name, taxonomy=taxonomy)
        if label is None:
            unknown.append(name or "")
        else:
            matched.append(label)
    return tuple(matched), tuple(unknown)


def judge_all(
    rows: Iterable[GradingRow], *, preset: str, taxonomy: Taxonomy
) -> tuple[list[Judgement], list[SkippedRow]]:
    """Judge every row, in order.

    Raises ValueError under `inkbench-1` for a repeated answer_id with the same tags: a retry must not count twice (the
    reference evaluator counts it twice).
    """
    judgements: list[Judgement] = []
    skipped: list[SkippedRow] = []
    seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for row in rows:
        key = (row.answer_id, tuple(sorted(row.tags.items())))
        if preset != "sketchjudge" and key in seen:
            raise ValueError(f"answer_id {row.answer_id!r} comes twice: keep one reply per answer")
        seen.add(key)
        outcome = judge(row, preset=preset, taxonomy=taxonomy)
        if isinstance(outcome, SkippedRow):
            skipped.append(outcome)
        else:
            judgements.append(outcome)
    return judgements, skipped
