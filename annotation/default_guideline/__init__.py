"""The guideline on faithful transcription that new projects start with, in each language of the site.

It covers what these papers require: WildHandBench (annotation stages, masked characters), OmniHandwritingOCR (fact-
based transcription), PINK (over-correction). The wording is ours.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def faithful_transcription(language: str) -> str:
    """The guideline in Markdown; Chinese for any `zh` tag, else English."""
    name = "zh-hans" if language.lower().startswith("zh") else "en"
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
