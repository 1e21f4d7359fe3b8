"""Tables of a closed study: rows for the page, CSV for programs, LaTeX for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from evaluation.preference.study_record import FIRST, SECOND, StudyRecord
from evaluation.preference.vote_statistics import OUTCOMES

KINDS = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}
Table = tuple[tuple[str, ...], list[tuple[Any, ...]]]
_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def table_of(name: str, record: StudyRecord, results: dict[str, Any]) -> Table:
    """(columns, rows) of the table called `name`; a missing result is None. Raises KeyError for another name."""
    return _TABLES[name](record, results)


def write_table(kind: str, table: Table) -> str:
    """The table as "csv" or "tex" (booktabs). Raises KeyError for another kind."""
    return {"csv": _csv, "tex": _latex}[kind](table)


def _csv(table: Table) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(table[0])
    writer.writerows([_escape_formula(value) for value in row] for row in table[1])
    return buffer.getvalue()


def _escape_formula(value: Any) -> Any:
    """The value with a quote in front if a spreadsheet would run it as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _latex(table: Table) -> str:
    columns, rows = table
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}", r"\toprule", _line(columns), r"\midrule"]
    lines += [_line(row) for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _line(values: Sequence[Any]) -> str:
    return " & ".join(_cell(value) for value in values) + r" \\"


def _cell(value: Any) -> str:
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:.4f}"
    return "".join(_ESCAPES.get(char, char) for char in " ".join(str(value).split()))


def _preference(record: StudyRecord, results: dict[str, Any]) -> Table:
    columns = (
        "preferred",
        "items",
        "share",
        "wilson_low",
        "wilson_high",
        "bootstrap_low",
        "bootstrap_high",
        "votes",
    )
    preference = results["preference"]
    names = {FIRST: record.label(FIRST), SECOND: record.label(SECOND), "tie": "tie"}
    votes = preference["pooled_votes"] | {"tie": preference["pooled_votes"]["none"]}
    rows: list[tuple[Any, ...]] = []
    for key in OUTCOMES:
        share = preference["shares"][key]
        ends = [share[kind][end] for kind in ("wilson", "bootstrap") for end in ("low", "high")]
        rows.append((names[key], share["count"], share["share"], *ends, votes[key]))
    return columns, rows


def _brackets(record: StudyRecord, results: dict[str, Any]) -> Table:
    columns = (
        "by",
        "low",
        "high",
        "items",
        record.label(FIRST),
        record.label(SECOND),
        "tie",
        "first_of_decided",
        "p_value",
    )
    rows = [
        (
            name,
            row["low"],
            row["high"],
            row["n"],
            *(row[key] for key in OUTCOMES),
            row["first_of_decided"]["estimate"],
            row["test"]["p_value"],
        )
        for name, key in (
            ("mean shown score", "brackets_by_shown_mean"),
            ("mean expert grade", "brackets_by_expert_grade"),
        )
        for row in results[key]
    ]
    return columns, rows


def _raters(record: StudyRecord, results: dict[str, Any]) -> Table:
    columns = (
        "rater",
        "items",
        record.label(FIRST),
        record.label(SECOND),
        "none",
        "mean_grade",
        "attention_passed",
        "attention",
        "repeats_same_metric",
        "repeats",
        "repeat_grade_difference",
        "median_seconds",
        "median_seconds_at_work",
        "times_left",
    )
    rows = [
        (
            row["rater"],
            row["n"],
            *(row["shares"][key]["estimate"] for key in (FIRST, SECOND, "none")),
            row["mean_grade"],
            row["attention"]["passed"],
            row["attention"]["n"],
            row["repeats"]["same_metric"],
            row["repeats"]["n"],
            row["repeats"]["mean_grade_difference"],
            row["seconds"],
            row["seconds_at_work"],
            row["times_left"],
        )
        for row in results["raters"]
    ]
    return columns, rows


