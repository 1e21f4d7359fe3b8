"""LaTeX maths to Unicode text with pylatexenc, bounded and reproducible.

pylatexenc is recursive, so where it gives up depends on the depth of the caller. A formula that is too deep for the
caller's stack is tried again on a fresh stack, so that the result depends on the formula alone.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_CACHED, _CACHED_LENGTH = 4096, 200
_FOREIGN_NAME = re.compile(r"\\(?=[^\W\d_]*[^\W\d_a-zA-Z])[^\W\d_]+")


def latex_to_unicode(formula: str) -> str | None:
    r"""Unicode text of a formula under pylatexenc 3.0a30; None where it cannot parse it.

    >>> latex_to_unicode(r"\frac12 x^{2}"), latex_to_unicode(r"\unknown{x}")
    ('1/2 x^2', 'x')
    """
    return _remembered(formula, _converter_class)


def latex_to_unicode_as_2_10(formula: str) -> str | None:
    r"""The same under pylatexenc 2.10, where the two differ in letters or digits.

    2.10 accepts letters of every script in a macro's name, prints the template of a macro that lacks an argument
    (`%s/%s` for `\frac`), and fails on a `\sqrt` without one.

    >>> latex_to_unicode_as_2_10(r"\m地t{x}"), latex_to_unicode_as_2_10(r"\frac\alpha")
    ('x', '%s/%sα')
    >>> latex_to_unicode_as_2_10(r"\sqrt") is None
    True
    """
    return _remembered(_FOREIGN_NAME.sub("{}", formula), _converter_class_2_10)


def clear_cache() -> None:
    """Empty the cache of converted formulas, for measurements."""
    _convert_short.cache_clear()


def _remembered(formula: str, get_class: Callable[[], Any]) -> str | None:
    convert = _convert_short if len(formula) <= _CACHED_LENGTH else _convert
    return convert(formula, get_class)


def _convert(formula: str, get_class: Callable[[], Any]) -> str | None:
    if formula.endswith("\\"):
        formula += " "  # 3.0a30 loops forever on a text that ends in a lone backslash
    try:
        return _run(formula, get_class)
    except RecursionError:
        return _run_on_fresh_stack(formula, get_class)
    except Exception:  # the reference keeps the source after any parser error
        return None


_convert_short = lru_cache(maxsize=_CACHED)(_convert)


def _run(formula: str, get_class: Callable[[], Any]) -> str:
    # A converter keeps \title and \author of what it has read, so each formula gets its own; they share tables.
    text: str = get_class()(latex_context=_context()).latex_to_text(formula)
    return text


def _run_on_fresh_stack(formula: str, get_class: Callable[[], Any]) -> str | None:
    result: list[str | None] = [None]

    def run() -> None:
        try:
            result[0] = _run(formula, get_class)
        except Exception:  # RecursionError included: too deep even for a fresh stack
            result[0] = None

    thread = threading.Thread(target=run, name="deep-formula")
    thread.start()
    thread.join()
    return result[0]


@lru_cache(maxsize=1)
def _context() -> Any:
    # Heavy (a tenth of a second) and used only for inline maths, here and below.
    from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415

    # It logs every unreadable formula; the caller gets None anyway.
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    return get_default_latex_context_db()


@lru_cache(maxsize=1)
def _converter_class() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text  # noqa: PLC0415

    return LatexNodes2Text


@lru_cache(maxsize=1)
def _converter_class_2_10() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text  # noqa: PLC0415

    class As210(LatexNodes2Text):  # type: ignore[misc]
        def apply_simplify_repl(self, node: Any, simplify_repl: Any, what: str) -> Any:
            is_template = isinstance(simplify_repl, str) and "%" in simplify_repl and len(simplify_repl) > 1
            arguments = _given_arguments(node) if is_template else None
            if arguments is None:
                return super().apply_simplify_repl(node, simplify_repl, what)
            if "%(" in simplify_repl:
                raise KeyError(simplify_repl)
            return simplify_repl + "".join(
                self._groupnodecontents_to_text(argument) for argument in arguments
            )

    return As210


def _given_arguments(node: Any) -> list[Any] | None:
    """The arguments a macro has if a mandatory one is missing; None if none is missing."""
    kinds = getattr(getattr(node, "spec", None), "arguments_spec_list", None)
    if not isinstance(kinds, str):
        return None
    arguments = list(node.nodeargd.argnlist) if node.nodeargd and node.nodeargd.argnlist else []
    arguments += [None] * (len(kinds) - len(arguments))
    is_complete = all(
        kind != "{" or _is_there(argument) for kind, argument in zip(kinds, arguments, strict=False)
    )
    return (
        None
        if is_complete
        else [argument for argument in arguments if argument is not None and _is_there(argument)]
    )


def _is_there(argument: Any) -> bool:
    # The tolerant parser puts a group without braces and without width where an argument is missing.
    return argument is not None and getattr(argument, "delimiters", None) != ("", "")
