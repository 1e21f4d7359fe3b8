r"""Write the table of math symbols (name, class, font family, character) from LaTeX's own declarations.

Development only, on a Debian system with texlive-latex-base and texlive-fonts-recommended:
`python -m tools.build_formula_symbols`. The declarations read are `\DeclareMathSymbol`, `\DeclareMathDelimiter`
and `\DeclareMathAccent` of the LaTeX kernel, amsfonts, amssymb, amsmath and upgreek; the output holds names and
numbers alone.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

OUT = Path(__file__).parents[1] / "evaluation/metrics/cdm/data/symbols.json"
FILES = ("fontmath.ltx", "amsfonts.sty", "amssymb.sty", "amsmath.sty", "upgreek.sty")
FAMILIES = {"operators": 0, "letters": 1, "symbols": 2, "largesymbols": 3, "ugrf@m": 4, "AMSa": 5, "AMSb": 6}
CLASSES = ("ord", "op", "bin", "rel", "open", "close", "punct", "alpha")
NAME = r"\{?\s*(\\[A-Za-z@]+|\\.|.)\s*\}?"
SYMBOL = re.compile(
    rf"\\DeclareMathSymbol\s*{NAME}\s*\{{?\s*\\math(\w+)\s*\}}?\s*\{{([\w@]+)\}}\s*"
    r"\{?(`\\?.|\"[0-9A-Fa-f]+|'[0-7]+)\}?"
)
DELIMITER = re.compile(
    rf"\\DeclareMathDelimiter\s*{NAME}\s*(?:\{{\\math(\w+)\}}\s*)?\{{(\w+)\}}\s*\{{\"(\w+)\}}\s*"
    r"\{(\w+)\}\s*\{\"(\w+)\}"
)
AMS_DELIMITER = re.compile(r"\\def(\\\w+)\{\\delimiter\"(\w{7})\\?")
ACCENT = re.compile(r"\\DeclareMathAccent\{(\\\w+)\}\s*\{\\math(\w+)\}\{(\w+)\}\{\"?(\w+)\}")


def number(text: str) -> int:
    """A character code as TeX writes it: `a, "6A or '152."""
    if text[0] == "`":
        return ord(text[-1])
    return int(text[1:], 16 if text[0] == '"' else 8)


def main() -> None:
    """Read the declarations in loading order (later ones win) and write the tables."""
    symbols: dict[str, list[int]] = {}
    delimiters: dict[str, list[int]] = {}
    accents: dict[str, list[int]] = {}
    for name in FILES:
        path = subprocess.run(["kpsewhich", name], capture_output=True, text=True, check=True).stdout.strip()
        text = re.sub(r"(?<!\\)%.*", "", Path(path).read_text(encoding="latin-1"))
        if name == "upgreek.sty":
            text = text.split(r"\else")[0]
        for match in SYMBOL.finditer(text):
            if match[3] in FAMILIES and match[2] in CLASSES:
                symbols[match[1]] = [CLASSES.index(match[2]), FAMILIES[match[3]], number(match[4])]
        for match in DELIMITER.finditer(text):
            small = [FAMILIES[match[3]], int(match[4], 16)]
            delimiters[match[1]] = [*small, FAMILIES[match[5]], int(match[6], 16)]
            if match[2]:
                symbols.setdefault(match[1], [CLASSES.index(match[2]), *small])
        for match in ACCENT.finditer(text):
            code = int(match[4], 16)
            accents[match[1]] = [int(match[2] == "alpha"), FAMILIES[match[3]], code]
    tables = {"symbols": symbols, "delimiters": delimiters, "accents": accents}
    rows = ",\n".join(
        f'"{title}": {{\n'
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(table.items()))
        + "\n}"
        for title, table in tables.items()
    )
    OUT.write_text("{\n" + rows + "\n}\n", encoding="utf-8")
    print({title: len(table) for title, table in tables.items()}, "->", OUT)


if __name__ == "__main__":
    main()
