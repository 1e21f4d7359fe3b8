r"""Removal of what surrounds a formula, by preset.

`unwrap_reference` does what OmniDocBench does. `unwrap_tolerantly` (`inkbench-1`) judges a formula by its marks, not by
the fence, sentence or environment around it. docs/metrics/cdm.md lists every step with its test.
"""

from __future__ import annotations

import re

from .unicode_math import unicode_to_latex

_FENCE = re.compile(
    r"```[ \t]*(?:latex|tex|math|katex|markdown|md)?[ \t]*\n?(.*?)(?:```|$)", re.DOTALL | re.IGNORECASE
)
_DISPLAY = re.compile(
    r"\$\$(?P<a>.+?)\$\$|\\\[(?P<b>.+?)\\\]|\\\((?P<c>.+?)\\\)|(?<![\\$])\$(?P<d>[^$]+?)(?<!\\)\$(?!\$)",
    re.DOTALL,
)
_ROW_GAP = re.compile(r"(\\\\)\s*\[[^\[\]]*\]$")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TAGS = re.compile(r"\\(?:notag|nonumber)(?![A-Za-z])|\\label\s*\{[^{}]*\}")
_RULES = re.compile(
    r"\\hline(?![A-Za-z])|\\(?:cline|cmidrule)\s*(?:\([^()]*\))?\s*\{[^{}]*\}|\\(?:top|mid|bottom)rule(?![A-Za-z])"
)
_COLORS = re.compile(r"\\color\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}|\\textcolor\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}")
_ENVIRONMENT_NAMES = {
    "gather": "array",
    "gather*": "array",
    "gathered": "array",
    "multline": "array",
    "multline*": "array",
    "flalign": "aligned",
    "flalign*": "aligned",
    "xalignat": "aligned",
    "dcases": "cases",
    "rcases": "cases",
    "numcases": "cases",
}
_NO_ENVIRONMENT = ("equation", "equation*", "displaymath", "math", "center", "document", "subequations")
_SAME_SHAPE = {  # commands whose argument the reference loses, and replacements that it keeps
    r"\cfrac": r"\frac",
    r"\mathsf": r"\mathrm",
    r"\mathit": r"\mathrm",
    r"\mathtt": r"\mathrm",
    r"\mathscr": r"\mathcal",
    r"\mathnormal": r"\mathrm",
    r"\mathds": r"\mathbb",
    r"\bm": r"\boldsymbol",
    r"\textsl": r"\textrm",
    r"\boxed": "",
    r"\fbox": r"\text",
}
_SAME_SHAPES = re.compile(r"\\(?:" + "|".join(name[1:] for name in _SAME_SHAPE) + r")(?![A-Za-z])")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{\s*([A-Za-z]+\*?)\s*\}")


def unwrap_reference(latex: str, *, is_prediction: bool) -> str:
    r"""Remove a ```latex fence (predictions only), outer delimiters, tags and numbering, as OmniDocBench 1.6."""
    if is_prediction and "```latex" in latex:
        latex = latex.split("```latex")[-1].split("```")[0]
    latex = latex.strip().strip("$").strip()
    for opening, closing in ((r"\[", r"\]"), (r"\(", r"\)")):
        if latex.startswith(opening) and latex.endswith(closing):
            latex = latex[2:-2].strip()
    return _without_tags(latex).strip()


def unwrap_tolerantly(latex: str) -> str:
    """The formula without fences, prose, delimiters and tags (`inkbench-1`)."""
    if "```" in latex:
        match = _FENCE.search(latex)
        if match and match[1].strip():
            latex = match[1]
    latex = _displays(latex.strip())
    latex = _COLORS.sub("", _RULES.sub("", _without_tags(latex)))
    latex = _SAME_SHAPES.sub(lambda match: _SAME_SHAPE[match[0]], latex)
    return unicode_to_latex(_environments(latex)).strip()


def _displays(latex: str) -> str:
    """Remove delimiters and the prose around them; several formulas become rows."""
    if "$" not in latex and r"\[" not in latex and r"\(" not in latex:
        return latex
    bodies, between, position = [], [], 0
    for match in _DISPLAY.finditer(latex):
        if match.group("b") is not None and _ROW_GAP.search(latex[: match.start() + 1]):
            continue
        between.append(latex[position : match.start()])
        bodies.append(next(body for body in match.groups() if body is not None).strip())
        position = match.end()
    between.append(latex[position:])
    if not bodies:
        return latex
    if any(_holds_math(text) for text in between):
        return latex.replace("$", " ")
    if len(bodies) == 1:
        return bodies[0]
    return r"\begin{array}{c}" + r"\\".join(bodies) + r"\end{array}"


def _holds_math(text: str) -> bool:
    """Whether text outside the delimiters belongs to the formula: signs or commands, but no sentence."""
    bare = re.sub(r"[\s.,;:!?，。；：、\-]", "", text)
    if not bare:
        return False
    return "\\" in text or not (_WORD.search(text) or not text.isascii())


def _without_tags(latex: str) -> str:
    r"""Without \tag{...} (braces may nest), \notag, \nonumber and \label."""
    while (start := latex.find(r"\tag")) >= 0:
        position = start + 4
        if latex[position : position + 1] == "*":
            position += 1
        if latex[position : position + 1].isalpha():
            return latex[:position] + _without_tags(latex[position:])
        while latex[position : position + 1].isspace():
            position += 1
        end = _group_end(latex, position)
        latex = latex[:start] + latex[end:]
    return _TAGS.sub("", latex)


def _group_end(latex: str, position: int) -> int:
    if latex[position : position + 1] != "{":
        return position
    depth = 0
    for end in range(position, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        if depth == 0:
            return end + 1
    return len(latex)


def _environments(latex: str) -> str:
    """Environments the grammar lacks, as the ones it has."""
    if r"\begin" not in latex and r"\end" not in latex:
        return latex

    def rename(match: re.Match[str]) -> str:
        side, name = match[1], match[2]
        if name in _NO_ENVIRONMENT:
            return ""
        known = _ENVIRONMENT_NAMES.get(name)
        if known == "array" and side == "begin":
            return r"\begin{array}{c}"
        return rf"\{side}{{{known or name}}}"

    return _ENVIRONMENT.sub(rename, latex)
