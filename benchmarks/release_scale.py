"""A release of many samples: time of freezing, both exports and scoring, and memory, which must not grow.

`python -m benchmarks.release_scale [--samples 20000] [--database URL]`, about ten minutes for 20,000. Of 20 samples 17
are pages of text, 2 tables and 1 a formula page; each image has 60 kB. Wall seconds of one process; the exports
and the scoring run as the worker runs them.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
N_IMAGES, IMAGE_BYTES = (
    500,
    60_000,
)  # number of distinct images; each is copied for every sample that uses it
MAX_GROWTH = 1.5  # largest ratio of memory in the second half of a job to the first


class Memory:
    """The resident memory of this process, sampled five times a second."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._over.wait(0.2):
            self.seen.append(int(Path("/proc/self/statm").read_text().split()[1]) * page >> 20)

    def halves(self) -> tuple[int, int]:
        middle = len(self.seen) // 2
        return max(self.seen[:middle], default=0), max(self.seen[middle:], default=0)


def timed(name: str, work: Callable[[], object], samples: int) -> tuple[int, int]:
    """Run the work and print its time and memory; returns the peak memory (MiB) of each half."""
    started = time.monotonic()
    with Memory() as memory:
        work()
    seconds = time.monotonic() - started
    first, second = memory.halves()
    print(
        f"{name:24} {seconds:7.1f} s  {1000 * seconds / samples:6.2f} ms a sample  "
        f"memory {first} then {second} MiB",
        flush=True,
    )
    return first, second


def texts(count: int) -> Iterator[tuple[str, str, str]]:
    """(structure, ground truth, prediction) of each sample, with about one error in thirty characters."""
    dice = random.Random(20)
    words = [
        "the",
        "ink",
        "says",
        "dear",
        "friend",
        "春江潮水",
        "连海平",
        "evening",
        "letter",
        "from",
        "home",
        "一九三五年",
    ]
    for index in range(count):
        if index % 20 == 0:
            reference = (
                "$$"
                + " + ".join(rf"\frac{{x_{{{dice.randrange(9)}}}}}{{y^{{{n}}}}}" for n in range(6))
                + "$$"
            )
            yield "formula", reference, reference.replace("x", "z", 1)
        elif index % 10 == 1:
            rows = "".join(
                "<tr>"
                + "".join(f"<td>{dice.choice(words)} {dice.randrange(999)}</td>" for _ in range(5))
                + "</tr>"
                for _ in range(8)
            )
            yield "table", f"<table>{rows}</table>", f"<table>{rows.replace('9', '6', 2)}</table>"
        else:
            reference = "\n".join(" ".join(dice.choices(words, k=9)) for _ in range(12))
            letters = ["#" if dice.random() < 1 / 30 else letter for letter in reference]
            yield "text", reference, "".join(letters)


def measure(samples: int) -> bool:
    """Run everything on the configured database; True if memory stays flat."""
    import django  # noqa: PLC0415 - the settings are read from the environment that the parent made

    django.setup()
    from config.accounts.models import User  # noqa: PLC0415
    from config.accounts.services import make_team  # noqa: PLC0415
    from config.blobs import put_blob  # noqa: PLC0415
    from config.jobs.services import run_waiting  # noqa: PLC0415
    from evaluation.models import ExportFormat  # noqa: PLC0415
    from evaluation.predictions import Text  # noqa: PLC0415
    from evaluation.records import GoldRecord, PredictionRecord  # noqa: PLC0415
    from evaluation.services.export_release import request_export  # noqa: PLC0415
    from evaluation.services.freeze_release import import_release  # noqa: PLC0415
    from evaluation.services.record_predictions import record_predictions  # noqa: PLC0415
    from evaluation.services.score_predictions import request_score  # noqa: PLC0415

    manager = User.objects.create_user(f"bench-{uuid.uuid4().hex[:8]}")
    team = make_team(slug=manager.username, name="Bench", manager=manager)
    dice = random.Random(7)
    images = [put_blob(dice.randbytes(IMAGE_BYTES)) for _ in range(N_IMAGES)]
    gold, answers = [], []
    for index, (structure, truth, prediction) in enumerate(texts(samples)):
        record = GoldRecord(
            id=uuid.UUID(int=index).hex,
            file_name=f"page_{index}.png",
            structure=structure,
            language="en",
            text=truth,
            image_hash=images[index % N_IMAGES],
            width=1240,
            height=1654,
            number=index + 1,
        )
        gold.append(record)
        answers.append(PredictionRecord(record.id, Text(prediction)))
    result: dict[str, object] = {}

    def freeze() -> None:
        result["release"] = import_release(
            team=team, by=manager, records=gold, pixel_hashes={r.id: r.image_hash for r in gold}
        )

    def take() -> None:
        result["answers"] = record_predictions(
            release=release, system_name="scribe", by=manager, records=answers, origin="upload"
        )

    timed("freezing the release", freeze, samples)
    release = result["release"]
    timed("taking predictions", take, samples)
    gold.clear(), answers.clear()
    flat = True
    for form in (ExportFormat.INKBENCH, ExportFormat.OMNIDOCBENCH):
        request_export(release=release, format=form, by=manager)
        first, second = timed(f"export, {form}", run_waiting, samples)
        flat &= second <= MAX_GROWTH * first
    request_score(prediction_set=result["answers"])
    first, second = timed("scoring, inkbench-1", run_waiting, samples)
    return flat and second <= MAX_GROWTH * first


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--database", default="", help="as DATABASE_URL; by default a fresh SQLite file")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        sys.exit(0 if measure(options.samples) else 1)
    with tempfile.TemporaryDirectory(prefix="inkbench-bench-") as data:
        environment = {**os.environ, "INKBENCH_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        environment.pop("DATABASE_URL", None)
        if options.database:
            environment["DATABASE_URL"] = options.database
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True, cwd=ROOT)
        command = [
            sys.executable,
            "-m",
            "benchmarks.release_scale",
            "--inside",
            "--samples",
            str(options.samples),
        ]
        sys.exit(subprocess.run(command, env=environment, cwd=ROOT).returncode)


if __name__ == "__main__":
    main()
