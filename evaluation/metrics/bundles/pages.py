"""What a sample's metrics compare: its one pair, or the pairs its page was matched into."""

from __future__ import annotations

from evaluation.metrics.base import Failed, Pair
from evaluation.metrics.bundles.sample import Sample
from evaluation.metrics.normalise.forms import MAX_CHARACTERS
from evaluation.metrics.normalise.steps import remove_fences


def as_it_is(sample: Sample) -> list[Pair]:
    """The sample's one pair, untouched."""
    return [(sample.prediction, sample.reference)]


def without_fences(sample: Sample) -> list[Pair]:
    """The sample's one pair, the answer without code fences (WildHandBench's `clean_markdown`).

    >>> without_fences(Sample("1", "text", "```\\nink\\n```", "ink"))
    [('ink', 'ink')]
    """
    prediction = sample.prediction
    if prediction is None or isinstance(prediction, Failed):
        return [(prediction, sample.reference)]
    return [(_unfenced(prediction), sample.reference)]


def matched(sample: Sample) -> list[Pair]:
    """The pairs of the sample's own structure that the page matching `omnidocbench` finds; may raise `TooLarge`.

    A part of an answered page that nothing was matched to is an empty answer; left-over text is an answer to
    nothing. Where the gold has no part of its structure, the sample is compared whole.

    >>> matched(Sample("1", "formula", "so $$y$$ and $$x$$", "$$x$$ $$y$$"))
    [('\\\\[x\\\\]', '\\\\[x\\\\]'), ('\\\\[y\\\\]', '\\\\[y\\\\]')]
    """
    # Heavy: the assignment comes from scipy, and only this pairing needs it.
    from evaluation.metrics.matching import GoldBlock, Kind, extract_blocks, match_page  # noqa: PLC0415

    prediction, reference = sample.prediction, sample.reference
    if reference is None:
        return as_it_is(sample)
    kind = Kind(sample.structure)
    gold = [
        GoldBlock(str(number), block.kind, block.content)
        for number, block in enumerate(extract_blocks(reference))
        if not block.is_inline
    ]
    if kind is not Kind.TEXT and not any(block.kind is kind for block in gold):
        gold = [GoldBlock("0", kind, reference)]  # bare LaTeX, or a table no extractor knows
    if prediction is None or isinstance(prediction, Failed):
        return [(prediction, block.content) for block in gold if block.kind is kind] or as_it_is(sample)
    pairs = match_page(_unfenced(prediction), gold).pairs(kind)
    return [("" if answer is None else answer, part) for answer, part in pairs] or without_fences(sample)


def matched_formulas(sample: Sample) -> list[Pair]:
    """`matched` for formula pages, the one pair without fences for text and tables."""
    return matched(sample) if sample.structure == "formula" else without_fences(sample)


def _unfenced(prediction: str) -> str:
    # A text over the limit is refused by whatever comes next; splitting it into lines would cost the memory.
    return prediction if len(prediction) > MAX_CHARACTERS else remove_fences(prediction)
