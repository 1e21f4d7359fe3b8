"""The eight styles of a formula (TeXbook, p. 140-141): 0 display, 2 text, 4 script, 6 scriptscript; odd: cramped.

Each table gives, by style, the size of its fonts, or the style of a part (TeX: The Program, § 702).
"""

from __future__ import annotations

SIZE_OF = (0, 0, 0, 0, 1, 1, 2, 2)
SUPERSCRIPT = tuple(2 * (s // 4) + 4 + s % 2 for s in range(8))
SUBSCRIPT = tuple(2 * (s // 4) + 5 for s in range(8))
NUMERATOR = tuple(s + 2 - 2 * (s // 6) for s in range(8))
DENOMINATOR = tuple(2 * (s // 2) + 3 - 2 * (s // 6) for s in range(8))
CRAMPED = tuple(2 * (s // 2) + 1 for s in range(8))
