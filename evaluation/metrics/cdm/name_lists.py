"""Lists of names written as running text."""

from __future__ import annotations


def split_names(*lines: str) -> tuple[str, ...]:
    """The words of some lines; long lists of commands are easier to read this way."""
    return tuple(word for line in lines for word in line.split())
