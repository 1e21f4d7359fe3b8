"""Fields: what two versions of a label are held against each other by, whatever its structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class FieldKind(StrEnum):
    """What a field is a piece of."""

    LINE = "line"  # one line of a text
    STRUCTURE = "structure"  # a table's rows, spans and header cells
    CELL = "cell"  # the text of one cell
    REGION = "region"  # the outline of a formula, or a whole formula that only one version has
    LATEX = "latex"  # the LaTeX of a formula that both versions have
    ORDER = "order"  # the order formulas are read in
    MASK = "mask"  # an area that nobody can read


@dataclass(frozen=True, slots=True)
class FieldPair:
    """One field of two versions. None: that version has no such field.

    `key` names the field within its kind. Equal fields need not be equal strings: two outlines agree when they
    overlap enough.
    """

    kind: FieldKind
    key: str
    first: str | None
    second: str | None
    is_equal: bool


@dataclass(frozen=True, slots=True)
class SettledField:
    """A field and what was agreed for it; None: it is left out."""

    pair: FieldPair
    value: str | None


@dataclass(frozen=True, slots=True)
class AssembledLabel:
    """A label rebuilt from its fields. `sources` says, for each field of the label in the order the payload lists
    them (`keys`), the position of the settled field it comes from."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AgreementThresholds:
    """Overlap (intersection over union, 0..1) from which two outlines are one region, and from which they agree."""

    pair_iou: float = 0.5
    agree_iou: float = 0.9


def agree(pairs: Sequence[FieldPair]) -> list[SettledField]:
    """The fields that both versions have alike, settled as the first version has them."""
    return [SettledField(pair, pair.first) for pair in pairs if pair.is_equal]
