"""Which strings the site says: read out of Python and templates without any program but Python.

Only what is written as a literal can be translated; a computed one is reported as a mistake by the tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation.template import templatize

SOURCES = ("annotation", "baseline", "evaluation", "config")
# Function -> the order of its literal arguments.
_ARGUMENTS = {
    "gettext": ("msgid",),
    "ngettext": ("msgid", "plural"),
    "pgettext": ("context", "msgid"),
    "npgettext": ("context", "msgid", "plural"),
}
_LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_TEMPLATE_CALL = re.compile(rf"\b(n?p?gettext|_)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One string to translate, and the file it was first met in (relative to the root)."""

    msgid: str
    plural: str = ""
    context: str = ""
    file: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return (self.context, self.msgid)


class NotLiteral(Exception):
    """A translation function is called with something computed, so nobody can translate it."""


def phrases_in(root: Path) -> list[Phrase]:
    """Every phrase of the site once, in the order of files and lines. Raises NotLiteral naming file and line."""
    phrases: dict[tuple[str, str], Phrase] = {}
    for path in source_files(root):
        file = path.relative_to(root).as_posix()
        read = _python_phrases if path.suffix == ".py" else _template_phrases
        for phrase in read(path.read_text(encoding="utf-8"), file):
            known = phrases.get(phrase.key)
            if known is None or (phrase.plural and not known.plural):
                phrases[phrase.key] = phrase
    return list(phrases.values())


def source_files(root: Path) -> Iterator[Path]:
    """Python of the apps and every template, sorted; tests and migrations say nothing to people."""
    for package in SOURCES:
        yield from sorted(p for p in (root / package).rglob("*.py") if "migrations" not in p.parts)
    yield from sorted(p for p in (root / "templates").rglob("*") if p.suffix in {".html", ".txt"})


def _python_phrases(source: str, file: str) -> Iterator[Phrase]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (names := _arguments_of(node.func)):
            if len(node.args) < len(names):
                continue
            values = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args[: len(names)]]
            if not all(isinstance(value, str) for value in values):
                raise NotLiteral(f"{file}:{node.lineno}: write the string itself into the call")
            yield Phrase(**dict(zip(names, map(str, values), strict=True)), file=file)


def _arguments_of(function: ast.expr) -> tuple[str, ...] | None:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name == "_":
        return _ARGUMENTS["gettext"]
    return _ARGUMENTS.get(name.removesuffix("_lazy").removesuffix("_noop"))


def _template_phrases(source: str, file: str) -> Iterator[Phrase]:
    for match in _TEMPLATE_CALL.finditer(templatize(source)):
        names = _ARGUMENTS["gettext" if match[1] == "_" else match[1]]
        values = ast.literal_eval(f"({match[2]},)")
        yield Phrase(**dict(zip(names, values, strict=False)), file=file)
