"""Preparation of a text for comparison: the normalised characters and their tokens."""

from __future__ import annotations

from functools import lru_cache

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.normalise.presets import DEFAULT, TextPreset, get_preset

MAX_CHARACTERS = 10_000_000
"""Longest text that is normalised; beyond it the score is `too_large`."""

MAX_TOKENISED = 1_000_000
"""Longest text that is tokenised; n-grams of more would exhaust the memory."""

_CACHED, _CACHED_LENGTH = 64, 20_000


class PreparedText:
    """One side of a comparison; `text` for character metrics, `tokens` for token metrics."""

    __slots__ = ("_preset", "_tokens", "text")

    def __init__(self, text: str, preset: TextPreset) -> None:
        self.text = text
        self._preset = preset
        self._tokens: list[str] | None = None

    @property
    def tokens(self) -> list[str]:
        """The tokens, computed on first use; do not modify. Raises TooLarge over MAX_TOKENISED."""
        if self._tokens is None:
            if len(self.text) > MAX_TOKENISED:
                size = len(self.text)
                raise TooLarge(f"{size} characters to tokenise, over {MAX_TOKENISED} (MAX_TOKENISED)")
            self._tokens = self._preset.tokenise(self.text)
        return self._tokens


def prepare(text: str, *, preset: str = DEFAULT, is_prediction: bool = True) -> PreparedText:
    """A text prepared under a preset. Raises TooLarge over MAX_CHARACTERS or MAX_MATHS.

    Several metrics prepare the same text in turn, so the last few short ones are cached.

    >>> prepare("写 a 字").tokens
    ['写', 'a', '字']
    """
    if len(text) > _CACHED_LENGTH:
        return _prepare(text, preset, is_prediction)
    return _prepare_short(text, preset, is_prediction)


def normalise(text: str, *, preset: str = DEFAULT, is_prediction: bool = True) -> str:
    r"""The text as `preset` compares it; see `prepare`.

    >>> normalise("area $\\pi r^{2}$!", preset="omnidocbench-1.5")
    'areaπr2'
    >>> normalise("。", preset="omnidocbench-1.5")  # nothing would be left: compared raw
    '。'
    """
    return prepare(text, preset=preset, is_prediction=is_prediction).text


def explain(text: str, *, preset: str = DEFAULT, is_prediction: bool = True) -> list[tuple[str, str, str]]:
    r"""(step, why, text after it) for each step of the preset, then the text that is compared.

    >>> [name for name, _, _ in explain("a", preset="omnidocbench-1.5")]
    ['remove masks', 'inline maths to Unicode', 'keep word characters', 'compared']
    """
    settings = get_preset(preset)
    rows: list[tuple[str, str, str]] = []
    current = text
    for step in settings.steps_for(is_prediction=is_prediction):
        current = step.apply(current)
        rows.append((step.name, step.why, current))
    compared = normalise(text, preset=preset, is_prediction=is_prediction)
    why = "as it was written: the steps leave nothing" if compared != current else "what the steps leave"
    return [*rows, ("compared", why, compared)]


def _prepare(text: str, preset: str, is_prediction: bool) -> PreparedText:
    settings = get_preset(preset)
    if len(text) > MAX_CHARACTERS:
        raise TooLarge(f"{len(text)} characters, over {MAX_CHARACTERS} (MAX_CHARACTERS)")
    masks, *rest = settings.steps_for(is_prediction=is_prediction)
    unmasked = current = masks.apply(text)
    for step in rest:
        current = step.apply(current)
    if not current and settings.is_raw_if_nothing_left:
        current = unmasked
    return PreparedText(current, settings)


_prepare_short = lru_cache(maxsize=_CACHED)(_prepare)
