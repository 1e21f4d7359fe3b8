r"""All known names: symbols by family and code, macros, and commands."""

from __future__ import annotations

from functools import lru_cache

from . import (
    alignment,
    composite_symbols,
    environments,
    extensible_arrows,
    group_commands,
    primitives,
    spacing,
    text_and_frames,
)
from .fonts import symbol_tables
from .macros import definitions
from .state import Meaning

# The math symbols of keyboard characters (LaTeX's \DeclareMathSymbol list and plain TeX's mathcodes).
_KEYS = {"`": (0, 0, 0x60), "@": (7, 0, 0x40), '"': (0, 0, 0x22), ".": (7, 1, 0x3A)}
_SYNONYMS = {
    r"\@sum": r"\sum",
    r"\@prod": r"\prod",
    r"\@coprod": r"\coprod",
    r"\@bigcap": r"\bigcap",
    r"\@bigcup": r"\bigcup",
    r"\@bigsqcup": r"\bigsqcup",
    r"\@biguplus": r"\biguplus",
    r"\@bigodot": r"\bigodot",
    r"\@bigoplus": r"\bigoplus",
    r"\@bigotimes": r"\bigotimes",
    r"\@bigvee": r"\bigvee",
    r"\@bigwedge": r"\bigwedge",
    r"\dag": r"\dagger",
    r"\ddag": r"\ddagger",
    r"\Doteq": r"\doteqdot",
    r"\restriction": r"\upharpoonright",
    r"\doublecup": r"\Cup",
    r"\doublecap": r"\Cap",
    r"\llless": r"\lll",
    r"\gggtr": r"\ggg",
    r"\Box": r"\square",
    r"\Diamond": r"\lozenge",
    r"\leadsto": r"\rightsquigarrow",
    r"\upvarrho": r"\uprho",
    r"\upvarsigma": r"\upsigma",
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\dabar@": r"\dabar@",
}
_EXTRA_SYMBOLS = {
    r"\@surd": (1, 2, 0x70),
    r"\hbar": (0, 6, 0x7E),
    r"\angle": (0, 5, 0x5C),
    r"\rightleftharpoons": (3, 5, 0x0A),
    r"\@dashright": (0, 5, 0x4B),
    r"\@dashleft": (0, 5, 0x4C),
    r"\dabar@": (0, 5, 0x39),
    r"\@yen": (0, 5, 0x55),
    r"\@checkmark": (0, 5, 0x58),
    r"\@circledR": (0, 5, 0x72),
    r"\@maltese": (0, 5, 0x7A),
    r"\@pounds": (7, 0, 0x24),
    r"\@backquote": (0, 0, 0x60),
    r"\#": (0, 0, 0x23),
    r"\%": (0, 0, 0x25),
    r"\&": (0, 0, 0x26),
    r"\ulcorner": (4, 5, 0x70),
    r"\urcorner": (5, 5, 0x71),
    r"\llcorner": (4, 5, 0x78),
    r"\lrcorner": (5, 5, 0x79),
    r"\i": (0, 0, 0x10),
    r"\j": (0, 0, 0x11),
    r"\ss": (0, 0, 0x19),
    r"\ae": (0, 0, 0x1A),
    r"\oe": (0, 0, 0x1B),
    r"\o": (0, 0, 0x1C),
    r"\AE": (0, 0, 0x1D),
    r"\OE": (0, 0, 0x1E),
    r"\O": (0, 0, 0x1F),
}

GROUP_MAKERS = frozenset(
    primitives.MATH_FAMILIES
)  # commands that open a group before they take their argument


@lru_cache(maxsize=1)
def meanings() -> dict[str, Meaning]:
    """The meaning of every token known from TeX, LaTeX and amsmath."""
    table: dict[str, Meaning] = {name: tuple(row) for name, row in symbol_tables()["symbols"].items()}
    table.update(_KEYS)
    table.update(_EXTRA_SYMBOLS)
    for alias, name in _SYNONYMS.items():
        if name in table:
            table[alias] = table[name]
    table.update(definitions())
    table.update(dict.fromkeys(symbol_tables()["accents"], primitives.accent))
    for module in (
        primitives,
        group_commands,
        spacing,
        extensible_arrows,
        text_and_frames,
        composite_symbols,
        alignment,
        environments,
    ):
        table.update(module.HANDLERS)
    table[r"\Join"] = table[r"\bowtie"]
    return table
