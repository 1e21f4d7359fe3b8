"""One interface to the kinds of labels: text, table, formula page.

Stages work with labels only through it, so that none of them depends on a structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluation.payloads import formula, formula_fields, table, table_fields, text
from evaluation.payloads.fields import AgreementThresholds, AssembledLabel, FieldKind, FieldPair, SettledField

DEFAULT_THRESHOLDS = AgreementThresholds()


class UnknownStructure(ValueError):
    """No label kind has this name."""


class Payload(Protocol):
    """The rules of one kind of label. Whatever is refused raises a `BadPayload`."""

    def validate_draft(self, content: str) -> None:
        """Refuse what cannot be saved even as a draft: unprintable characters, JSON of another shape, too much text."""

    def validate(self, content: str, width: int, height: int) -> None:
        """Refuse what cannot be submitted for an image of this size (full resolution)."""

    def canonical(self, content: str) -> str:
        """The canonical form: equal labels are equal strings. Takes what `validate` accepts."""

    def keys(self, content: str) -> list[tuple[FieldKind, str]]:
        """The fields of one label, in order."""

    def pair(self, first: str, second: str, limits: AgreementThresholds = ...) -> list[FieldPair]:
        """The fields of two valid versions."""

    def check_value(self, pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
        """The canonical form of a value written for one field."""

    def obsolete_fields(
        self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]
    ) -> list[FieldPair]:
        """Open fields that no longer matter because of what is settled."""

    def assemble(self, settled: Sequence[SettledField]) -> AssembledLabel:
        """The label from all its settled fields, in the order of `pair`."""

    def released_text(self, content: str) -> str:
        """The ground truth in a release: Markdown, or the HTML of a table."""


class _TextPayload:
    def validate_draft(self, content: str) -> None:
        text.validate_text(content)

    def validate(self, content: str, width: int, height: int) -> None:
        text.validate_text(content)

    def canonical(self, content: str) -> str:
        return text.canonical_text(content)

    def keys(self, content: str) -> list[tuple[FieldKind, str]]:
        return text.line_keys(content)

    def pair(
        self, first: str, second: str, limits: AgreementThresholds = DEFAULT_THRESHOLDS
    ) -> list[FieldPair]:
        return text.pair_lines(first, second)

    def check_value(self, pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
        return text.check_line(value)

    def obsolete_fields(
        self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]
    ) -> list[FieldPair]:
        return []

    def assemble(self, settled: Sequence[SettledField]) -> AssembledLabel:
        return text.assemble_lines(settled)

    def released_text(self, content: str) -> str:
        return content


class _TablePayload:
    def validate_draft(self, content: str) -> None:
        text.validate_characters(content)

    def validate(self, content: str, width: int, height: int) -> None:
        table.validate_table(content)

    def canonical(self, content: str) -> str:
        return table.canonical_table(content)

    def keys(self, content: str) -> list[tuple[FieldKind, str]]:
        return table_fields.table_keys(content)

    def pair(
        self, first: str, second: str, limits: AgreementThresholds = DEFAULT_THRESHOLDS
    ) -> list[FieldPair]:
        return table_fields.pair_tables(first, second)

    def check_value(self, pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
        return table_fields.check_table_value(pair, value)

    def obsolete_fields(
        self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]
    ) -> list[FieldPair]:
        return table_fields.obsolete_table_fields(settled, still_open)

    def assemble(self, settled: Sequence[SettledField]) -> AssembledLabel:
        return table_fields.assemble_table(settled)

    def released_text(self, content: str) -> str:
        return content


class _FormulaPayload:
    def validate_draft(self, content: str) -> None:
        formula.validate_formula_draft(content)

    def validate(self, content: str, width: int, height: int) -> None:
        formula.validate_formula(content, width, height)

    def canonical(self, content: str) -> str:
        return formula.canonical_formula(content)

    def keys(self, content: str) -> list[tuple[FieldKind, str]]:
        return formula_fields.formula_keys(content)

    def pair(
        self, first: str, second: str, limits: AgreementThresholds = DEFAULT_THRESHOLDS
    ) -> list[FieldPair]:
        return formula_fields.pair_formulas(first, second, limits)

    def check_value(self, pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
        return formula_fields.check_formula_value(pair, value, width, height)

    def obsolete_fields(
        self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]
    ) -> list[FieldPair]:
        return formula_fields.obsolete_formula_fields(settled, still_open)

    def assemble(self, settled: Sequence[SettledField]) -> AssembledLabel:
        return formula_fields.assemble_formula(settled)

    def released_text(self, content: str) -> str:
        return formula.page_markdown(content)


_PAYLOADS: dict[str, Payload] = {
    "text": _TextPayload(),
    "table": _TablePayload(),
    "formula": _FormulaPayload(),
}


def payload_for(structure: str) -> Payload:
    """The rules of a structure. Raises UnknownStructure.

    >>> payload_for("table").canonical("<table><tr><td> a </td></tr></table>")
    '<table><tr><td>a</td></tr></table>'
    """
    try:
        return _PAYLOADS[structure]
    except KeyError:
        known = ", ".join(_PAYLOADS)
        raise UnknownStructure(f"there is no structure {structure!r}; known: {known}") from None
