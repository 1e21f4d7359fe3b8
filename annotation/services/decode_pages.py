"""Decode pages in child processes, in order, a bounded number at a time."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self, TypeVar

from annotation.images.page import PageForms, PageTask, process_page
from evaluation.files.errors import BadFile, FileProblem

Item = TypeVar("Item")
Result = PageForms | BadFile
_WATCH_SECONDS = 1.0


class DecodePool:
    """Runs `process_page` in `processes` child processes; with one, in this process.

    A page whose bytes crash the decoder kills its child, not the import: it is tried once more, alone, and then
    reported as damaged. Children end by themselves when this process is killed.
    """

    def __init__(self, processes: int) -> None:
        # A child of a prefork worker may have no children of its own.
        self._processes = 1 if multiprocessing.current_process().daemon else processes
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    @property
    def depth(self) -> int:
        """How many pages to submit ahead so that no process waits."""
        return 1 if self._processes < 2 else self._processes + 1

    def submit(self, task: PageTask) -> Callable[[], Result]:
        """Start one page. The returned function waits for its result."""
        if self._processes < 2:
            return lambda: _process(task)
        try:
            future = self._pool().submit(_process, task)
        except BrokenProcessPool:
            self._stop()
            future = self._pool().submit(_process, task)
        return lambda: self._wait(future, task)

    def _wait(self, future: Future[Result], task: PageTask) -> Result:
        try:
            return future.result()
        except (
            BrokenProcessPool,
            CancelledError,
        ):  # another page's crash has stopped the pool, or this one's
            self._stop()
        try:
            # Alone, so that a child that dies now was killed by this page.
            return self._pool().submit(_process, task).result()
        except BrokenProcessPool:
            self._stop()
            return BadFile(FileProblem.DAMAGED)

    def _pool(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # Spawned, not forked: a child must not hold this process' database connection.
            self._executor = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_end_with_parent,
                initargs=(os.getpid(),),
            )
        return self._executor

    def _stop(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


def decode_in_order(
    items: Iterator[tuple[Item, PageTask | None]], pool: DecodePool
) -> Iterator[tuple[Item, Result | None]]:
    """Each item with its page's result, in the given order. Items without a task keep their place."""
    waiting: deque[tuple[Item, Callable[[], Result] | None]] = deque()
    for item, task in items:
        waiting.append((item, pool.submit(task) if task else None))
        while len(waiting) > pool.depth:
            done, result = waiting.popleft()
            yield done, result() if result else None
    while waiting:
        done, result = waiting.popleft()
        yield done, result() if result else None


def _process(task: PageTask) -> Result:
    try:
        return process_page(task)
    except BadFile as fault:
        return fault


def _end_with_parent(parent: int) -> None:
    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
