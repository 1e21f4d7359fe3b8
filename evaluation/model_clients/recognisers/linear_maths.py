"""Converts mathematics that a text recogniser wrote as one line into rough LaTeX.

Superscripts, subscripts, symbols and Greek letters become commands. The layout of fractions, and of roots over more
than one group, was lost in recognition and cannot be restored.
"""

from __future__ import annotations

import re

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘ", "0123456789+-=()aeoxnm")
_SIGNS = {
    "×": r"\times", "÷": r"\div", "±": r"\pm", "∓": r"\mp", "·": r"\cdot", "≤": r"\le", "≥": r"\ge", "≠": r"\neq",
    "≈": r"\approx", "≡": r"\equiv", "∞": r"\infty", "∑": r"\sum", "Σ": r"\Sigma", "∏": r"\prod", "∫": r"\int",
    "∂": r"\partial", "∇": r"\nabla", "→": r"\to", "⇒": r"\Rightarrow", "∈": r"\in", "∠": r"\angle", "△": r"\triangle",
    "°": r"^{\circ}", "π": r"\pi", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "Δ": r"\Delta",
    "ε": r"\varepsilon", "θ": r"\theta", "λ": r"\lambda", "μ": r"\mu", "σ": r"\sigma", "φ": r"\varphi", "ω": r"\omega",
    "Ω": r"\Omega", "ρ": r"\rho", "τ": r"\tau",
    "，": ",", "（": "(", "）": ")", "＝": "=", "＋": "+", "−": "-", "–": "-",
}  # fmt: skip
_FRACTION = {
    "½": r"\frac{1}{2}",
    "¼": r"\frac{1}{4}",
    "¾": r"\frac{3}{4}",
    "⅓": r"\frac{1}{3}",
    "⅔": r"\frac{2}{3}",
}
_SPECIAL = re.compile(r"(?<!\\)([%#&$])")


def line_to_latex(line: str) -> str:
    """LaTeX for one line of recognised text.

    >>> line_to_latex("x² ± √(b−1) ≤ ½π")
    'x^{2} \\\\pm \\\\sqrt{b-1} \\\\le \\\\frac{1}{2}\\\\pi'
    """
    text = line.replace("\\", " ").replace("{", r"\{").replace("}", r"\}")
    text = _SPECIAL.sub(r"\\\1", text)
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+", lambda match: "^{" + match[0].translate(_SUPERSCRIPTS) + "}", text)
    text = re.sub(
        "[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘ]+", lambda match: "_{" + match[0].translate(_SUBSCRIPTS) + "}", text
    )
    text = re.sub(r"√\s*[(（]([^()（）]*)[)）]", r"\\sqrt{\1}", text)
    text = re.sub(r"√\s*(\w+(?:\^\{\w+\})?)", r"\\sqrt{\1}", text).replace("√", r"\sqrt{}")
    for sign, latex in (_FRACTION | _SIGNS).items():
        text = re.sub(re.escape(sign) + r"(?=[A-Za-z])", lambda _, latex=latex: f"{latex} ", text)  # type: ignore[misc]
        text = text.replace(sign, latex)
    return " ".join(text.split())
