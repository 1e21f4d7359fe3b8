"""The text of one cell as OmniDocBench 1.6 compares it: symbols, dashes and maths marks unified."""

from __future__ import annotations

import re
import unicodedata

_WHITE = re.compile(r"\s+")
_LATEX_SYMBOLS = (
    ("\\checkmark", "√"),
    ("\\checked", "√"),
    ("\\surd", "√"),
    ("\\times", "×"),
    ("\\xmark", "×"),
    ("\\crossmark", "×"),
    ("\\pm", "±"),
    ("\\mp", "∓"),
    ("\\alpha", "α"),
    ("\\beta", "β"),
    ("\\gamma", "γ"),
    ("\\gama", "γ"),
    ("\\mu", "μ"),
    ("\\lambda", "λ"),
    ("\\theta", "θ"),
    ("\\eta", "η"),
    ("\\pi", "π"),
    ("\\rho", "ρ"),
    ("\\sigma", "σ"),
    ("\\omega", "ω"),
    ("\\delta", "δ"),
    ("\\Delta", "Δ"),
    ("\\epsilon", "ε"),
    ("\\varepsilon", "ε"),
    ("\\phi", "φ"),
    ("\\varphi", "φ"),
    ("\\tau", "τ"),
    ("\\partial", "∂"),
    ("\\varnothing", "∅"),
    ("\\emptyset", "∅"),
    ("\\sim", "～"),
)
"""Replaced in this order without word boundaries: `\\pmod` becomes `±od`, as in the original."""

_LOOK_ALIKES = str.maketrans(
    {
        **dict.fromkeys("✓✔☑✅🗸", "√"),
        **dict.fromkeys("✗✘✕✖☒❌╳⨯", "×"),
        "Ø": "∅",
        "∼": "～",
        "〜": "～",
    }
)
_ESCAPES = (("\\%", "%"), ("\\#", "#"), ("\\&", "&"), ("\\_", "_"))
_DASHES = frozenset("-–−－—")
_WRAPPERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_LONGEST_UNWRAPPED = 128


def normalise_cell_text(text: str) -> str:
    r"""One text node of a cell as generation 1.6 compares it.

    >>> normalise_cell_text(r"$\pm$"), normalise_cell_text(" – ")
    ('±', '—')
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("\u200b", "").translate(_LOOK_ALIKES)
    if "\\" in text or "$" in text:
        text = _unify_symbols(_unwrap_formula(_unify_symbols(text)))
    text = text.strip()
    if text in _DASHES:
        text = "—"
    return _WHITE.sub(" ", text).strip()


def _unify_symbols(text: str) -> str:
    if "\\" in text:
        for name, symbol in _LATEX_SYMBOLS:
            text = text.replace(name, symbol)
    text = text.translate(_LOOK_ALIKES)
    for escaped, plain in _ESCAPES:
        text = text.replace(escaped, plain)
    return text


def _unwrap_formula(text: str) -> str:
    """Remove outer maths delimiters, repeatedly, while the content is short and has no tags or dollars."""
    text = text.strip()
    while True:
        inside = next(filter(None, (_between(text, *pair) for pair in _WRAPPERS)), None)
        if inside is None:
            return text
        text = inside


def _between(text: str, opening: str, closing: str) -> str | None:
    if not (text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening + closing)):
        return None
    inside = text[len(opening) : len(text) - len(closing)].strip()
    if not inside or len(inside) > _LONGEST_UNWRAPPED or any(mark in inside for mark in "<>$"):
        return None
    return inside
