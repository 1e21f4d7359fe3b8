"""The pairs a sample is scored by: the sample itself, or the pairs that page matching finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.metrics.base import Pair
from evaluation.metrics.bundles.sample import ScoringSample
from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.normalise.pipeline import MAX_CHARACTERS
from evaluation.metrics.normalise.steps import remove_fences
from evaluation.payloads.mask_mark import remove_masks
from evaluation.predictions import (
    Content,
    Failed,
    Missing,
    PredictedText,
    Regions,
    content_as_lines,
    content_size,
)

if TYPE_CHECKING:
    from evaluation.metrics.matching import BlockKind, GoldBlock


def single_pair(sample: ScoringSample) -> list[Pair]:
    r"""The sample's one pair, untouched; regions as text, a line a region in the order of the ground truth.

    >>> single_pair(ScoringSample("1", "formula", Regions({"2": "y"}), Regions({"1": "x", "2": "y"})))
    [('\ny', 'x\ny')]
    """
    reference = sample.reference
    order = reference if isinstance(reference, Regions) else None
    return [
        (
            _as_text(sample.prediction, order),
            None if reference is None else content_as_lines(reference, order),
        )
    ]


def single_pair_without_fences(sample: ScoringSample) -> list[Pair]:
    """The sample's one pair, the prediction without code fences (WildHandBench's `clean_markdown`).

    >>> from evaluation.predictions import Text
    >>> single_pair_without_fences(ScoringSample("1", "text", Text("```\\nink\\n```"), Text("ink")))
    [('ink', 'ink')]
    """
    return [
        (_unfenced(prediction) if isinstance(prediction, str) else prediction, reference)
        for prediction, reference in single_pair(sample)
    ]


def match_page_pairs(sample: ScoringSample) -> list[Pair]:
    """The pairs of the sample's own structure that page matching finds. Raises TooLarge.

    A ground truth by region is matched `by-region` where the prediction is by region too: a region that the
    prediction leaves out is missing. All else is Markdown and matched as `omnidocbench`: a part that nothing was
    matched to has an empty prediction, left-over text an empty reference. A ground truth without delimiters or
    tables to find (one bare formula) is compared whole. Mask marks are no part of what is matched.

    >>> from evaluation.predictions import Text
    >>> match_page_pairs(ScoringSample("1", "formula", Text("so $$y$$ and $$x$$"), Text("$$x$$ $$y$$")))
    [('\\\\[x\\\\]', '\\\\[x\\\\]'), ('\\\\[y\\\\]', '\\\\[y\\\\]')]
    >>> match_page_pairs(ScoringSample("1", "formula", Regions({"2": "y"}), Regions({"1": "x", "2": "y"})))
    [(None, 'x'), ('y', 'y')]
    """
    # Imported here, because matching needs scipy and no other pairing does.
    from evaluation.metrics.matching import (  # noqa: PLC0415
        BY_REGION,
        OMNIDOCBENCH,
        BlockKind,
        match_page,
    )
    from evaluation.metrics.matching.extract import MAX_PAGE  # noqa: PLC0415

    prediction, reference = sample.prediction, sample.reference
    if reference is None:
        return single_pair(sample)
    kind = BlockKind(sample.structure)
    gold = _gold_blocks(reference, kind)
    if not any(block.kind is kind for block in gold):
        return single_pair_without_fences(sample)
    if isinstance(prediction, Failed | Missing):
        predicted = _as_text(prediction, None)
        return [(predicted, block.content) for block in gold if block.kind is kind]
    if isinstance(prediction, Regions) and isinstance(reference, Regions):
        if content_size(prediction) > MAX_PAGE:
            raise TooLarge(
                f"the prediction has {content_size(prediction)} characters; MAX_PAGE is {MAX_PAGE}"
            )
        return list(match_page(prediction.latex, gold, preset=BY_REGION).pairs(kind))
    page = _unfenced(content_as_lines(prediction))
    return [
        ("" if predicted is None else predicted, part)
        for predicted, part in match_page(page, gold, preset=OMNIDOCBENCH).pairs(kind)
    ]


def match_formula_pages(sample: ScoringSample) -> list[Pair]:
    """`match_page_pairs` for formula pages, the single pair without fences for all others."""
    return match_page_pairs(sample) if sample.structure == "formula" else single_pair_without_fences(sample)


def _as_text(prediction: Content | Failed | Missing, order: Regions | None) -> PredictedText:
    match prediction:
        case Missing():
            return None
        case Failed():
            return prediction
    return content_as_lines(prediction, order)


def _unfenced(prediction: str) -> str:
    # A text over the limit is refused later; splitting it into lines would only take memory.
    return prediction if len(prediction) > MAX_CHARACTERS else remove_fences(prediction)


def _gold_blocks(reference: Content, kind: BlockKind) -> list[GoldBlock]:
    from evaluation.metrics.matching import GoldBlock, extract_blocks  # noqa: PLC0415  (as above)

    if isinstance(reference, Regions):
        return [GoldBlock(name, kind, remove_masks(latex)) for name, latex in reference.latex.items()]
    return [
        GoldBlock(str(number), block.kind, block.content)
        for number, block in enumerate(extract_blocks(remove_masks(reference.text)))
        if not block.is_inline
    ]
