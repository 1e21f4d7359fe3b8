"""The presets of the text metrics: steps, tokens and edge cases.

A released preset never changes; a fix gets a new name (docs/metrics/presets.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from evaluation.metrics import tokenisers
from evaluation.metrics.edge_cases import EdgeOutcome
from evaluation.metrics.normalise import steps
from evaluation.metrics.normalise.inline_maths import inline_maths_as_1_5, inline_maths_as_1_6
from evaluation.metrics.normalise.omnihandwriting import PREPARATIONS
from evaluation.metrics.normalise.steps import NormalisationStep

DEFAULT = "inkbench-1"


@dataclass(frozen=True, slots=True)
class TextPreset:
    """How two texts are prepared for comparison.

    `prediction_steps` are applied to predictions only, before `steps`. `is_raw_if_nothing_left`: a text that normalises
    to nothing is compared unchanged.
    """

    name: str
    about: str
    steps: tuple[NormalisationStep, ...]
    tokenise: Callable[[str], list[str]]
    tokens_about: str
    prediction_steps: tuple[NormalisationStep, ...] = ()
    is_raw_if_nothing_left: bool = False
    empty_reference: EdgeOutcome = EdgeOutcome.WORST
    both_empty: EdgeOutcome = EdgeOutcome.BEST
    libraries: tuple[str, ...] = ()

    def steps_for(self, *, is_prediction: bool) -> tuple[NormalisationStep, ...]:
        """All steps of one side in order; mask marks are removed first."""
        own = self.prediction_steps + self.steps if is_prediction else self.steps
        return (steps.REMOVE_MASKS, *own)


_MATHS_1_5 = NormalisationStep(
    "inline maths to Unicode", "as OmniDocBench 1.5, by pylatexenc", inline_maths_as_1_5
)
_MATHS_1_6 = NormalisationStep(
    "inline maths to Unicode", "as OmniDocBench 1.6, with its refusals", inline_maths_as_1_6
)

_INK = TextPreset(
    name="inkbench-1",
    about="What the ink says: only what cannot be seen on paper is unified. Signs, decimal points, "
    "operators, case, punctuation, width and combining marks count.",
    steps=(steps.CANONICAL, steps.DROP_LEADING_LINES),
    tokenise=tokenisers.tokenise_words_and_ideographs,
    tokens_about="words at white space; each Chinese character or kana by itself",
)

_OMNIDOCBENCH_1_5 = TextPreset(
    name="omnidocbench-1.5",
    about="OmniDocBench 1.5: inline maths to Unicode, then letters, digits and underscores only.",
    steps=(_MATHS_1_5, steps.KEEP_WORD_CHARACTERS),
    tokenise=tokenisers.tokenise_words,
    tokens_about="one token per text: the normalisation leaves no blanks",
    is_raw_if_nothing_left=True,
    both_empty=EdgeOutcome.NOT_SCORED,
    libraries=("pylatexenc",),
)

_OMNIDOCBENCH_1_6 = TextPreset(
    name="omnidocbench-1.6",
    about="OmniDocBench 1.6: as 1.5, with circled characters unified and many formulas left as LaTeX.",
    steps=(steps.UNCIRCLE, _MATHS_1_6, steps.UNCIRCLE, steps.KEEP_WORD_CHARACTERS),
    tokenise=tokenisers.tokenise_words,
    tokens_about="one token per text: the normalisation leaves no blanks",
    is_raw_if_nothing_left=True,
    both_empty=EdgeOutcome.NOT_SCORED,
    libraries=("pylatexenc",),
)

_NONE = TextPreset(
    name="none",
    about="The code points as they are; only the mask mark is removed.",
    steps=(),
    tokenise=tokenisers.tokenise_words,
    tokens_about="words at white space",
)

_JIWER = TextPreset(
    name="jiwer",
    about="As jiwer 4: outer white space stripped, inner kept for characters and collapsed for words.",
    steps=(steps.STRIP_BLANKS,),
    tokenise=tokenisers.tokenise_jiwer_words,
    tokens_about="white-space runs become one blank, blanks separate",
    empty_reference=EdgeOutcome.COMPUTED,
)

_SACREBLEU = tuple(
    TextPreset(
        name=f"sacrebleu-{name}",
        about=f"The raw text, cut by sacrebleu's `{name}` tokeniser.",
        steps=(),
        tokenise=partial(tokenisers.tokenise_sacrebleu, name=name),
        tokens_about=f"sacrebleu `{name}`",
        both_empty=EdgeOutcome.WORST,
        libraries=("sacrebleu",),
    )
    for name in ("13a", "zh", "char", "intl", "none")
)

_OMNIHANDWRITING = tuple(
    TextPreset(
        name=f"omnihandwritingocr-{preparation.family}",
        about=preparation.about,
        steps=preparation.steps,
        prediction_steps=preparation.prediction_steps,
        tokenise=preparation.tokenise,
        tokens_about=preparation.tokens_about,
        libraries=preparation.libraries,
    )
    for preparation in PREPARATIONS
)

_ALL = {
    preset.name: preset
    for preset in (
        _INK,
        _OMNIDOCBENCH_1_5,
        _OMNIDOCBENCH_1_6,
        _NONE,
        _JIWER,
        *_SACREBLEU,
        *_OMNIHANDWRITING,
    )
}


def get_preset(name: str) -> TextPreset:
    """The preset called `name`. Raises ValueError naming the known ones.

    >>> get_preset("inkbench-1").tokens_about
    'words at white space; each Chinese character or kana by itself'
    """
    try:
        return _ALL[name]
    except KeyError:
        raise ValueError(f"unknown text preset {name!r}; known: {', '.join(_ALL)}") from None


def preset_names() -> tuple[str, ...]:
    """All names, the default first.

    >>> preset_names()[:4]
    ('inkbench-1', 'omnidocbench-1.5', 'omnidocbench-1.6', 'none')
    """
    return tuple(_ALL)
