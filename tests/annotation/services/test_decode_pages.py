from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

from annotation.images.page import PageForms, PageTask
from annotation.images.sniff import Format
from annotation.services.decode_pages import DecodePool, decode_in_order
from evaluation.files.errors import BadFile, FileProblem
from tests.annotation.images.images import LIMITS, draw_page, encode, write


class Poison:
    """A task that kills the process that receives it, as bytes that crash a decoder would."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def task_for(path: Path) -> PageTask:
    return PageTask(path=str(path), format=Format.PNG, frame=0, cap_bytes=None, max_side=4000, limits=LIMITS)


def test_in_order_when_one_page_crashes_its_process_then_only_that_page_is_damaged(tmp_path: Path) -> None:
    good = [write(tmp_path, f"{n}.png", encode(draw_page(n, size=(90 + n, 60)), "PNG")) for n in range(5)]
    cut = write(tmp_path, "cut.png", good[0].read_bytes()[:100])
    items: list[tuple[str, PageTask | None]] = [
        (path.name, task_for(path)) for path in [*good[:2], cut, *good[2:]]
    ]
    items.insert(3, ("poison", cast(PageTask, Poison())))
    items.insert(1, ("no task", None))
    with DecodePool(2) as pool:
        results = list(decode_in_order(iter(items), pool))
    assert [name for name, _ in results] == [name for name, _ in items]
    widths = {name: result.full_width for name, result in results if isinstance(result, PageForms)}
    assert widths == {f"{n}.png": 90 + n for n in range(5)}
    faults = {name: result.problem for name, result in results if isinstance(result, BadFile)}
    assert faults == {"cut.png": FileProblem.DAMAGED, "poison": FileProblem.DAMAGED}


def test_in_order_when_one_process_then_the_same_results(tmp_path: Path) -> None:
    path = write(tmp_path, "a.png", encode(draw_page(1), "PNG"))
    items: list[tuple[str, PageTask | None]] = [("a", task_for(path))]
    with DecodePool(1) as alone, DecodePool(2) as pool:
        ((_, alone_forms),) = decode_in_order(iter(items), alone)
        ((_, pool_forms),) = decode_in_order(iter(items), pool)
    assert isinstance(alone_forms, PageForms) and isinstance(pool_forms, PageForms)
    assert (alone_forms.full, alone_forms.released, alone_forms.pixel_hash) == (
        pool_forms.full,
        pool_forms.released,
        pool_forms.pixel_hash,
    )
