"""Words of the pure packages: marked here for the message files, translated by the pages that show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self


def gettext_noop(text: str) -> str:
    """Marks a text for the message files; pages translate it, this package stays free of the site."""
    return text


class BadPayload(ValueError):
    """A label that cannot be stored; the message says where, what, and how to mend it.

    `str()` is English; a page asks `words(gettext)`. `facts` fill the message's `%(name)s`, so that translations can
    order them.
    """

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.parts: tuple[tuple[str, dict[str, object]], ...] = ((message, facts),)

    def at(self, place: str, **facts: object) -> Self:
        """The same problem with the place it is found at in front: "Region 3: ..."."""
        found = type(self).__new__(type(self))
        Exception.__init__(found, self.args[0])
        found.parts = ((place, facts), *self.parts)
        return found

    def words(self, translate: Callable[[str], Any] = str) -> str:
        """The message in one language."""
        said = (str(translate(text)) % facts if facts else str(translate(text)) for text, facts in self.parts)
        return ": ".join(said)

    def __str__(self) -> str:
        return self.words()
