"""Comparison keys of blocks for matching; scoring uses its own normalisers."""

from __future__ import annotations

import re

from evaluation.metrics.normalise import get_preset

_TEXT_PRESET = get_preset("omnidocbench-1.5")

_IN_BRACKETS = re.compile(r"\\\[(.+?)(?<!\\)\\\]", re.DOTALL)
_DROPPED_GROUPS = re.compile(r"\\(?:tag|hspace|begin|end)\{.*?\}|\\arraycolsep.*?\}", re.DOTALL)
_DROPPED_COMMANDS = (
    *("mathbfcal", "mathbf", "mathrm", "mathnormal", "mathit", "mathbb", "mathcal", "mathscr", "mathfrak"),
    *(
        "mathsf",
        "mathtt",
        "textbf",
        "text",
        "boldmath",
        "boldsymbol",
        "operatorname",
        "bm",
        "symbfit",
        "symbf",
    ),
    *("scriptscriptstyle", "displaystyle", "notag", "setlength", "coloneqq", "left", "right"),
    *("negmedspace", "nobreakspace", "thickspace", "thinspace", "medspace", "space", "enspace"),
    *("qquad", "quad"),
)
"""Longer names before their prefixes."""

_DROPPED = re.compile("|".join([*(f"\\\\{name}" for name in _DROPPED_COMMANDS), " ", r"\$\$"]))
_ONE_COLUMN = re.compile(
    r"\\begin\{array\}\{(?:\s|\||[@!]\{[^}]*\})*[lcr](?:\s|\||[@!]\{[^}]*\})*\}(.*?)\\end\{array\}", re.DOTALL
)
_ROW_END = re.compile(r"\\\\")


def text_key(text: str, *, is_prediction: bool) -> str:
    """The key of a text: normalised as by OmniDocBench 1.5; "" excludes the block from matching.

    >>> text_key("So, x = 1.", is_prediction=True), text_key("---", is_prediction=True)
    ('Sox1', '')
    """
    for step in _TEXT_PRESET.steps_for(is_prediction=is_prediction):
        text = step.apply(text)
    return text


def formula_key(formula: str) -> str:
    r"""The key of a formula: without delimiters, fonts, spacing, size and environment commands, in lower case.

    >>> formula_key(r"\[ \mathbf{X} = \left( 1 \right) \tag{3} \]")
    '{x}=(1)'
    """
    text = formula.strip().strip("$").strip("\n")
    inside = _IN_BRACKETS.search(text)
    if inside:
        text = inside.group(1).strip()
    text = _DROPPED_GROUPS.sub("", text).strip(".")
    return _DROPPED.sub("", text).lower()


def split_rows(formula: str) -> list[str]:
    r"""The rows of a formula that is one single-column array; otherwise the formula itself.

    >>> split_rows(r"\[\begin{array}{l} a \\ b \end{array}\]")
    ['\\[a\\]', '\\[b\\]']
    """
    array = _ONE_COLUMN.search(formula)
    if not array:
        return [formula]
    rows = [row.strip() for row in _ROW_END.split(array.group(1)) if row.strip()]
    return [f"\\[{row}\\]" for row in rows] or [formula]


def join_formulas(formulas: list[str]) -> str:
    r"""Several formulas as one array with a row each; a single formula unchanged.

    >>> join_formulas([r"\[a\]", "$$b$$"])
    '\\begin{array}{l} {a} \\\\ {b} \\end{array}'
    """
    if len(formulas) == 1:
        return formulas[0]
    rows = " \\\\ ".join(f"{{{_bare(formula)}}}" for formula in formulas)
    return f"\\begin{{array}}{{l}} {rows} \\end{{array}}"


def _bare(formula: str) -> str:
    text = formula.strip().strip("$").strip()
    return text.removeprefix("\\[").removesuffix("\\]").strip()
