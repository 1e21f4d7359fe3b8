"""Score a file of predictions against a release, without keeping anything."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from evaluation.files.archives import is_junk
from evaluation.files.limits import FileLimits
from evaluation.imports.predictions import Given, LocatedPrediction, RefusedPrediction, read_prediction_files
from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.bundles import DEFAULT, bundle_names
from evaluation.metrics.cli import score_table
from evaluation.models import Release
from evaluation.services.record_predictions import stems_of, wrong_form
from evaluation.services.score_predictions import score_records
from evaluation.upload_messages import words_for

_SHOWN = 20


class Command(BaseCommand):
    help = "Score predictions (JSONL, a folder of .md files, or a zip) against a release and print the table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="TEAM/NUMBER, as in 'letters/2', or the number in its address")
        parser.add_argument("predictions", type=Path, help="a .jsonl file, a folder or a zip")
        parser.add_argument("--bundle", default=DEFAULT, choices=bundle_names())

    def handle(self, *args: Any, **options: Any) -> None:
        release = _release(options["release"])
        path: Path = options["predictions"]
        if not path.exists():
            raise CommandError(f"There is nothing at {path}. Give a file or a folder.")
        entries = list(_read(release, path))
        faults = _faults(release, entries)
        if faults:
            more = [f"... and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
            raise CommandError("Nothing was scored.\n" + "\n".join([*faults[:_SHOWN], *more]))
        columns = (TextColumn("Scoring"), BarColumn(), MofNCompleteColumn())
        console = Console(file=self.stdout)  # type: ignore[arg-type]
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task("score", total=release.count)
            report, counts = score_records(
                release=release,
                records={
                    entry.record.id: entry.record for entry in entries if isinstance(entry, LocatedPrediction)
                },
                bundle=options["bundle"],
                on_row=lambda row: progress.advance(bar),
            )
        console.print(score_table(report))
        console.print(
            f"{release.count} samples: {counts[ScoreStatus.SCORED]} answered, "
            f"{counts[ScoreStatus.FAILED]} failed, {counts[ScoreStatus.MISSING]} missing",
            highlight=False,
        )


def _release(name: str) -> Release:
    team, _slash, number = name.rpartition("/")
    rows = Release.objects.select_related("team")
    if number.isdecimal():
        release = (rows.filter(team__slug=team, number=number) if team else rows.filter(pk=number)).first()
        if release is not None:
            return release
    raise CommandError(f"There is no release '{name}'. Write TEAM/NUMBER, as in 'letters/2'.")


def _read(release: Release, path: Path) -> Iterator[LocatedPrediction | RefusedPrediction]:
    with ExitStack() as stack:

        def given() -> Iterator[Given]:
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                name = file.name if path.is_file() else file.relative_to(path).as_posix()
                if file.is_file() and not is_junk(name):
                    yield name, stack.enter_context(file.open("rb"))

        limits = FileLimits(**settings.IMPORT_LIMITS)
        yield from read_prediction_files(given(), ids_by_stem=stems_of(release), limits=limits)


def _faults(release: Release, entries: list[LocatedPrediction | RefusedPrediction]) -> list[str]:
    """Every line that is not a prediction for this release; a file that is submitted by hand is mended by hand."""
    known = set(release.items.values_list("sample_id", flat=True))
    fault_of = wrong_form(release)
    seen: set[str] = set()
    faults: list[str] = []
    for entry in entries:
        where = f"{entry.place.file}: line {entry.place.line}" if entry.place.line else entry.place.file
        if isinstance(entry, RefusedPrediction):
            faults.append(f"{where}: {words_for({**entry.facts, 'problem': entry.problem})}")
        elif entry.record.id not in known or entry.record.id in seen:
            problem = "answered_twice" if entry.record.id in seen else "unknown_sample"
            faults.append(f"{where}: field 'id': {words_for({'problem': problem, 'id': entry.record.id})}")
        else:
            seen.add(entry.record.id)
            if fault := fault_of(entry.record):
                faults.append(f"{where}: {words_for(fault)}")
    return faults
