"""Keep child processes running: what stops by itself is started again, alone, after a longer wait each time."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

from config.jobs.child_process import GRACE_SECONDS

LONGEST_WAIT_SECONDS = 60
HEALTHY_SECONDS = 60  # a child that ran for so long is started again at once, as if it had never stopped
_TIED = (sys.executable, "-m", "config.jobs.child_process")


@dataclass(slots=True)
class Child:
    """A Python module with arguments, and the descriptors it inherits."""

    name: str
    command: Sequence[str]
    descriptors: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = None
    wait_seconds: float = 0
    _started: float = 0
    _due: float = 0

    def start(self) -> None:
        """In a session of its own: Ctrl+C reaches the supervisor alone, which then stops the children in order.

        The pipe closes with the supervisor, however it ends, and the child ends with it.
        """
        self._started = time.monotonic()
        self.process = subprocess.Popen(
            [*_TIED, *self.command],
            start_new_session=True,
            stdin=subprocess.PIPE,
            pass_fds=self.descriptors,
        )

    def reap(self) -> int | None:
        """The process's return code when it has ended, negative for a signal. It is then due to start again."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        if self.process.stdin:
            self.process.stdin.close()
        self._postpone()
        return code

    def start_when_due(self) -> None:
        """Raises OSError where the system refuses another process; it is tried again later."""
        if self.process is None and time.monotonic() >= self._due:
            try:
                self.start()
            except OSError:
                self._postpone()
                raise

    def _postpone(self) -> None:
        self.process = None
        was_healthy = time.monotonic() - self._started >= HEALTHY_SECONDS
        longer = min(2 * self.wait_seconds, LONGEST_WAIT_SECONDS)
        self.wait_seconds = 1 if was_healthy or not longer else longer
        self._due = time.monotonic() + self.wait_seconds


def note_stop_signals() -> list[int]:
    """A list that receives the signals which ask this process to end."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    signal.signal(signal.SIGINT, note)
    signal.signal(signal.SIGTERM, note)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # under nohup it is to outlive its terminal
        signal.signal(signal.SIGHUP, note)
    return received


@dataclass(slots=True)
class Supervisor:
    children: Sequence[Child]
    say: Callable[[str], None]
    # Names of children that ended by themselves, not by a signal.
    failed: set[str] = field(default_factory=set)

    def check(self) -> None:
        """Notice what stopped and start what is due; to be called several times a second."""
        for child in self.children:
            if (code := child.reap()) is not None:
                how = f"exit {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
                self.say(
                    f"The {child.name} stopped by itself ({how}); it starts again in {child.wait_seconds:g} s."
                )
                if code >= 0:
                    self.failed.add(child.name)
            try:
                child.start_when_due()
            except OSError as error:
                self.say(
                    f"The {child.name} cannot start ({error}); next attempt in {child.wait_seconds:g} s."
                )

    def stop(self) -> None:
        """Ask all to end, and after the grace make them."""
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + GRACE_SECONDS
        for process in running:
            try:
                process.wait(timeout=max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
