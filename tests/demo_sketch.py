"""The demo project in seconds: its story on stand-ins of its pages, bars of ink for writing, without recognisers."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from PIL import Image

from annotation.demo.drawing.page_scripts import load_pages
from annotation.demo.drawing.pages import DemoPage, regions_of
from annotation.demo.seeding import project as seeding
from annotation.models import Project


def make_demo(patch: pytest.MonkeyPatch) -> Project:
    """What `manage.py demo` makes, with the people of `annotation.demo.seeding.people`."""
    patch.setattr(seeding, "draw_pages", _sketch_pages)
    patch.setattr(seeding, "EMBEDDED", {})
    call_command("demo")
    return Project.objects.get(slug="demo")


_rows: sqlite3.Connection | None = None  # all rows after the first making, on SQLite


def copy_demo(patch: pytest.MonkeyPatch) -> Project:
    """What `make_demo` makes, for a test that begins with an empty database: made once in a process, then copied."""
    global _rows
    if connection.vendor != "sqlite":
        return make_demo(patch)
    connection.ensure_connection()
    if _rows is None:
        make_demo(patch)
        _rows = sqlite3.connect(":memory:")
        connection.connection.backup(_rows)
    else:
        _rows.backup(connection.connection)
        ContentType.objects.clear_cache()  # the copied rows have the numbers of the first making
    return Project.objects.get(slug="demo")


def _sketch_pages(folder: Path) -> Iterator[DemoPage]:
    for page in load_pages():
        dice = np.random.default_rng(zlib.crc32(page.name.encode()))
        paper = np.full((1600, 1200), 240, np.uint8)
        for top in range(150, 1400, 120):
            left, right = dice.integers(90, 400), dice.integers(600, 1100)
            paper[top : top + dice.integers(30, 80), left:right] = 20
        path = folder / f"{page.name}.png"
        Image.fromarray(paper).save(path, compress_level=1)
        text = regions_of(page) if page.formulas else page.truth
        yield DemoPage(path, text, page.structure, page.language, page.scenario, page.hand)
