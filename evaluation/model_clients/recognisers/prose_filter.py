"""Which lines of a formula page are prose: headings, questions, remarks between the formulas.

The rule: a line is prose if it has no symbol of calculation or comparison and at least half of its characters, without
blanks, are in words. Words are runs of three letters or more that are not a function name, and Han characters if the
line has two or more. Digits alone do not make a line a formula (“2) The sum of the first n squares” is prose), and
neither does a hyphen between letters.
"""

from __future__ import annotations

import re

_SYMBOLS = re.compile(
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
    """Whether a line of recognised text is prose and not a formula.

    >>> is_prose("2) The sum of the first n squares"), is_prose("三、同角的正弦与余弦")
    (True, True)
    >>> is_prose("speed = way / time"), is_prose("sin 2x"), is_prose("12 cm"), is_prose("ab")
    (False, False, False, False)
    """
    if _SYMBOLS.search(line):
        return False
    words = sum(len(run) for run in _LETTERS.findall(line) if not _FUNCTION.fullmatch(run))
    han = len(_HAN.findall(line))
    length = len("".join(line.split()))
    return 2 * (words + (han if han > 1 else 0)) >= length > 0
