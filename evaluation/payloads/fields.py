"""Fields: the comparable parts of a label, whatever its structure. Two versions are compared field by field."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FieldKind(StrEnum):
    """The kind of part that a field is."""

    LINE = "line"  # one line of a text
    STRUCTURE = "structure"  # a table's rows, spans and header cells
    CELL = "cell"  # the text of one cell
    REGION = "region"  # the outline of a formula, or a whole formula that only one version has
    LATEX = "latex"  # the LaTeX of a formula that both versions have
    ORDER = "order"  # the reading order of the formulas
    MASK = "mask"  # an area that no one can read


@dataclass(frozen=True, slots=True)
class FieldPair:
    """One field in two versions; None: that version has no such field.

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
    """A field and the value that was settled for it; None: the field is left out."""

    pair: FieldPair
    value: str | None


@dataclass(frozen=True, slots=True)
class AssembledLabel:
    """A label assembled from settled fields. `sources` gives, for each field of the label in the order of `keys`, the
    index of the settled field that it comes from."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AgreementThresholds:
    """The least IoU (0..1) at which two outlines are one region, and at which they agree."""

    pair_iou: float = 0.5
    agree_iou: float = 0.9
