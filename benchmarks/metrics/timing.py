"""Timing in CPU seconds: best of several rounds, with the spread as noise."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds of the fastest round (this process and its children) and of all rounds."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The fastest round."""
        return min(self.seconds)

    @property
    def noise(self) -> float:
        """How much slower the slowest round was, as a share of the fastest."""
        return max(self.seconds) / self.best - 1 if self.best else 0.0

    def __str__(self) -> str:
        return f"{self.best:.2f} CPU s (best of {len(self.seconds)}, noise +{100 * self.noise:.0f} %)"


def cpu_seconds() -> float:
    """User and system time so far, of this process and of its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(work: Callable[[], object], rounds: int = 5) -> Timing:
    """CPU seconds of each round of `work`."""
    seconds = []
    for _ in range(rounds):
        start = cpu_seconds()
        work()
        seconds.append(cpu_seconds() - start)
    return Timing(tuple(seconds))


def peak_memory() -> float:
    """Peak memory of this process so far, in MB (Linux counts in kB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
