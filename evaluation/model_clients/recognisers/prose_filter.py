"""Which lines of a page of formulas are words of a language: headings, questions, remarks between the formulas.

The rule, whole: a line is prose when no sign in it calculates or compares, and words make up at least half of its
characters, blanks aside. Words are runs of three letters or more that name no function, and Han characters where the
line has two or more. Digits alone save no line (“2) The sum of the first n squares” is prose), nor does a hyphen
between letters.
"""

from __future__ import annotations

import re

_SIGNS = re.compile(
    r"[=＝<>＜＞≤≥≠≈≡±∓+＋×÷*√∑∏∫∂∇∞^_→⇒∈∠△½¼¾⅓⅔⁰¹²³⁴-⁾ⁿⁱ₀-₎ₐₑₒₓₙₘ\\]"
    r"|[\d)]\s*[/／]|[/／]\s*[\d(]"  # a fraction on one line, not “and/or”
    r"|[\d)]\s*[-−–]\s*[\w(]|(?<!\w)\w\s*[-−–]\s*\w(?!\w)"  # a minus, not a hyphen or a bullet
)
_FUNCTIONS = (
    "arc|sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|log|exp|lim|max|min|sup|inf|mod|gcd|lcm|det|dim|ker|arg|deg"
)
_FUNCTION = re.compile(rf"(?:{_FUNCTIONS})+[a-z]{{0,2}}", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_㐀-鿿豈-﫿]{3,}")
_HAN = re.compile(r"[㐀-鿿豈-﫿]")


def is_prose(line: str) -> bool:
    """Whether a line, as a recogniser of text wrote it, is words and no formula.

    >>> is_prose("2) The sum of the first n squares"), is_prose("三、同角的正弦与余弦")
    (True, True)
    >>> is_prose("speed = way / time"), is_prose("sin 2x"), is_prose("12 cm"), is_prose("ab")
    (False, False, False, False)
    """
    if _SIGNS.search(line):
        return False
    words = sum(len(run) for run in _LETTERS.findall(line) if not _FUNCTION.fullmatch(run))
    han = len(_HAN.findall(line))
    written = len("".join(line.split()))
    return 2 * (words + (han if han > 1 else 0)) >= written > 0