def _agreement(record: StudyRecord, results: dict[str, Any]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for subject, statistics in results["agreement"].items():
        for name, row in statistics.items():
            if "pairs" in row:
                rows.append((subject, name, "mean of pairs", row["mean"], None, row["reason"]))
                rows += [
                    (subject, name, "-".join(p["raters"]), p["value"], p["n"], p["reason"])
                    for p in row["pairs"]
                ]
            else:
                rows.append((subject, name, "all", row["value"], row["n"], row["reason"]))
    return ("of", "statistic", "raters", "value", "items", "reason"), rows


def _without_failing_raters(record: StudyRecord, results: dict[str, Any]) -> Table:
    """The main results of all raters beside those without the raters who failed; None if there are none."""
    check = results["without_failing_raters"]
    rest = check["preference"]
    without = f"without {' '.join(check['left_out'])}" if check["left_out"] else "without failing raters"
    rows: list[tuple[Any, ...]] = [
        ("raters", len(record.raters), check["n_raters"] if rest else None, check["reason"])
    ]
    all_raters = results["preference"]
    names = {FIRST: record.label(FIRST), SECOND: record.label(SECOND), "tie": "tie"}
    for key, name in names.items():
        for statistic in ("count", "share"):
            rows.append(
                (
                    f"{name}: {statistic}",
                    all_raters["shares"][key][statistic],
                    rest["shares"][key][statistic] if rest else None,
                    check["reason"],
                )
            )
    for test in ("majority_test", "pooled_votes_test"):
        p_values = [part[test]["p_value"] if part else None for part in (all_raters, rest)]
        rows.append((f"{test}: p_value", *p_values, check["reason"] or (rest[test]["reason"] or "")))
    return ("figure", "all raters", without, "reason"), rows


def _correlations(record: StudyRecord, results: dict[str, Any]) -> Table:
    columns = ("score", "statistic", "value", "low", "high", "items", "scale", "reason")
    rows = [
        (
            record.label(row["measure"]),
            kind,
            row[kind]["value"],
            row[kind]["low"],
            row[kind]["high"],
            row[kind]["n"],
            row["scale"],
            row[kind]["reason"],
        )
        for row in results["correlations"]
        for kind in ("pearson", "spearman")
    ]
    return columns, rows


def _systems(record: StudyRecord, results: dict[str, Any]) -> Table:
    systems = results["systems"]
    rows: list[tuple[Any, ...]] = [
        (system, record.label(key), "mean", value, None, "")
        for system, means in systems["means"].items()
        for key, value in means.items()
    ]
    rows += [
        (
            record.label(tau["first"]),
            record.label(tau["second"]),
            "kendall_tau_b",
            tau["value"],
            tau["n"],
            tau["reason"],
        )
        for tau in systems["kendall_tau"]
    ]
    return ("first", "second", "statistic", "value", "systems", "reason"), rows


def _trials(record: StudyRecord, results: dict[str, Any]) -> Table:
    """One row per rating."""
    columns = (
        "rater",
        "position",
        "kind",
        "item",
        "sample",
        "system",
        "first_is",
        "score_a",
        "score_b",
        "grade",
        "choice",
        "chosen",
        "comment",
        "seconds",
        "seconds_at_work",
        "times_left",
    )
    items = {item.id: item for item in record.items}
    rows = []
    for trial in record.trials:
        item = items[trial.item]
        scores = (item.shown[FIRST], item.shown[SECOND])
        a, b = scores if trial.first_is == "A" else scores[::-1]
        rows.append(
            (
                trial.rater,
                trial.position,
                trial.kind.value,
                trial.item,
                item.sample,
                item.system,
                trial.first_is.value,
                a,
                b,
                trial.grade,
                trial.choice.value if trial.choice else None,
                trial.chosen.value if trial.chosen else None,
                trial.comment,
                trial.seconds,
                trial.seconds_at_work,
                trial.times_left,
            )
        )
    return columns, rows


_TABLES: dict[str, Callable[[StudyRecord, dict[str, Any]], Table]] = {
    "preference": _preference,
    "brackets": _brackets,
    "raters": _raters,
    "agreement": _agreement,
    "correlations": _correlations,
    "systems": _systems,
    "without_failing_raters": _without_failing_raters,
    "trials": _trials,
}
