"""Errors that are told to people: their words are marked here and translated by whoever shows them.

What raises them runs without a site. A page asks `message(gettext)`; a row keeps `as_json()` and
`config.error_messages` renders it, so that each reader gets it in their own language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

Part = tuple[str, dict[str, object]]


def gettext_noop(text: str) -> str:
    """Marks a text for the message files; pages translate it, its package stays free of the site."""
    return text


class LocalizedError(Exception):
    """A problem in words: where, what, and how to mend it.

    `str()` is English. `facts` fill the message's `%(name)s`, so that translations can order them; without facts the
    message is taken as it stands.
    """

    def __init__(self, message: str = "", /, **facts: object) -> None:
        super().__init__(message)
        self.parts: tuple[Part, ...] = ((message, facts),)

    @classmethod
    def of(cls, told: LocalizedError) -> Self:
        """The same words as an error of this kind."""
        return cls._with(told.parts)

    def at(self, place: str, /, **facts: object) -> Self:
        """The same problem with the place it is found at in front: "Region 3: ..."."""
        return self._with(((place, facts), *self.parts))

    @classmethod
    def _with(cls, parts: Iterable[Part]) -> Self:
        found = cls.__new__(cls)
        found.parts = tuple(parts)
        Exception.__init__(found, found.parts[0][0])
        return found

    def hiding(self, secret: str, mark: str) -> Self:
        """The same with `mark` wherever a fact holds `secret`."""
        return self._with(
            (text, {name: _hidden(value, secret, mark) for name, value in facts.items()})
            for text, facts in self.parts
        )

    def words(self, translate: Callable[[str], Any] = str) -> str:
        """The message in one language."""
        said = (str(translate(text)) % facts if facts else str(translate(text)) for text, facts in self.parts)
        return ": ".join(said)

    def as_json(self) -> list[list[Any]]:
        """What a row keeps: each part as [message, {fact: text}]."""
        return [[text, {name: str(value) for name, value in facts.items()}] for text, facts in self.parts]

    def __str__(self) -> str:
        return self.words()


def _hidden(value: object, secret: str, mark: str) -> object:
    return value.replace(secret, mark) if isinstance(value, str) else value
