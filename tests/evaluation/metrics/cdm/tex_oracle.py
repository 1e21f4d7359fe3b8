"""Sizes of formulas as a real TeX sets them: many formulas in one run of pdflatex."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_HEAD = r"""\documentclass[12pt]{article}
\usepackage{booktabs,amsmath,upgreek,amssymb,xcolor}
\begin{document}
\makeatletter\everydisplay\expandafter{\the\everydisplay\@displaytrue}\@displaytrue
\def\measure#1{\setbox0\hbox{$\displaystyle #1$}\typeout{SIZE \the\wd0 \the\ht0 \the\dp0}}
"""
_SIZE = re.compile(r"^SIZE (-?[\d.]+)pt(-?[\d.]+)pt(-?[\d.]+)pt", re.MULTILINE)


def measure(formulas: list[str], folder: Path) -> list[tuple[float, float, float]]:
    """Width, height and depth in points of every formula, set in display style."""
    body = "".join(rf"\measure{{{formula}}}" + "\n" for formula in formulas)
    (folder / "sizes.tex").write_text(_HEAD + body + r"\end{document}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "sizes.tex"]
    process = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120
    )
    match = [tuple(map(float, size.groups())) for size in _SIZE.finditer(process.stdout)]
    if len(match) != len(formulas):
        raise AssertionError(f"TeX measured {len(match)} of {len(formulas)} formulas")
    return [(width, height, depth) for width, height, depth in match]
