"""Unique strings planted in hidden places, and the look-out for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SHAPE = re.compile(r"zq[0-9]{6}q")


@dataclass(slots=True)
class Canary:
    """One planted string: the kind of place it stands in, and the sample or person it belongs to."""

    token: str
    kind: str
    owner: str


@dataclass(slots=True)
class Canaries:
    """All that were planted in one world."""

    planted: dict[str, Canary] = field(default_factory=dict)

    def plant(self, kind: str, owner: str = "") -> str:
        """A new string to put somewhere. It survives escaping, quoting and any change of case."""
        token = f"zq{len(self.planted):06d}q"
        self.planted[token] = Canary(token, kind, owner)
        return token

    def find(self, text: str) -> set[str]:
        """The tokens that stand in a text."""
        return {*_SHAPE.findall(text.lower())} & self.planted.keys()

    def move(self, token: str, owner: str) -> None:
        """Say whose it is, once that is known."""
        self.planted[token].owner = owner
