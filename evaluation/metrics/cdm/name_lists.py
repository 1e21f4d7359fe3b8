"""Tables of names written as running text."""

from __future__ import annotations


def split_names(*lines: str) -> tuple[str, ...]:
    """The words of some lines; long lists of commands read better so than as quoted items."""
    return tuple(word for line in lines for word in line.split())
