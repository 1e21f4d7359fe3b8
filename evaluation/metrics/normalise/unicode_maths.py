"""LaTeX maths as Unicode text by pylatexenc, bounded and repeatable.

pylatexenc recurses; where it gives up depends on how deep the caller already is. A formula that is too deep
for the caller's stack is tried once more on a fresh stack, so that the answer depends on the formula alone.
"""

from __future__ import annotations

import logging
import re
import threading
from functools import lru_cache
from typing import Any

_CACHED = 4096
_FOREIGN_NAME = re.compile(r"\\(?=[^\W\d_]*[^\W\d_a-zA-Z])[^\W\d_]+")
_log = logging.getLogger("pylatexenc")


@lru_cache(maxsize=_CACHED)
def latex_to_unicode(formula: str) -> str | None:
    r"""Unicode text of a formula under pylatexenc 3.0a30, None where it cannot read it.

    >>> latex_to_unicode(r"\frac12 x^{2}"), latex_to_unicode(r"\unknown{x}")
    ('1/2 x^2', 'x')
    """
    if formula.endswith("\\"):
        formula += " "  # 3.0a30 never returns from a text that ends in a lone backslash
    try:
        return _convert(formula)
    except RecursionError:
        return _convert_on_fresh_stack(formula)
    except Exception:  # the reference keeps the source whatever goes wrong in the parser
        return None


def latex_to_unicode_as_2_10(formula: str) -> str | None:
    r"""The same as pylatexenc 2.10 answers, where the two differ in letters or digits.

    2.10 takes letters of every script into a macro's name; it prints the template of a `\frac` that lacks its
    arguments, and fails on a `\sqrt` without one.

    >>> latex_to_unicode_as_2_10(r"\m地t{x}"), latex_to_unicode_as_2_10(r"\sqrt")
    ('x', None)
    """
    formula = _FOREIGN_NAME.sub("{}", formula)
    bare = _BARE_MACRO.search(formula)
    if bare is not None:
        if bare.group(1) == "sqrt":
            return None
        before = latex_to_unicode(formula[: bare.start()]) if bare.start() else ""
        rest = latex_to_unicode(formula[bare.end(1) :]) if bare.end(1) < len(formula) else ""
        return None if before is None or rest is None else f"{before}%s/%s{rest}"
    return latex_to_unicode(formula)


_ARGUMENT = r"(?:\{[^{}]*\}|\\[a-zA-Z]+|\\?[^\s{}])"
_BARE_MACRO = re.compile(r"\\(sqrt|[dtc]?frac)(?![a-zA-Z])(?:(?<=frac)\s*" + _ARGUMENT + r")?\s*$")


def _convert(formula: str) -> str:
    text: str = _converter().latex_to_text(formula)
    return text


def _converter() -> Any:
    # Heavy (a tenth of a second) and of use only to texts with inline maths.
    from pylatexenc.latex2text import LatexNodes2Text  # noqa: PLC0415

    # A converter keeps \title and \author of what it has read: one per formula, the tables behind it shared.
    return LatexNodes2Text(latex_context=_context())


@lru_cache(maxsize=1)
def _context() -> Any:
    from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415  (heavy, as above)

    _log.setLevel(logging.CRITICAL)  # it reports every unreadable formula; ours is the caller's None
    return get_default_latex_context_db()


def _convert_on_fresh_stack(formula: str) -> str | None:
    answer: list[str | None] = [None]

    def run() -> None:
        try:
            answer[0] = _convert(formula)
        except Exception:  # RecursionError included: too deep for a whole stack
            answer[0] = None

    thread = threading.Thread(target=run, name="deep-formula")
    thread.start()
    thread.join()
    return answer[0]
