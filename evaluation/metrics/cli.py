"""The command line: `python -m evaluation.metrics GOLD.jsonl PRED.jsonl`, without a site.

Exit codes: 0 scored, 1 an input file has a fault (named on stderr), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from evaluation.metrics.base import Direction, Score
from evaluation.metrics.bundles import (
    ALL,
    DEFAULT,
    SUBTASKS,
    Report,
    ScoredRow,
    bundle_names,
    find_bundle,
    score_samples,
)
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.explain import explain_sample
from evaluation.metrics.jsonl import InputFileError, PredictionFile, read_gold_index, read_samples
from evaluation.metrics.string_metric import SUITE
from evaluation.predictions import Regions, Text, content_as_lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    options = _parser().parse_args(arguments)
    screen, notes = Console(), Console(stderr=True)
    try:
        find_bundle(options.preset)
        gold = read_gold_index(options.gold, subtasks=SUBTASKS if options.preset == SUITE else ())
        with PredictionFile(options.predictions) as predictions:
            if options.explain is not None:
                return _explain(options, predictions, gold, screen)
            _score(options, predictions, list(gold), screen, notes)
    except InputFileError as error:
        notes.print(f"[red]Cannot score:[/red] {_printable(str(error))}", highlight=False, soft_wrap=True)
        return 1
    except ValueError as error:
        notes.print(_printable(str(error)), highlight=False, soft_wrap=True, markup=False)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.metrics",
        description="Score predictions against gold; one JSON object a line, paired by 'id'.",
    )
    parser.add_argument(
        "gold", type=Path, metavar="GOLD.jsonl", help="fields: id, structure, text, language, ..."
    )
    parser.add_argument("predictions", type=Path, metavar="PRED.jsonl", help="fields: id, text, failure")
    parser.add_argument(
        "--preset",
        default=DEFAULT,
        help=f"a bundle ({', '.join(bundle_names())}) or a metric preset (default: {DEFAULT})",
    )
    parser.add_argument("--workers", type=int, default=1, help="processes; the result does not depend on it")
    parser.add_argument(
        "--json", type=Path, metavar="OUT", help="write scores and each sample's figures here"
    )
    parser.add_argument("--data", default="", help="data revision to stamp into the signatures")
    parser.add_argument("--explain", metavar="ID", help="show one sample: normalised text, alignment, costs")
    parser.add_argument(
        "--overlay", type=Path, metavar="SVG", help="with --explain: draw a formula's boxes into this file"
    )
    return parser


def _score(
    options: argparse.Namespace,
    predictions: PredictionFile,
    gold: list[str],
    screen: Console,
    notes: Console,
) -> None:
    rows: list[ScoredRow] = []
    columns = (TextColumn("Scoring"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, transient=True) as progress:
        task = progress.add_task("score", total=len(gold))

        def note(row: ScoredRow) -> None:
            progress.advance(task)
            if options.json is not None:
                rows.append(row)

        report = score_samples(
            read_samples(options.gold, predictions),
            bundle=options.preset,
            workers=options.workers,
            data=options.data,
            on_row=note,
        )
    known = set(gold)
    extra = [sample_id for sample_id in predictions.locations if sample_id not in known]
    missing = sum(sample_id not in predictions.locations for sample_id in gold)
    screen.print(score_table(report))
    screen.print(
        f"{len(gold)} samples, {missing} without a prediction, {len(extra)} predictions without a sample",
        highlight=False,
    )
    if options.json is not None:
        _write_json(options.json, report, rows, extra)


def score_table(report: Report) -> Table:
    """The report as a terminal table."""
    table = Table(title=f"Scores ({report.bundle})", title_justify="left")
    for heading in ("Metric", "Group", "Score", "Better", "n", "Failed", "Average", "Signature or reason"):
        numeric = heading in ("Score", "n", "Failed")
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for (metric, group), score in report.scores.items():
        table.add_row(metric, group, *_cells(score))
    for name, score in report.overalls.items():
        table.add_row(name, ALL, *_cells(score))
    return table


def _cells(score: Score) -> tuple[str, ...]:
    shown = "n/a" if score.value is None else f"{100 * score.value:.2f}"
    better = "↓" if score.direction is Direction.LOWER else "↑"
    average = str(score.details.get("average", ""))
    about = score.reason if score.value is None else str(score.signature)
    return shown, better, str(score.n), str(score.n_failed), average, _printable(about)


def _write_json(path: Path, report: Report, rows: list[ScoredRow], extra: list[str]) -> None:
    content: dict[str, Any] = report.as_dict()
    content["unmatched_predictions"] = extra
    content["samples"] = [
        {
            "id": row.id,
            "scores": [
                {"metric": figure.metric, "value": figure.value, "status": figure.status}
                for figure in row.figures
            ],
        }
        for row in rows
    ]
    # ASCII with escapes, because a lone surrogate in an id cannot be written as UTF-8.
    try:
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        raise InputFileError(
            f"{path}: {error.strerror or error}; give a place that can be written."
        ) from None


def _explain(
    options: argparse.Namespace, predictions: PredictionFile, gold: dict[str, Any], screen: Console
) -> int:
    if options.explain not in gold:
        raise InputFileError(f"{options.gold}: no sample has the id {options.explain!r}.")
    for sample in read_samples(options.gold, predictions):
        if sample.id == options.explain:
            for line in explain_sample(sample, find_bundle(options.preset)):
                screen.print(_printable(line), markup=False, highlight=False, soft_wrap=True)
            if options.overlay is not None:
                _draw(sample, options)
            break
    return 0


def _draw(sample: ScoringSample, options: argparse.Namespace) -> None:
    prediction, reference = (
        content_as_lines(side) if isinstance(side, Text | Regions) else ""
        for side in (sample.prediction, sample.reference)
    )
    if sample.structure != "formula" or not prediction or not reference:
        raise InputFileError(
            f"{options.explain}: an overlay needs a formula with a prediction and a reference."
        )
    # Imported on use: fonts and NumPy, which no other structure needs.
    from evaluation.metrics.cdm import PRESETS, compare  # noqa: PLC0415
    from evaluation.metrics.cdm.overlay import overlay_svg  # noqa: PLC0415

    preset = PRESETS.get(options.preset, PRESETS["inkbench-1"])
    image = overlay_svg(compare(prediction, reference, preset))
    try:
        options.overlay.write_text(image, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        reason = error.strerror or error
        raise InputFileError(f"{options.overlay}: {reason}; give a place that can be written.") from None


def _printable(text: str) -> str:
    """The text with lone surrogates and control characters escaped, for a terminal; line ends are kept."""
    shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(
        sign if sign == "\n" or sign.isprintable() else sign.encode("unicode_escape").decode()
        for sign in shown
    )
