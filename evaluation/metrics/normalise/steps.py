"""The steps of normalisation. Each accepts every text and takes linear time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from evaluation.payloads.mask_mark import remove_masks
from evaluation.payloads.text import canonical_text


@dataclass(frozen=True, slots=True)
class NormalisationStep:
    """One named step; `why` is shown by `--explain`."""

    name: str
    why: str
    apply: Callable[[str], str]


_INFO_WORD = re.compile(r"[\w+-]*")
_NOT_WORD = re.compile(r"[^\w\u4e00-\u9fff]+")
_DELETED_PAIRS = ("\\t", "\\n", "\t", "\n", "/t", "/n")
_TEXTCIRCLED = re.compile(r"\\textcircled\s*\{([^{}]+)\}")
_CIRCLED = {
    **{0x2460 + i: str(i + 1) for i in range(20)},
    **{0x24B6 + i: chr(ord("A") + i) for i in range(26)},
    **{0x24D0 + i: chr(ord("a") + i) for i in range(26)},
}


def unify_line_ends(text: str) -> str:
    r"""CRLF, CR, and Unicode's line and paragraph separators as LF.

    >>> unify_line_ends("a\r\nb\rc\u2028d")
    'a\nb\nc\nd'
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u2028", "\n").replace("\u2029", "\n")


def drop_leading_lines(text: str) -> str:
    r"""Remove blank lines before the text.

    >>> drop_leading_lines("\n\n  a\n\nb")
    '  a\n\nb'
    """
    return text.lstrip("\n")


def keep_word_characters(text: str) -> str:
    r"""OmniDocBench's cleaning: remove six fixed sequences, then all characters that are not word characters.

    >>> keep_word_characters("-3.14, either/neither \\theta")
    '314eithereitherheta'
    """
    for pair in _DELETED_PAIRS:
        text = text.replace(pair, "")
    return _NOT_WORD.sub("", text)


def uncircle(text: str) -> str:
    r"""`\textcircled{x}`, circled digits 1 to 20 and circled Latin letters as their plain content.

    >>> uncircle("①\\textcircled{ab}Ⓑⓒ")
    '1abBc'
    """
    if "\\textcircled" in text:
        text = _TEXTCIRCLED.sub(lambda match: match.group(1).strip(), text)
    return text if text.isascii() else text.translate(_CIRCLED)


def strip_blanks(text: str) -> str:
    """Strip white space at both ends, as `str.strip`.

    >>> strip_blanks("\u3000 a b ")
    'a b'
    """
    return text.strip()


def remove_fences(text: str) -> str:
    r"""Remove Markdown code fences, that is, lines that only open or close one; their content stays.

    >>> remove_fences("```markdown\n# Title\n```")
    '# Title'
    >>> remove_fences("keep `inline` ticks")
    'keep `inline` ticks'
    """
    if "```" not in text and "~~~" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _is_fence(line))


def _is_fence(line: str) -> bool:
    marks = line.strip(" \t")
    if not marks.startswith(("```", "~~~")) or len(line) - len(line.lstrip(" \t")) > 3:
        return False
    return _INFO_WORD.fullmatch(marks.lstrip(marks[0]).lstrip(" \t")) is not None


REMOVE_MASKS = NormalisationStep(
    "remove masks", "nobody could read the masked place: it must cost nothing", remove_masks
)
CANONICAL = NormalisationStep(
    "canonical text",
    "NFC, LF, no blanks at line ends: how a file stores a character or ends a line is not in the ink",
    canonical_text,
)
DROP_LEADING_LINES = NormalisationStep(
    "drop leading lines", "empty lines before the text cannot be seen", drop_leading_lines
)
KEEP_WORD_CHARACTERS = NormalisationStep(
    "keep word characters", "as OmniDocBench cleans text", keep_word_characters
)
UNCIRCLE = NormalisationStep("uncircle", "as OmniDocBench 1.6 reads circled digits and letters", uncircle)
STRIP_BLANKS = NormalisationStep("strip blanks", "as jiwer strips each sentence", strip_blanks)
