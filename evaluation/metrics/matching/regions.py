"""Answers keyed by region: the system was shown the regions and names the one each answer is for."""

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
    """The answer is no JSON object of texts by region id; the message says what it is instead."""


def read_region_predictions(answer: str) -> dict[str, str]:
    r"""The answers of a page by region id: a JSON object, alone or in one code fence.

    Errors: UnreadablePrediction naming the place; TooLarge above MAX_PAGE characters.

    >>> read_region_predictions('```json\n{"r1": "x^2"}\n```')
    {'r1': 'x^2'}
    """
    if len(answer) > MAX_PAGE:
        raise TooLarge(f"the answer has {len(answer)} characters; at most {MAX_PAGE} are read (MAX_PAGE)")
    fenced = _FENCED.search(answer)
    try:
        answers = json.loads(fenced.group(1) if fenced else answer)
    except (ValueError, RecursionError) as fault:
        raise UnreadablePrediction(_("not JSON (%(why)s)"), why=str(fault)) from fault
    if not isinstance(answers, dict):
        raise UnreadablePrediction(
            _("expected a JSON object keyed by region id, not a %(found)s"), found=type(answers).__name__
        )
    for region, text in answers.items():
        if not isinstance(text, str):
            raise UnreadablePrediction(
                _("region %(region)s: expected text, not a %(found)s"),
                region=repr(region),
                found=type(text).__name__,
            )
    return answers


def match_regions(answers: Mapping[str, str], gold: Sequence[GoldBlock]) -> PageMatch:
    """Pair by id. A region without an answer is unmatched, an answer for no region is left over.

    An empty answer is an answer (it scores as one), not a missing one.

    >>> gold = [GoldBlock("r1", BlockKind.FORMULA, "x^2"), GoldBlock("r2", BlockKind.FORMULA, "y")]
    >>> match_regions({"r1": "x^2", "r9": "z"}, gold).counts()["formula"]
    {'matched': 1, 'unmatched': 1, 'extra': 1}
    """
    known = {block.id: block for block in gold}
    matches = tuple(_match(block, answers.get(block.id)) for block in gold if not block.is_ignored)
    extra = tuple(
        Block(BlockKind.TEXT if not gold else gold[0].kind, text, index, "region", name)
        for index, (name, text) in enumerate(answers.items())
        if name not in known
    )
    ignored = tuple(
        Block(known[name].kind, text, index, "region", name)
        for index, (name, text) in enumerate(answers.items())
        if name in known and known[name].is_ignored
    )
    return PageMatch(PRESET, matches, extra, ignored)


def _match(gold: GoldBlock, answer: str | None) -> BlockMatch:
    if answer is None:
        return BlockMatch(gold.kind, (gold.id,), gold.content, None, 1.0)
    block = Block(gold.kind, answer, 0, "region", gold.id)
    cost = distance(_form(gold.content, gold.kind, False), _form(answer, gold.kind, True))
    return BlockMatch(gold.kind, (gold.id,), gold.content, answer, cost, (block,))


def _form(content: str, kind: BlockKind, is_prediction: bool) -> str:
    if kind is BlockKind.TEXT:
        return text_key(content, is_prediction=is_prediction)
    return formula_key(content) if kind is BlockKind.FORMULA else content
