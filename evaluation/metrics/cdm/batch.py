"""Scoring many pairs in several processes, each with its own cache of reference layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context

from evaluation.metrics.base import Pair, Score

from .scoring import cdm
from .strict import cdm_strict

_CHUNK = 64  # pairs per task: large enough to hide the transfer, small enough to balance
_AHEAD = 4  # tasks queued per worker; bounds the memory
_METRICS: dict[str, Callable[..., Score]] = {"cdm": cdm, "cdm_strict": cdm_strict}


def score_batch(
    pairs: Iterable[Pair], *, metric: str = "cdm", preset: str = "inkbench-1", workers: int = 1
) -> Iterator[Score]:
    """The score of every pair, in order; the same figures for any number of workers.

    Pairs are read as needed. Keep pairs with the same reference together: its layout is cached.
    """
    if metric not in _METRICS:
        raise ValueError(f"metric must be one of {', '.join(_METRICS)}, not {metric!r}")
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    score = partial(_score_chunk, metric, preset)
    chunks = _chunks(pairs)
    if workers == 1:
        for chunk in chunks:
            yield from score(chunk)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(score, chunk) for chunk in islice(chunks, workers * _AHEAD)]
        while waiting:
            future = waiting.pop(0)
            waiting += [pool.submit(score, chunk) for chunk in islice(chunks, 1)]
            yield from future.result()


def _score_chunk(metric: str, preset: str, pairs: Sequence[Pair]) -> list[Score]:
    return [_METRICS[metric](prediction, reference, preset=preset) for prediction, reference in pairs]


def _chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    source = iter(pairs)
    while chunk := list(islice(source, _CHUNK)):
        yield chunk
