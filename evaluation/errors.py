"""Errors whose messages are marked for translation here and translated where they are shown.

The modules that raise them run without Django. A page calls `message(gettext)`; a database row keeps `as_json()`,
which `config.error_messages` renders in the language of each reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

MessagePart = tuple[str, dict[str, object]]  # a message and the facts that fill its %(name)s


def gettext_noop(text: str) -> str:
    """Mark a text for the message catalogues without importing Django."""
    return text


def format_message(parts: Iterable[Any], translate: Callable[[str], Any] = str) -> str:
    """Message parts, each `(message, facts)`, as one text: "Region 3: the LaTeX is missing".

    A message without facts is not %-formatted, so it may contain percent signs.
    """
    return ": ".join(
        str(translate(message)) % facts if facts else str(translate(message)) for message, facts in parts
    )


class LocalizedError(Exception):
    """A problem that a person can read: where it is, what it is and how to fix it.

    `str()` is English, for logs and files. `facts` fill the message's `%(name)s` and can be put in any order by a
    translation. A class may name the `field` of the input that is at fault.
    """

    field: ClassVar[str] = ""

    def __init__(self, message: str = "", /, **facts: object) -> None:
        super().__init__(message)
        self.parts: tuple[MessagePart, ...] = ((message, facts),)

    @classmethod
    def from_error(cls, error: LocalizedError) -> Self:
        """An error of this class with the message of `error`."""
        return cls._from_parts(error.parts)

    def within(self, place: str, /, **facts: object) -> Self:
        """A copy whose message starts with the place of the problem: "Region 3: ..."."""
        return self._from_parts(((place, facts), *self.parts))

    def with_secret_replaced(self, secret: str, replacement: str) -> Self:
        """A copy with `replacement` wherever a fact contains `secret`."""
        return self._from_parts(
            (message, {name: _replace_secret(fact, secret, replacement) for name, fact in facts.items()})
            for message, facts in self.parts
        )

    def message(self, translate: Callable[[str], Any] = str) -> str:
        """The whole message in the language of `translate`."""
        return format_message(self.parts, translate)

    def fields(self, translate: Callable[[str], Any] = str) -> dict[str, list[str]]:
        """The problems by input field; empty if the class names no `field`."""
        return {self.field: [self.message(translate)]} if self.field else {}

    def as_json(self) -> list[list[Any]]:
        """The form in which a row keeps the error: a list of [message, {fact: text}]."""
        return [[message, {name: str(fact) for name, fact in facts.items()}] for message, facts in self.parts]

    @classmethod
    def _from_parts(cls, parts: Iterable[MessagePart]) -> Self:
        error = cls.__new__(cls)
        error.parts = tuple(parts)
        Exception.__init__(error, error.parts[0][0])
        return error

    def __str__(self) -> str:
        return self.message()


class InvalidInput(LocalizedError, ValueError):
    """Input that its author can correct."""


def _replace_secret(fact: object, secret: str, replacement: str) -> object:
    return fact.replace(secret, replacement) if isinstance(fact, str) else fact
