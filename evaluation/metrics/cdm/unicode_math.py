r"""Unicode signs as LaTeX commands, so that `α ≤ β` and `\alpha \leq \beta` are the same marks (`inkbench-1`).

pdfLaTeX draws none of these characters, so the reference does not count them. Sources: the Unicode names, and the
commands that LaTeX and amssymb document for the same sign.
"""

from __future__ import annotations

import re
import unicodedata

_GREEK = (
    "αalpha βbeta γgamma δdelta εvarepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma"
    " ςvarsigma τtau υupsilon φvarphi χchi ψpsi ωomega ϵepsilon ϑtheta ϕphi ϖvarpi ϱvarrho ΓGamma ΔDelta ΘTheta"
    " ΛLambda ΞXi ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega"
)
_SIGNS = (
    "×times ÷div ±pm ∓mp ·cdot ⋅cdot ∙bullet •bullet ∗ast ∘circ ⊕oplus ⊖ominus ⊗otimes ⊙odot ∩cap ∪cup ∧wedge ∨vee"
    " ∖setminus ≤leq ≥geq ≦leqq ≧geqq ⩽leqslant ⩾geqslant ≠neq ≈approx ≡equiv ∼sim ≃simeq ≅cong ∝propto ≪ll ≫gg"
    " ⊂subset ⊃supset ⊆subseteq ⊇supseteq ∈in ∉notin ∋ni ⊥perp ∥parallel ∣mid ⊢vdash ⊨models →rightarrow"
    " ←leftarrow ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↑uparrow ↓downarrow ↦mapsto ⟶longrightarrow"
    " ⟹Longrightarrow ⟺Longleftrightarrow ⇌rightleftharpoons ∀forall ∃exists ∄nexists ∅emptyset ∞infty ∂partial"
    " ∇nabla ∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint √sqrt ∠angle △triangle □square ◇diamond ⋆star ★bigstar"
    " ¬neg ∴therefore ∵because ⟨langle ⟩rangle 〈langle 〉rangle ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ‖| ℏhbar ℓell ℜRe ℑIm"
    " ℵaleph ℘wp …ldots ⋯cdots ⋮vdots ⋱ddots †dagger ‡ddagger ′prime ⊤top ⊥bot ≺prec ≻succ ≲lesssim ≳gtrsim ≜triangleq"
)
_PLAIN = {
    "−": "-",
    "–": "-",
    "—": "-",
    "（": "(",
    "）": ")",
    "［": "[",
    "］": "]",
    "＋": "+",
    "－": "-",
    "＝": "=",
    "＜": "<",
    "＞": ">",
    "／": "/",
    "｜": "|",
    "，": ",",
    "：": ":",
    "；": ";",
    "．": ".",
    "！": "!",
    "＊": "*",
    "∶": ":",
    "\u00a0": " ",
    "\u3000": " ",
    "\u2009": " ",
    "\u200a": " ",
    "\u202f": " ",
    "°": r"^{\circ}",
    "″": r"^{\prime\prime}",
    "½": r"\frac{1}{2}",
    "⅓": r"\frac{1}{3}",
    "¼": r"\frac{1}{4}",
    "¾": r"\frac{3}{4}",
    "ℝ": r"\mathbb{R}",
    "ℂ": r"\mathbb{C}",
    "ℕ": r"\mathbb{N}",
    "ℤ": r"\mathbb{Z}",
    "ℚ": r"\mathbb{Q}",
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓᵢⱼₙₘ", "0123456789+-=()aeoxijnm", strict=True))
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u202a-\u202e\u2066-\u2069]")
_SCRIPT_RUNS = (
    ("^", _RAISED, re.compile(f"[{''.join(_RAISED)}]+")),
    ("_", _LOWERED, re.compile(f"[{''.join(_LOWERED)}]+")),
)


def _commands() -> dict[str, str]:
    return {word[0]: f"\\{word[1:]} " for word in f"{_GREEK} {_SIGNS}".split()}


_REPLACEMENTS = str.maketrans({**_commands(), **_PLAIN})


def unicode_to_latex(latex: str) -> str:
    """The same formula in ASCII as far as there are commands for it; other characters stay."""
    if latex.isascii():
        return latex
    latex = _INVISIBLE.sub("", latex)
    for sign, table, run in _SCRIPT_RUNS:
        latex = run.sub(lambda match, s=sign, t=table: f"{s}{{{''.join(t[c] for c in match[0])}}}", latex)  # type: ignore[misc]
    latex = latex.translate(_REPLACEMENTS)
    return "".join(_plain_letter(char) for char in latex)


def _plain_letter(char: str) -> str:
    """Mathematical alphabets and full-width forms as plain letters."""
    if char.isascii() or not ("\U0001d400" <= char <= "\U0001d7ff" or "！" <= char <= "～"):
        return char
    return unicodedata.normalize("NFKC", char).translate(_REPLACEMENTS)
