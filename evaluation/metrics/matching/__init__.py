"""Page matching: which predicted block is scored against which gold block.

`match_page` takes Markdown (preset `omnidocbench`) or predictions keyed by region (`by-region`). Without a prediction
all gold is unmatched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching.blocks import Block, BlockKind, BlockMatch, GoldBlock, PageMatch
from evaluation.metrics.matching.extract import MAX_PAGE, extract_blocks
from evaluation.metrics.matching.quick_match import PRESET as OMNIDOCBENCH
from evaluation.metrics.matching.quick_match import quick_match
from evaluation.metrics.matching.regions import PRESET as BY_REGION
from evaluation.metrics.matching.regions import UnreadablePrediction, match_regions, read_region_predictions

PRESETS = (OMNIDOCBENCH, BY_REGION)


def match_page(
    prediction: str | Mapping[str, str] | None, gold: Sequence[GoldBlock], *, preset: str = OMNIDOCBENCH
) -> PageMatch:
    """Match one page's prediction with its gold blocks.

    prediction: the page's Markdown (`omnidocbench`), or texts by region id, as a mapping or as JSON
    (`by-region`); None = missing. Raises TooLarge, UnreadablePrediction, and ValueError for an unknown preset.

    >>> gold = [GoldBlock("t", BlockKind.TEXT, "So"), GoldBlock("f", BlockKind.FORMULA, "$$x^2$$")]
    >>> match_page("So $$x^2$$", gold).pairs(BlockKind.FORMULA)
    [('\\\\[x^2\\\\]', '$$x^2$$')]
    """
    if preset not in PRESETS:
        raise ValueError(f"page matching has no preset {preset!r}; choose one of {', '.join(PRESETS)}")
    size = sum(len(block.content) for block in gold)
    if size > MAX_PAGE:
        raise TooLarge(f"the gold has {size} characters; at most {MAX_PAGE} are matched (MAX_PAGE)")
    if prediction is None:
        alone = [
            BlockMatch(block.kind, (block.id,), block.content, None, 1.0)
            for block in gold
            if not block.is_ignored
        ]
        return PageMatch(preset, tuple(alone))
    if preset == BY_REGION:
        by_region = read_region_predictions(prediction) if isinstance(prediction, str) else prediction
        return match_regions(by_region, gold)
    if not isinstance(prediction, str):
        raise ValueError("the preset omnidocbench matches a page's Markdown, not predictions by region")
    return quick_match(extract_blocks(prediction), gold)


__all__ = [
    "BY_REGION",
    "OMNIDOCBENCH",
    "PRESETS",
    "Block",
    "BlockKind",
    "BlockMatch",
    "GoldBlock",
    "PageMatch",
    "UnreadablePrediction",
    "extract_blocks",
    "match_page",
    "match_regions",
    "quick_match",
    "read_region_predictions",
]
