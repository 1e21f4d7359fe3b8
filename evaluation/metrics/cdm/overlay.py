"""An SVG of both formulas with the box and the status of every token; without styles and scripts.

Statuses differ by colour and by line (solid, dashed, dotted), so that they can be distinguished without colour. Pass
`labels` to translate the texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from xml.sax.saxutils import escape, quoteattr

from .boxes import Drawing, InkBox
from .comparison import FormulaComparison


class TokenStatus(StrEnum):
    """Whether a token was matched."""

    MATCHED = "matched"
    WRONG = "wrong"  # assigned to a different mark
    MOVED = "moved"  # the right mark, out of position
    MISSED = "missed"  # in the reference only
    EXTRA = "extra"  # in the prediction only


_LOOK = {  # stroke, fill, dashes
    TokenStatus.MATCHED: ("#1a7f37", "#dafbe1", ""),
    TokenStatus.WRONG: ("#cf222e", "#ffebe9", "2 2"),
    TokenStatus.MOVED: ("#9a6700", "#fff8c5", "6 3"),
    TokenStatus.MISSED: ("#0550ae", "#ddf4ff", "1 3"),
    TokenStatus.EXTRA: ("#8250df", "#fbefff", "1 3"),
}
_LABELS = {
    "reference": "Reference",
    "prediction": "Prediction",
    "nothing": "nothing to draw",
    TokenStatus.MATCHED: "matched",
    TokenStatus.WRONG: "different mark",
    TokenStatus.MOVED: "out of position",
    TokenStatus.MISSED: "missed",
    TokenStatus.EXTRA: "extra",
}
_GAP, _HEAD, _LINE = 16.0, 20.0, 18.0


def token_statuses(comparison: FormulaComparison) -> tuple[list[TokenStatus], list[TokenStatus]]:
    """The status of every box of the reference and of the prediction."""
    left = [TokenStatus.MISSED] * len(comparison.reference.drawing.boxes)
    right = [TokenStatus.EXTRA] * len(comparison.prediction.drawing.boxes)
    if comparison.matched is not None:
        for pair in comparison.matched.pairs:
            fate = (
                TokenStatus.WRONG
                if pair.token_cost >= 1
                else TokenStatus.MATCHED
                if pair.counts
                else TokenStatus.MOVED
            )
            left[pair.reference] = right[pair.prediction] = fate
    return left, right


def overlay_svg(comparison: FormulaComparison, *, labels: Mapping[str, str] | None = None) -> str:
    """An SVG document: the reference above, the prediction below, and a legend of the statuses that occur."""
    texts = {**_LABELS, **(labels or {})}
    left, right = token_statuses(comparison)
    sides = (("reference", comparison.reference, left), ("prediction", comparison.prediction, right))
    parts: list[str] = []
    y = 0.0
    for name, layout, states in sides:
        title = texts[name]
        if not layout.drawing.boxes:
            title += f": {layout.reason or texts['nothing']}"
        parts.append(_text(4, y + 14, title, 12, "#24292f"))
        y += _HEAD
        parts.append(f'<g transform="translate(0 {y:.1f})" data-side="{name}">')
        parts += [_box(box, status, texts) for box, status in zip(layout.drawing.boxes, states, strict=True)]
        parts.append("</g>")
        y += max(layout.drawing.height, _LINE) + _GAP
    used = [status for status in TokenStatus if status in left or status in right]
    parts += [_legend(index, status, texts[status], y) for index, status in enumerate(used)]
    width = max(
        _width(comparison.reference.drawing), _width(comparison.prediction.drawing), 130.0 * len(used)
    )
    height = y + (_LINE if used else 0)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label={quoteattr(texts["reference"] + ", " + texts["prediction"])}>'
    )
    return head + "".join(parts) + "</svg>"


def _width(drawing: Drawing) -> float:
    return max(drawing.width, 200.0)


def _box(box: InkBox, fate: TokenStatus, words: Mapping[str, str]) -> str:
    stroke, fill, dashes = _LOOK[fate]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    width, height = box.x1 - box.x0, box.y1 - box.y0
    mark = _shown(box.token)
    size = max(6.0, min(height * 0.9, 1.5 * width / max(len(mark), 1), 26.0))
    middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + size * 0.35
    return (
        f'<g data-fate="{fate}"><title>{_clean(box.token)}: {escape(words[fate])}</title>'
        f'<rect x="{box.x0:.1f}" y="{box.y0:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
        f'fill-opacity="0.6" stroke="{stroke}"{dash}/>'
        f'<text x="{middle[0]:.1f}" y="{middle[1]:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'font-family="serif" fill="{stroke}">{_clean(mark)}</text></g>'
    )


def _legend(index: int, status: TokenStatus, label: str, y: float) -> str:
    stroke, fill, dashes = _LOOK[status]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    x = 4 + 130 * index
    return (
        f'<rect x="{x}" y="{y:.1f}" width="12" height="12" fill="{fill}" stroke="{stroke}"{dash}/>'
        + _text(x + 18, y + 10, label, 11, "#24292f")
    )


def _text(x: float, y: float, text: str, size: int, color: str) -> str:
    look = f'font-size="{size}" font-family="sans-serif" fill="{color}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{_clean(text)}</text>'


def _shown(token: str) -> str:
    """The text in a token's box; empty for marks around other tokens, which only have a title."""
    if token in ("\\sqrt", "\\frac"):
        return ""
    return token if len(token) <= 12 else token[:11] + "…"


def _clean(text: str) -> str:
    """Escaped, without the characters that XML forbids."""
    allowed = (
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "�"
        for c in text
    )
    return escape("".join(allowed))
