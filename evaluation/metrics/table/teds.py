"""TEDS and TEDS-S: how much of a table was read right, as a share of its nodes.

Source: Zhong, ShafieiBavani and Jimeno Yepes, "Image-based table recognition: data, model, and evaluation",
ECCV 2020, section 5. TEDS = 1 - D / n, D the tree edit distance of the two tables, n the larger number of
nodes. TEDS-S leaves cell text out and compares the grid alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

from evaluation.errors import gettext_noop as _
from evaluation.metrics.aggregation import Average, Tally
from evaluation.metrics.base import Direction, Pair, Score, Signature, Status
from evaluation.metrics.edge_cases import (
    EdgeOutcome,
    EdgeRules,
    TooLarge,
    edge_score,
    not_scored,
    too_large,
    worst_score,
)
from evaluation.metrics.table.inkbench import InkTable, read_tables
from evaluation.metrics.table.multiple_tables import pair_tables
from evaluation.metrics.table.parse import ParsedTable, TagTokens
from evaluation.metrics.table.reference_presets import (
    REFERENCE_PRESETS,
    ReferencePreset,
    StopConditions,
    read_side,
)
from evaluation.metrics.table.tree_edit import tree_edit_distance
from evaluation.payloads.mask_mark import remove_masks
from evaluation.predictions import PredictedText

PRESETS = ("inkbench-1", *REFERENCE_PRESETS)

_OURS = EdgeRules.of_similarity()
_THEIRS = EdgeRules.of_similarity(both_empty=EdgeOutcome.WORST)


def teds(
    prediction: PredictedText,
    reference: str | None,
    *,
    preset: str = "inkbench-1",
    structure_only: bool = False,
) -> Score:
    """Tree-edit-distance similarity of two tables (HTML; `inkbench-1` also reads pipe tables); 1 = the same.

    Range 0..1 under `inkbench-1`; below 0 is possible under the reference presets, which do not clamp. The
    denominator counts nodes. `structure_only` gives TEDS-S. Where the program behind `pubtabnet` stops on an
    answer there is no value, though the answer costs its corpus like a missing one.
    Errors: ValueError for an unknown preset.

    >>> teds("<table><tr><td>3.14</td></tr></table>", "<table><tr><td>3.4</td></tr></table>").value
    0.875
    >>> teds("no table", "<table><tr><td>a</td></tr></table>").status
    <Status.INVALID_PREDICTION: 'invalid_prediction'>
    """
    signature = teds_signature(preset, structure_only=structure_only)
    gold = None if reference is None else remove_masks(reference)
    if preset in REFERENCE_PRESETS:
        return _by_program(prediction, gold, REFERENCE_PRESETS[preset], signature, structure_only)
    return _by_inkbench(prediction, gold, signature, structure_only)


def teds_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1", structure_only: bool = False) -> Score:
    """Mean over samples; `details["averages"]` has the pooled figure (large tables weigh more) too.

    >>> cell = "<table><tr><td>{}</td></tr></table>".format
    >>> teds_corpus([(cell("a"), cell("a")), (None, cell("a"))]).value
    0.5
    """
    tally = Tally(teds_signature(preset, structure_only=structure_only), Direction.HIGHER, 0.0, False)
    tally.add_all(teds(mine, gold, preset=preset, structure_only=structure_only) for mine, gold in pairs)
    return tally.score(Average.SAMPLE)


@cache
def teds_signature(preset: str, *, structure_only: bool = False) -> Signature:
    """What stamps a TEDS score; errors: ValueError for an unknown preset."""
    if preset not in PRESETS:
        raise ValueError(f"TEDS has no preset {preset!r}; choose one of {', '.join(PRESETS)}")
    ours = ("lxml", "rapidfuzz")
    libraries = REFERENCE_PRESETS[preset].libraries if preset in REFERENCE_PRESETS else ours
    return Signature(
        "teds_s" if structure_only else "teds",
        preset,
        libraries=tuple((library, version(library)) for library in libraries),
    )


def _by_program(
    prediction: PredictedText,
    gold: str | None,
    preset: ReferencePreset,
    signature: Signature,
    structure_only: bool,
) -> Score:
    edge = edge_score(prediction, gold, rules=_THEIRS, signature=signature)
    if edge is not None:
        return edge
    assert isinstance(prediction, str) and gold is not None  # edge_score has answered those
    tokens = TagTokens()
    try:
        theirs = read_side(gold, preset, tokens, structure_only=structure_only)
    except StopConditions as fault:
        return _stopped(Status.INVALID_REFERENCE, f"the gold: {fault}", preset, signature)
    except TooLarge as fault:
        return too_large(f"the gold: {fault}", rules=_THEIRS, signature=signature, is_reference=True)
    size = theirs.size if theirs else 1
    try:
        mine = theirs
        if prediction != gold:
            mine = read_side(prediction, preset, tokens, structure_only=structure_only)
        return _program_score(mine, theirs, preset, signature)
    except StopConditions as fault:
        return _stopped(Status.INVALID_PREDICTION, f"the answer: {fault}", preset, signature, size)
    except TooLarge as fault:
        return too_large(str(fault), rules=_THEIRS, signature=signature, size=size)


def _program_score(
    mine: ParsedTable | None, theirs: ParsedTable | None, preset: ReferencePreset, signature: Signature
) -> Score:
    if mine is None or theirs is None:
        size = theirs.size if theirs else 1
        side = "the gold" if theirs is None else "the answer"
        return worst_score(
            Status.INVALID_PREDICTION, _THEIRS, signature, size, f"{side} has no table in a body"
        )
    nodes = max(mine.size, theirs.size)
    if nodes == 0:
        return _stopped(Status.UNDEFINED, "neither table has a node to divide by", preset, signature)
    distance = tree_edit_distance(mine.forest, theirs.forest)
    details = {"distance": distance, "nodes": [mine.size, theirs.size]}
    return _scored(1.0 - distance / nodes, nodes - distance, nodes, signature, details)


def _stopped(
    status: Status, reason: str, preset: ReferencePreset, signature: Signature, size: float = 1
) -> Score:
    """The public program stops here: 0 where it catches its own crash, else no value."""
    reason = f"the public program stops here ({reason})"
    if preset.stop_scores_zero:
        return Score(0.0, 0.0, max(size, 1), 1, 0, Direction.HIGHER, status, signature, reason)
    if status is Status.INVALID_PREDICTION:
        return Score(None, 0.0, max(size, 1), 1, 1, Direction.HIGHER, status, signature, reason)
    return not_scored(status, _THEIRS, signature, reason)


def _by_inkbench(
    prediction: PredictedText, gold: str | None, signature: Signature, structure_only: bool
) -> Score:
    tokens = TagTokens()
    try:
        theirs = read_tables(gold or "", tokens, structure_only=structure_only)
    except TooLarge as fault:
        return too_large(f"the gold: {fault}", rules=_OURS, signature=signature, is_reference=True)
    if gold and gold.strip() and not theirs:
        return not_scored(Status.INVALID_REFERENCE, _OURS, signature, _("the ground truth has no table"))
    try:
        return _ink_score(prediction, gold, theirs, tokens, signature, structure_only)
    except TooLarge as fault:
        size = sum(table.size for table in theirs)
        return too_large(str(fault), rules=_OURS, signature=signature, size=size)


def _ink_score(
    prediction: PredictedText,
    gold: str | None,
    theirs: list[InkTable],
    tokens: TagTokens,
    signature: Signature,
    structure_only: bool,
) -> Score:
    size = sum(table.size for table in theirs)
    mine = theirs if prediction == gold else []
    if isinstance(prediction, str) and prediction != gold:
        mine = read_tables(prediction, tokens, structure_only=structure_only)
    edge = edge_score(
        _emptied(prediction, mine) if isinstance(prediction, str) else prediction,
        _emptied(gold, theirs),
        rules=_OURS,
        signature=signature,
        size=size,
        insertions=sum(table.size for table in mine),
    )
    if edge is not None:
        return edge
    if not mine:
        return worst_score(Status.INVALID_PREDICTION, _OURS, signature, size, "the answer has no table")
    return _paired_score(mine, theirs, signature)


def _emptied(markup: str | None, tables: list[InkTable]) -> str | None:
    """Tables without a single row, and white space, are nothing to compare."""
    if markup is None:
        return None
    return "" if not markup.strip() or (tables and not any(table.size for table in tables)) else markup


def _paired_score(mine: list[InkTable], theirs: list[InkTable], signature: Signature) -> Score:
    pairs = pair_tables(mine, theirs)
    left_over = [at for at in range(len(mine)) if at not in {pair.prediction for pair in pairs}]
    missed = [at for at in range(len(theirs)) if at not in {pair.reference for pair in pairs}]
    saved = sum(pair.saved for pair in pairs)
    nodes = sum(pair.size for pair in pairs)
    nodes += sum(mine[at].size for at in left_over) + sum(theirs[at].size for at in missed)
    details = {
        "tables": [
            {
                "prediction": pair.prediction,
                "reference": pair.reference,
                "distance": pair.distance,
                "nodes": pair.size,
            }
            for pair in pairs
        ],
        "unmatched_predictions": left_over,
        "unmatched_references": missed,
        "repairs": {
            "prediction": [repair for table in mine for repair in table.repairs],
            "reference": [repair for table in theirs for repair in table.repairs],
        },
    }
    return _scored(saved / nodes, saved, nodes, signature, details)


def _scored(value: float, above: float, below: float, signature: Signature, details: dict[str, Any]) -> Score:
    return Score(value, above, below, 1, 0, Direction.HIGHER, Status.SCORED, signature, "", details)
