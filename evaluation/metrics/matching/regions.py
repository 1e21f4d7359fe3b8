"""Predictions keyed by region id, from systems that were shown the regions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching.blocks import Block, BlockKind, BlockMatch, GoldBlock, PageMatch
from evaluation.metrics.matching.comparison_keys import formula_key, text_key
from evaluation.metrics.matching.distances import distance
from evaluation.metrics.matching.extract import MAX_PAGE

PRESET = "by-region"

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


class UnreadablePrediction(LocalizedError, ValueError):
    """The prediction is not a JSON object of texts by region id."""


def read_region_predictions(prediction: str) -> dict[str, str]:
    r"""The predictions of a page by region id: a JSON object, alone or in one code fence.

    Raises UnreadablePrediction naming the position, and TooLarge over MAX_PAGE characters.

    >>> read_region_predictions('```json\n{"r1": "x^2"}\n```')
    {'r1': 'x^2'}
    """
    if len(prediction) > MAX_PAGE:
        raise TooLarge(
            f"the prediction has {len(prediction)} characters; at most {MAX_PAGE} are read (MAX_PAGE)"
        )
    fenced = _FENCED.search(prediction)
    try:
        predictions = json.loads(fenced.group(1) if fenced else prediction)
    except (ValueError, RecursionError) as fault:
        raise UnreadablePrediction(_("not JSON (%(why)s)"), why=str(fault)) from fault
    if not isinstance(predictions, dict):
        raise UnreadablePrediction(
            _("expected a JSON object keyed by region id, not a %(found)s"), found=type(predictions).__name__
        )
    for region, text in predictions.items():
        if not isinstance(text, str):
            raise UnreadablePrediction(
                _("region %(region)s: expected text, not a %(found)s"),
                region=repr(region),
                found=type(text).__name__,
            )
    return predictions


def match_regions(predictions: Mapping[str, str], gold: Sequence[GoldBlock]) -> PageMatch:
    """Match by id. A region without a prediction is unmatched; a prediction for an unknown region is extra.

    An empty prediction is not a missing one.

    >>> gold = [GoldBlock("r1", BlockKind.FORMULA, "x^2"), GoldBlock("r2", BlockKind.FORMULA, "y")]
    >>> match_regions({"r1": "x^2", "r9": "z"}, gold).counts()["formula"]
    {'matched': 1, 'unmatched': 1, 'extra': 1}
    """
    known = {block.id: block for block in gold}
    matches = tuple(_match(block, predictions.get(block.id)) for block in gold if not block.is_ignored)
    extra = tuple(
        Block(BlockKind.TEXT if not gold else gold[0].kind, text, index, "region", name)
        for index, (name, text) in enumerate(predictions.items())
        if name not in known
    )
    ignored = tuple(
        Block(known[name].kind, text, index, "region", name)
        for index, (name, text) in enumerate(predictions.items())
        if name in known and known[name].is_ignored
    )
    return PageMatch(PRESET, matches, extra, ignored)


def _match(gold: GoldBlock, prediction: str | None) -> BlockMatch:
    if prediction is None:
        return BlockMatch(gold.kind, (gold.id,), gold.content, None, 1.0)
    block = Block(gold.kind, prediction, 0, "region", gold.id)
    cost = distance(_form(gold.content, gold.kind, False), _form(prediction, gold.kind, True))
    return BlockMatch(gold.kind, (gold.id,), gold.content, prediction, cost, (block,))


def _form(content: str, kind: BlockKind, is_prediction: bool) -> str:
    if kind is BlockKind.TEXT:
        return text_key(content, is_prediction=is_prediction)
    return formula_key(content) if kind is BlockKind.FORMULA else content
