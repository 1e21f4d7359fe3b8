"""200 scans of two megapixels through `manage.py import_samples`, compared with plain Pillow writing the same files.

`python -m benchmarks.import_scans [--scans 200]`. Both sides use two processes and are measured in CPU seconds of
all their processes, so other work on the machine does not count. The Pillow side is given the palette of each page;
it only opens each scan and writes both PNGs, and its files must equal the import's byte for byte.
"""

from __future__ import annotations

import argparse
import io
import json
import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1240, 1654)  # 2.05 megapixels: A4 at 150 dots an inch
PROCESSES = 2
MAX_RATIO = 1.5


@dataclass(frozen=True, slots=True)
class Cost:
    cpu_seconds: float
    wall_seconds: float


def draw_scan(seed: int) -> bytes:
    """A JPEG of scrawled lines on tinted paper under uneven light, with sensor noise."""
    source = np.random.default_rng(seed)
    page = Image.new("RGB", SIZE, (244, 238, 224))
    draw = ImageDraw.Draw(page)
    for y in range(140, SIZE[1] - 100, 64):
        x = 120.0
        while x < SIZE[0] - 180:
            steps = source.integers(4, 14)
            points = [(x + 7 * i, y - float(source.integers(0, 34))) for i in range(steps)]
            draw.line(points, fill=(38, 42, 92), width=4, joint="curve")
            x = points[-1][0] + float(source.integers(18, 46))
    pixels = np.asarray(page).astype(np.float32)
    light = 1 - 0.12 * np.linspace(0, 1, SIZE[1], dtype=np.float32)[:, None, None]
    noise = source.normal(0, 2.5, pixels.shape).astype(np.float32)
    image = Image.fromarray(np.clip(pixels * light + noise, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=88)
    return out.getvalue()


def run_import(folder: Path, data: Path) -> tuple[Cost, list[int]]:
    """CPU and wall time of the command, and the memory (MiB) of its processes, sampled twice a second."""
    environment = {**os.environ, "INKBENCH_DATA": str(data), "IMPORT_PROCESSES": str(PROCESSES)}
    environment.pop("DATABASE_URL", None)
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True, cwd=ROOT)
    make = (
        "from config.accounts.models import User; from config.accounts.services import make_team;"
        "from annotation.models import Project;"
        "u = User.objects.create_user('bench'); t = make_team(slug='bench', name='Bench', manager=u);"
        "Project.objects.create(team=t, slug='bench', name='Bench', created_by=u)"
    )
    subprocess.run([*manage, "shell", "-v0", "-c", make], env=environment, check=True, cwd=ROOT)
    with measured() as cost:
        command = [*manage, "import_samples", "bench", str(folder), "--language", "en"]
        process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL)
        samples: list[int] = []
        watcher = threading.Thread(target=_watch, args=(process, samples))
        watcher.start()
        if process.wait():
            raise SystemExit("the import failed")
        watcher.join()
    return cost[0], samples


@contextmanager
def measured() -> Iterator[list[Cost]]:
    """CPU of the child processes that end inside the block."""
    out: list[Cost] = []
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    yield out
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    out.append(Cost(cpu, time.monotonic() - start))


def _watch(process: subprocess.Popen[bytes], samples: list[int]) -> None:
    while process.poll() is None:
        samples.append(sum(_resident(pid) for pid in (process.pid, *_children(process.pid))) >> 20)
        time.sleep(0.5)


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def make_bare(task: tuple[str, list[dict[str, Any]], str]) -> tuple[bytes, bytes]:
    """The work of Pillow for one scan: both PNGs, written to `target`."""
    path, steps, target = task
    image = Image.open(path).convert("RGB")
    full = _save(image, 1)
    released = full
    for step in steps:
        if step["step"] == "downscale":
            image = image.resize(tuple(step["to"]), Image.Resampling.LANCZOS, reducing_gap=3.0)
        elif step["step"] == "palette" and step["method"] == "octree":
            released = _save(
                image.quantize(step["colours"], Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE), 6
            )
        elif step["step"] == "palette":
            small = image.resize((image.width // 4, image.height // 4), Image.Resampling.NEAREST)
            palette = small.quantize(step["colours"], Image.Quantize.MEDIANCUT)
            released = _save(image.quantize(palette=palette, dither=Image.Dither.NONE), 6)
    for name, data in (("full", full), ("released", released)):
        Path(f"{target}.{name}.png").write_bytes(data)
    return full, released


def _save(image: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def _bare_worker(tasks: list[tuple[str, list[dict[str, Any]], str]]) -> None:
    for task in tasks:
        make_bare(task)


def run_bare(tasks: list[tuple[str, list[dict[str, Any]], str]]) -> Cost:
    with measured() as cost:
        shares = [tasks[start::PROCESSES] for start in range(PROCESSES)]
        processes = [
            multiprocessing.get_context("spawn").Process(target=_bare_worker, args=(s,)) for s in shares
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
    return cost[0]


def read_rows(data: Path) -> list[tuple[str, list[dict[str, Any]], str, str]]:
    """(scan's name, steps, hash of the lossless file, hash of the released file) of every sample."""
    with sqlite3.connect(data / "inkbench.sqlite3") as database:
        rows = database.execute(
            "SELECT original_name, image_steps, full_blob, released_blob FROM annotation_sample ORDER BY number"
        ).fetchall()
    return [(name, json.loads(steps), full, released) for name, steps, full, released in rows]


def count_unequal(rows: list[tuple[str, list[dict[str, Any]], str, str]], data: Path, out: Path) -> int:
    """Files of the Pillow side that differ from the import's."""

    def blob(sha: str) -> bytes:
        return (data / "files" / "blobs" / sha[:2] / sha[2:4] / sha).read_bytes()

    return sum(
        (out / f"{name}.{form}.png").read_bytes() != blob(sha)
        for name, _, full, released in rows
        for form, sha in (("full", full), ("released", released))
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scans", type=int, default=200)
    count = parser.parse_args(arguments).scans
    with tempfile.TemporaryDirectory(prefix="inkbench-bench-") as name:
        scans, data, out = (Path(name) / part for part in ("scans", "data", "bare"))
        for folder in (scans, data, out):
            folder.mkdir()
        for seed in range(count):
            (scans / f"scan-{seed:04}.jpg").write_bytes(draw_scan(seed))
        imported, memory = run_import(scans, data)
        rows = read_rows(data)
        if len(rows) != count:
            raise SystemExit(f"{len(rows)} of {count} scans were imported")
        bare = run_bare([(str(scans / name), steps, str(out / name)) for name, steps, _, _ in rows])
        unequal = count_unequal(rows, data, out)
    ratio = imported.cpu_seconds / bare.cpu_seconds
    settled = memory[len(memory) // 4 :] or memory
    half = len(settled) // 2
    print(f"import of {count} scans: {imported.cpu_seconds:.1f} s CPU, {imported.wall_seconds:.1f} s wall")
    print(f"bare Pillow:            {bare.cpu_seconds:.1f} s CPU, {bare.wall_seconds:.1f} s wall")
    print(f"ratio of CPU: {ratio:.2f} (at most {MAX_RATIO}); files that differ: {unequal} of {2 * count}")
    print(
        f"memory of all processes: at most {max(settled[:half] or settled)} MiB in the first half, "
        f"{max(settled[half:])} MiB in the second"
    )
    if ratio > MAX_RATIO or unequal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
