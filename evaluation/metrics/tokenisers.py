"""Tokenisers of the presets. Each takes a normalised text and returns its tokens in order, without white space."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

IDEOGRAPHS: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, as a character class for regular expressions."""

_KANA: Final = "\u3040-\u30ff\u31f0-\u31ff"
_INK_TOKEN = re.compile(rf"[{IDEOGRAPHS}{_KANA}]|[^\s{IDEOGRAPHS}{_KANA}]+")
_SPACE_RUN = re.compile(r"\s\s+")
_HYBRID_TOKEN = re.compile(
    rf"\\[A-Za-z]+\*?|\\\S|[{IDEOGRAPHS}]+|\d+(?:\.\d+)?|[^\W\d_{IDEOGRAPHS}]+|\S",
)


def tokenise_words(text: str) -> list[str]:
    """Runs of anything but white space.

    >>> tokenise_words("a cat,  twice")
    ['a', 'cat,', 'twice']
    """
    return text.split()


def tokenise_words_and_ideographs(text: str) -> list[str]:
    """`inkbench-1`: words at white space, and each Chinese character or kana as a token.

    With white space alone a Chinese line is a single word, and one wrong character an error of 100 %.

    >>> tokenise_words_and_ideographs("买 milk 和bread。")
    ['买', 'milk', '和', 'bread。']
    """
    return _INK_TOKEN.findall(text)


def tokenise_jiwer_words(text: str) -> list[str]:
    r"""jiwer's words: runs of white space become one blank, and blanks separate; a lone line end does not.

    >>> tokenise_jiwer_words("a\nb  c \n d")
    ['a\nb', 'c', 'd']
    """
    return [word for word in _SPACE_RUN.sub(" ", text).strip().split(" ") if word]


def tokenise_hybrid(text: str) -> list[str]:
    r"""Mixed Chinese and formulas: Chinese spans, commands, numbers, words, and single operators or marks.

    >>> tokenise_hybrid(r"解：由\cos x=0.5得 ab")
    ['解', '：', '由', '\\cos', 'x', '=', '0.5', '得', 'ab']
    """
    return _HYBRID_TOKEN.findall(text)


def tokenise_jieba(text: str) -> list[str]:
    """jieba's words of a Chinese text (default dictionary, default mode), blanks dropped.

    >>> tokenise_jieba("我们在路上")
    ['我们', '在', '路上']
    """
    return [word for word in _jieba().lcut(text) if not word.isspace()]


@lru_cache(maxsize=1)
def _jieba() -> Any:
    # Heavy: loads a dictionary of 5 MB (about a second), and only Chinese text needs it.
    import logging  # noqa: PLC0415

    import jieba  # noqa: PLC0415

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


@lru_cache(maxsize=8)
def _sacrebleu(name: str) -> Any:
    # Heavy (a third of a second), and only BLEU under a sacrebleu preset needs it.
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415

    return BLEU(tokenize=name).tokenizer


def tokenise_sacrebleu(text: str, name: str) -> list[str]:
    """The tokens of a sacrebleu tokeniser (`13a`, `zh`, `char`, `intl`, `none`).

    >>> tokenise_sacrebleu("It's 5%.", "13a")
    ["It's", '5', '%', '.']
    """
    tokens: list[str] = _sacrebleu(name)(text.rstrip()).split()
    return tokens
