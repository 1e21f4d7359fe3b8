"""Unique strings planted in hidden places, images that are kept from people, and the look-out for both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SHAPE = re.compile(r"zq[0-9]{6}q")
_DIGEST = re.compile(r"image of sha256 ([0-9a-f]{64})")


def name_image(digest: str) -> str:
    """What stands for an image in the text of an answer that holds its bytes."""
    return f"image of sha256 {digest}"


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
    images: dict[str, str] = field(default_factory=dict)  # SHA-256 -> token

    def plant(self, kind: str, owner: str = "") -> str:
        """A new string to put somewhere. It survives escaping, quoting and any change of case."""
        token = f"zq{len(self.planted):06d}q"
        self.planted[token] = Canary(token, kind, owner)
        return token

    def watch(self, digest: str, kind: str, owner: str = "") -> None:
        """Take these bytes of an image, wherever they come back, for a canary of this kind."""
        self.images[digest] = self.plant(kind, owner)

    def find(self, text: str) -> set[str]:
        """The tokens that stand in a text, or whose image does."""
        words = {*_SHAPE.findall(text.lower())} & self.planted.keys()
        return words | {self.images[digest] for digest in _DIGEST.findall(text) if digest in self.images}

    def move(self, token: str, owner: str) -> None:
        """Say whose it is, once that is known."""
        self.planted[token].owner = owner
