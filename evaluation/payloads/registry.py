"""One interface to the kinds of labels: a text, a table, a page of formulas.

What a stage does with a label it does through here, so that no stage knows a structure by name.
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
    """The rules of one kind of label. Every refusal is a `BadPayload`."""

    def validate_draft(self, content: str) -> None:
        """Refuse what cannot even be kept: unprintable characters, other shapes than the kind's, too much."""

    def validate(self, content: str, width: int, height: int) -> None:
        """Refuse what cannot be handed in for an image of this size (full resolution)."""

    def canonical(self, content: str) -> str:
        """The one spelling of this content: equal labels are equal strings. Takes what `validate` takes."""

    def keys(self, content: str) -> list[tuple[FieldKind, str]]:
        """The fields of one label, in order: what its origins stand beside."""

    def pair(self, first: str, second: str, limits: AgreementThresholds = ...) -> list[FieldPair]:
        """Two valid versions, field by field."""

    def check_value(self, pair: FieldPair, value: str | None, width: int, height: int) -> str | None:
        """The canonical form of a value written for one field."""

    def moot(self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
        """Open fields that no longer matter after what is settled."""

    def assemble(self, settled: Sequence[SettledField]) -> AssembledLabel:
        """The label from all its settled fields, given in the order `pair` gave them."""

    def released_text(self, content: str) -> str:
        """What a release hands down: Markdown, or HTML of a table."""


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

    def moot(self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
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

    def moot(self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
        return table_fields.moot_table_fields(settled, still_open)

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

    def moot(self, settled: Sequence[SettledField], still_open: Sequence[FieldPair]) -> list[FieldPair]:
        return formula_fields.moot_formula_fields(settled, still_open)

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
        raise UnknownStructure(f"{structure!r} is no structure; there are {known}") from None
