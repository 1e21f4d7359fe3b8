"""What a sample's metrics compare: its one pair, or the pairs its page was matched into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.metrics.base import Failed, Pair
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.normalise.pipeline import MAX_CHARACTERS
from evaluation.metrics.normalise.steps import remove_fences
from evaluation.payloads.mask_mark import remove_masks

if TYPE_CHECKING:
    from evaluation.metrics.matching import BlockKind, GoldBlock


def single_pair(sample: ScoringSample) -> list[Pair]:
    """The sample's one pair, untouched."""
    return [(sample.prediction, sample.reference)]


def single_pair_without_fences(sample: ScoringSample) -> list[Pair]:
    """The sample's one pair, the answer without code fences (WildHandBench's `clean_markdown`).

    >>> single_pair_without_fences(ScoringSample("1", "text", "```\\nink\\n```", "ink"))
    [('ink', 'ink')]
    """
    prediction = sample.prediction
    if prediction is None or isinstance(prediction, Failed):
        return [(prediction, sample.reference)]
    return [(_unfenced(prediction), sample.reference)]


def match_page_pairs(sample: ScoringSample) -> list[Pair]:
    """The pairs of the sample's own structure that page matching finds; may raise `TooLarge`.

    Gold that is a JSON object of texts by region id is matched `by-region` where the answer is one too: a region
    that the answer leaves out is missing. All other gold is Markdown and matched as `omnidocbench`: a part that
    nothing was matched to is an empty answer, left-over text an answer to nothing. Gold without delimiters or
    tables to find (one bare formula) is compared whole. Mask marks are no part of what is matched.

    >>> match_page_pairs(ScoringSample("1", "formula", "so $$y$$ and $$x$$", "$$x$$ $$y$$"))
    [('\\\\[x\\\\]', '\\\\[x\\\\]'), ('\\\\[y\\\\]', '\\\\[y\\\\]')]
    >>> match_page_pairs(ScoringSample("1", "formula", '{"r2": "y"}', '{"r1": "x", "r2": "y"}'))
    [(None, 'x'), ('y', 'y')]
    """
    # Heavy: the assignment comes from scipy, and only this pairing needs it.
    from evaluation.metrics.matching import BY_REGION, OMNIDOCBENCH, BlockKind, match_page  # noqa: PLC0415

    prediction, reference = sample.prediction, sample.reference
    if reference is None:
        return single_pair(sample)
    reference = remove_masks(reference)
    kind, regions = BlockKind(sample.structure), _regions(reference)
    gold = _gold_blocks(reference, kind, regions)
    if not any(block.kind is kind for block in gold):
        return single_pair_without_fences(sample)
    if prediction is None or isinstance(prediction, Failed):
        return [(prediction, block.content) for block in gold if block.kind is kind]
    answers = _regions(prediction) if regions is not None else None
    if answers is None:
        pairs = match_page(_unfenced(prediction), gold, preset=OMNIDOCBENCH).pairs(kind)
        return [("" if prediction is None else prediction, part) for prediction, part in pairs]
    return list(match_page(answers, gold, preset=BY_REGION).pairs(kind))


def match_formula_pages(sample: ScoringSample) -> list[Pair]:
    """`match_page_pairs` for formula pages, the one pair without fences for text and tables."""
    return match_page_pairs(sample) if sample.structure == "formula" else single_pair_without_fences(sample)


def _unfenced(prediction: str) -> str:
    # A text over the limit is refused by whatever comes next; splitting it into lines would cost the memory.
    return prediction if len(prediction) > MAX_CHARACTERS else remove_fences(prediction)


def _regions(text: str) -> dict[str, str] | None:
    from evaluation.metrics.matching import UnreadablePrediction, read_region_predictions  # noqa: PLC0415  (as above)

    if not text.lstrip().startswith(("{", "```")):
        return None
    try:
        return read_region_predictions(text)
    except UnreadablePrediction:
        return None  # LaTeX begins with a brace too


def _gold_blocks(reference: str, kind: BlockKind, regions: dict[str, str] | None) -> list[GoldBlock]:
    from evaluation.metrics.matching import GoldBlock, extract_blocks  # noqa: PLC0415  (as above)

    if regions is not None:
        return [GoldBlock(name, kind, content) for name, content in regions.items()]
    return [
        GoldBlock(str(number), block.kind, block.content)
        for number, block in enumerate(extract_blocks(reference))
        if not block.is_inline
    ]
