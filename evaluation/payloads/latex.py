r"""The LaTeX of one formula: its canonical form and its validation.

Canonical: NFC, no delimiters around it, white space only where LaTeX needs it. Formulas with the same canonical form
are the same transcription; nothing else is normalised: `\le` and `\leq` stay different.
"""

from __future__ import annotations

import re
import unicodedata

from evaluation.errors import gettext_noop
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.text import is_storable

MAX_LATEX = 20_000
_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_DISPLAYS = ("equation", "equation*", "displaymath", "math")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\[\s\S]|\S")
_TOKEN_OR_BLANK = re.compile(r"\\[A-Za-z]+|\\[\s\S]|\s+|\S")
_WORD = re.compile(r"\\[A-Za-z]+\Z")
_TEXT_COMMANDS = frozenset(
    f"\\{name}"
    for name in [
        "text",
        "textrm",
        "textbf",
        "textit",
        "texttt",
        "textsf",
        "textup",
        "textnormal",
        "mbox",
        "hbox",
        "emph",
        "tag",
        "intertext",
    ]
)
_TAKES_OPTION = frozenset({"\\\\", "\\cr", "\\newline"})
_BEGIN_OR_END = re.compile(r"\\(begin|end)\{([^{}]*)\}")


class BadLatex(BadPayload):
    """A formula that cannot be stored."""


def tokenise_latex(text: str) -> list[str]:
    r"""The tokens: commands, escaped characters, and every other character by itself; white space is dropped.

    >>> tokenise_latex(r"\frac{12}{x} \%")
    ['\\frac', '{', '1', '2', '}', '{', 'x', '}', '\\%']
    """
    return _TOKEN.findall(text)


def strip_math_delimiters(text: str) -> str | None:
    r"""The content of the outermost math delimiters; None without delimiters or with more than one pair of them.

    >>> strip_math_delimiters("$$ x $$"), strip_math_delimiters("x"), strip_math_delimiters("$a$ and $b$")
    ('x', None, None)
    """
    for left, right in _DELIMITERS:
        if len(text) >= len(left) + len(right) and text.startswith(left) and text.endswith(right):
            inner = text[len(left) : len(text) - len(right)]
            return None if left in inner else inner.strip()
    return None


def canonical_latex(text: str) -> str:
    r"""NFC, no delimiters or display environment around it, white space only where LaTeX needs it.

    >>> canonical_latex(r"$$ \alpha  x + \frac { 1 } { 2 } \text{ if  so} $$")
    '\\alpha x+\\frac{1}{2}\\text{ if so}'
    """
    previous = None
    while text != previous:
        previous = text
        text = unicodedata.normalize("NFC", text).strip()
        while (inner := _strip_wrapper(text)) is not None:
            text = inner
        text = _strip_blanks(text)
    return text


def _strip_wrapper(text: str) -> str | None:
    for name in _DISPLAYS:
        left, right = f"\\begin{{{name}}}", f"\\end{{{name}}}"
        if text.startswith(left) and text.endswith(right) and text.count(left) == 1:
            return text[len(left) : -len(right)].strip()
    return strip_math_delimiters(text)


def _strip_blanks(text: str) -> str:
    tokens: list[str] = []
    depth = text_depth = 0  # open braces now, and where the current text command began (0: maths)
    is_blank = is_text_next = False
    for token in _TOKEN_OR_BLANK.findall(text):
        if token.isspace():
            is_blank = True
            continue
        if is_blank and tokens and (text_depth or _needs_blank(tokens[-1], token)):
            tokens.append(" ")
        is_blank = False
        if token == "{":
            depth += 1
            if is_text_next and not text_depth:
                text_depth = depth
        elif token == "}":
            text_depth = 0 if text_depth == depth else text_depth
            depth = max(0, depth - 1)
        is_text_next = token in _TEXT_COMMANDS or (is_text_next and token == "*")
        tokens.append(token)
    return "".join(tokens)


def _needs_blank(previous: str, token: str) -> bool:
    """Before a letter a blank ends a command's name; after a line break it keeps a bracket or star from being an
    option."""
    if _WORD.match(previous):
        return token[0].isalpha()
    return previous in _TAKES_OPTION and token in ("[", "*")


def check_latex(text: str) -> None:
    """Raise BadLatex unless the canonical LaTeX is one formula.

    Refused: empty text, dollar signs, comments, unbalanced braces or environments.
    """
    if not text:
        raise BadLatex(gettext_noop("The LaTeX is missing. Transcribe what is written."))
    check_latex_draft(text)
    depth = 0
    for token in tokenise_latex(text):
        if token == "$":
            raise BadLatex(
                gettext_noop("The formula contains a dollar sign. Write one formula without dollar signs.")
            )
        if token == "%":
            raise BadLatex(
                gettext_noop("A percent sign starts a comment in LaTeX. Put a backslash before it.")
            )
        depth += (token == "{") - (token == "}")
        if depth < 0:
            raise BadLatex(
                gettext_noop("A closing brace has no opening brace. Delete it, or put a backslash before it.")
            )
    if depth:
        raise BadLatex(gettext_noop("An opening brace is not closed. Add the closing brace."))
    _check_environments(text)


def check_latex_draft(text: str) -> None:
    """Raise BadLatex for what cannot be saved even as a draft."""
    if len(text) > MAX_LATEX:
        raise BadLatex(
            gettext_noop(
                "The LaTeX is too long (%(found)s characters); the limit for a formula is "
                "%(most)s. Split the region."
            ),
            found=f"{len(text):,}",
            most=f"{MAX_LATEX:,}",
        )
    if not is_storable(text) or any(unicodedata.category(c) == "Cc" and c not in "\n\t\r" for c in text):
        raise BadLatex(gettext_noop("The LaTeX contains an unprintable character. Delete it."))


def _check_environments(text: str) -> None:
    open_names: list[str] = []
    for word, name in _BEGIN_OR_END.findall(text):
        if word == "begin":
            open_names.append(name)
        elif not open_names or open_names.pop() != name:
            raise BadLatex(
                gettext_noop("\\end{%(name)s} does not match the last environment opened. Correct the pair."),
                name=name,
            )
    if open_names:
        raise BadLatex(
            gettext_noop("\\begin{%(name)s} is not closed. Add \\end{%(name)s}."), name=open_names[-1]
        )
