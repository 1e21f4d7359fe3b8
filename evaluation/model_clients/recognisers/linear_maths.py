"""Mathematics as a text recogniser writes it, on one line, turned into rough LaTeX.

Raised and lowered characters, signs and Greek letters get their commands; what stood above or below a bar, or under a
root beyond one group, was lost when the line was read and does not come back.
"""

from __future__ import annotations

import re

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘ", "0123456789+-=()aeoxnm")
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


def latex_of_line(line: str) -> str:
    """LaTeX for one line of read text.

    >>> latex_of_line("x² ± √(b−1) ≤ ½π")
    'x^{2} \\\\pm \\\\sqrt{b-1} \\\\le \\\\frac{1}{2}\\\\pi'
    """
    text = line.replace("\\", " ").replace("{", r"\{").replace("}", r"\}")
    text = _SPECIAL.sub(r"\\\1", text)
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+", lambda found: "^{" + found[0].translate(_RAISED) + "}", text)
    text = re.sub("[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘ]+", lambda found: "_{" + found[0].translate(_LOWERED) + "}", text)
    text = re.sub(r"√\s*[(（]([^()（）]*)[)）]", r"\\sqrt{\1}", text)
    text = re.sub(r"√\s*(\w+(?:\^\{\w+\})?)", r"\\sqrt{\1}", text).replace("√", r"\sqrt{}")
    for sign, latex in (_FRACTION | _SIGNS).items():
        text = re.sub(re.escape(sign) + r"(?=[A-Za-z])", lambda _, latex=latex: f"{latex} ", text)  # type: ignore[misc]
        text = text.replace(sign, latex)
    return " ".join(text.split())
