"""The programs of this package by prefix; each family of metrics has its own file."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType


def family_modules(prefix: str) -> Iterator[ModuleType]:
    """The modules `<prefix>_<family>` beside this one, by name."""
    for path in sorted(Path(__file__).parent.glob(f"{prefix}_*.py")):
        yield import_module(f"{__package__}.{path.stem}")
