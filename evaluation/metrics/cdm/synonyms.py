"""Tokens that print the same mark, folded before comparison (CDM paper, section 3.3).

The lists are those of the reference program, so that presets agree with it; docs/metrics/cdm.md names what it lacks.
"""

from __future__ import annotations

from functools import lru_cache

_SAME_MARK = {
    ".": (r"\dot", r"\Dot", r"\cdot", r"\cdotp", r"\ldotp"),
    "|": (r"\mid", r"\vert", r"\lvert", r"\rvert"),
    r"\|": (r"\Vert", r"\lVert", r"\rVert", r"\parallel"),
    r"\to": (r"\rightarrow",),
    "T": (r"\top",),
    r"\tilde": (r"\Tilde",),
    r"\ddot": (r"\Ddot",),
    r"\bar": (r"\Bar",),
    r"\vec": (r"\Vec",),
    "'": (r"\prime",),
    "*": (r"\ast",),
    r"\langle": (r"\left<",),
    r"\rangle": (r"\right>",),
    r"\{": (r"\lbrace",),
    r"\}": (r"\rbrace",),
    "[": (r"\lbrack",),
    "]": (r"\rbrack",),
    "/": (r"\slash", r"\blackslash"),
    r"\le": (r"\leq",),
    r"\ge": (r"\geq",),
    r"\not=": (r"\neq",),
    ":": (r"\colon",),
    r"\dagger": (r"\dag",),
    r"\ddagger": (r"\ddag",),
    "<": (r"\textlangle", r"\textless"),
    ">": (r"\textrangle", r"\textgreater"),
    "n": (r"\textbackslash",),
    "_": (r"\textunderscore", r"\="),
    r"\lnot": (r"\neg",),
}
_FOLD = {name: mark for mark, names in _SAME_MARK.items() for name in names}
_ARROW_LIKE = ("arrow", "<", ">", "harpoon")


@lru_cache(maxsize=8192)
def fold_synonym(token: str) -> str:
    r"""The mark a token stands for: `\left(` gives `(`, `\leq` gives `\le`, `\varphi` gives `\phi`."""
    if token.startswith((r"\left", r"\right")) and not any(part in token for part in _ARROW_LIKE):
        token = token.replace(r"\left", "").replace(r"\right", "")
    if token.startswith((r"\big", r"\Big")):
        token = "\\" + token[4:].split("\\")[-1] if "\\" in token[4:] else token[-1]
    token = _FOLD.get(token, token)
    for prefix in ("wide", "var"):
        if token.startswith("\\" + prefix):
            return token.replace(prefix, "")
    return token.replace(r"\string", "") if token.startswith(r"\string") else token
