"""TEDS and TEDS-S: tree-edit-distance similarity of tables.

Source: Zhong, ShafieiBavani and Jimeno Yepes, "Image-based table recognition: data, model, and evaluation",
ECCV 2020, section 5. TEDS = 1 - D / n, D the tree edit distance of the two tables, n the larger number of
nodes. TEDS-S ignores cell text and compares the structure alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

from evaluation.errors import gettext_noop as _
from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, Pair, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import (
    EdgeOutcome,
    EdgeRules,
    TooLarge,
    edge_score,
    not_scored,
    too_large,
    worst_score,
)
from evaluation.metrics.table.inkbench import InkbenchTable, read_tables
from evaluation.metrics.table.multiple_tables import pair_tables
from evaluation.metrics.table.parse import ParsedTable, TagTokens
from evaluation.metrics.table.reference_programs import (
    REFERENCE_PROGRAMS,
    ReferenceProgram,
    ReferenceProgramError,
    read_first_table,
)
from evaluation.metrics.table.tree_edit import tree_edit_distance
from evaluation.payloads.mask_mark import remove_masks
from evaluation.predictions import PredictedText

PRESETS = ("inkbench-1", *REFERENCE_PROGRAMS)

_INKBENCH_RULES = EdgeRules.of_similarity()
_PROGRAM_RULES = EdgeRules.of_similarity(both_empty=EdgeOutcome.WORST)


def teds(
    prediction: PredictedText,
    reference: str | None,
    *,
    preset: str = "inkbench-1",
    structure_only: bool = False,
) -> Score:
    """Tree-edit-distance similarity of two tables (HTML; `inkbench-1` also reads pipe tables); 1 = the same.

    Range 0..1 under `inkbench-1`; the reference presets do not clamp and can be negative. The denominator counts
    nodes. `structure_only` gives TEDS-S. Where the program behind `pubtabnet` crashes on a prediction there is no
    value, and it costs the corpus as much as a missing one. Raises ValueError for an unknown preset. Source: Zhong et
    al., ECCV 2020, section 5.

    >>> teds("<table><tr><td>3.14</td></tr></table>", "<table><tr><td>3.4</td></tr></table>").value
    0.875
    >>> teds("no table", "<table><tr><td>a</td></tr></table>").status
    <ScoreStatus.INVALID_PREDICTION: 'invalid_prediction'>
    """
    signature = teds_signature(preset, structure_only=structure_only)
    reference = None if reference is None else remove_masks(reference)
    if preset in REFERENCE_PROGRAMS:
        return _by_program(prediction, reference, REFERENCE_PROGRAMS[preset], signature, structure_only)
    return _by_inkbench(prediction, reference, signature, structure_only)


def teds_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1", structure_only: bool = False) -> Score:
    """Mean over samples; `details["averages"]` also has the pooled score, in which large tables weigh more.

    >>> cell = "<table><tr><td>{}</td></tr></table>".format
    >>> teds_corpus([(cell("a"), cell("a")), (None, cell("a"))]).value
    0.5
    """
    accumulator = make_accumulator("teds_s" if structure_only else "teds", preset)
    accumulator.add_all(teds(pred, ref, preset=preset, structure_only=structure_only) for pred, ref in pairs)
    return accumulator.score(Average.SAMPLE)


def teds_s(prediction: str | None, reference: str | None, *, preset: str = "inkbench-1") -> Score:
    """TEDS of the structure alone: cell text is left out, spans count. Range, presets and errors as in `teds`.

    >>> teds_s("<table><tr><td>3.14</td></tr></table>", "<table><tr><td>3.4</td></tr></table>").value
    1.0
    """
    return teds(prediction, reference, preset=preset, structure_only=True)


def teds_s_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1") -> Score:
    """Mean of `teds_s` over samples; see `teds_corpus`."""
    return teds_corpus(pairs, preset=preset, structure_only=True)


def metric_presets(name: str) -> tuple[str, ...]:
    """The presets of `teds` and `teds_s`; the first is the default for new projects."""
    return PRESETS


def make_accumulator(name: str, preset: str) -> Accumulator:
    """An empty accumulator for the sample scores of `teds` or `teds_s`; a page's figure is the mean of its samples."""
    signature = teds_signature(preset, structure_only=name == "teds_s")
    return Accumulator(signature, Direction.HIGHER, 0.0, ratio_in_page=False)


@cache
def teds_signature(preset: str, *, structure_only: bool = False) -> Signature:
    """The signature of TEDS scores. Raises ValueError for an unknown preset."""
    if preset not in PRESETS:
        raise ValueError(f"TEDS has no preset {preset!r}; choose one of {', '.join(PRESETS)}")
    own = ("lxml", "rapidfuzz")
    libraries = REFERENCE_PROGRAMS[preset].libraries if preset in REFERENCE_PROGRAMS else own
    return Signature(
        "teds_s" if structure_only else "teds",
        preset,
        libraries=tuple((library, version(library)) for library in libraries),
    )


def _by_program(
    prediction: PredictedText,
    reference: str | None,
    preset: ReferenceProgram,
    signature: Signature,
    structure_only: bool,
) -> Score:
    edge = edge_score(prediction, reference, rules=_PROGRAM_RULES, signature=signature)
    if edge is not None:
        return edge
    assert isinstance(prediction, str) and reference is not None  # edge_score handles those
    tokens = TagTokens()
    try:
        ref = read_first_table(reference, preset, tokens, structure_only=structure_only)
    except ReferenceProgramError as fault:
        return _stopped(ScoreStatus.INVALID_REFERENCE, f"the reference: {fault}", preset, signature)
    except TooLarge as fault:
        return too_large(
            f"the reference: {fault}", rules=_PROGRAM_RULES, signature=signature, is_reference=True
        )
    size = ref.size if ref else 1
    try:
        pred = ref
        if prediction != reference:
            pred = read_first_table(prediction, preset, tokens, structure_only=structure_only)
        return _program_score(pred, ref, preset, signature)
    except ReferenceProgramError as fault:
        return _stopped(ScoreStatus.INVALID_PREDICTION, f"the prediction: {fault}", preset, signature, size)
    except TooLarge as fault:
        return too_large(str(fault), rules=_PROGRAM_RULES, signature=signature, size=size)


def _program_score(
    pred: ParsedTable | None, ref: ParsedTable | None, preset: ReferenceProgram, signature: Signature
) -> Score:
    if pred is None or ref is None:
        size = ref.size if ref else 1
        side = "the reference" if ref is None else "the prediction"
        return worst_score(
            ScoreStatus.INVALID_PREDICTION, _PROGRAM_RULES, signature, size, f"{side} has no table in a body"
        )
    nodes = max(pred.size, ref.size)
    if nodes == 0:
        return _stopped(ScoreStatus.UNDEFINED, "neither table has a node to divide by", preset, signature)
    distance = tree_edit_distance(pred.forest, ref.forest)
    details = {"distance": distance, "nodes": [pred.size, ref.size]}
    return _scored(1.0 - distance / nodes, nodes - distance, nodes, signature, details)


def _stopped(
    status: ScoreStatus, reason: str, preset: ReferenceProgram, signature: Signature, size: float = 1
) -> Score:
    """The public program crashes here: 0 if it catches the crash, else no value."""
    reason = f"the public program stops here ({reason})"
    if preset.stop_scores_zero:
        return Score(0.0, 0.0, max(size, 1), 1, 0, Direction.HIGHER, status, signature, reason)
    if status is ScoreStatus.INVALID_PREDICTION:
        return Score(None, 0.0, max(size, 1), 1, 1, Direction.HIGHER, status, signature, reason)
    return not_scored(status, _PROGRAM_RULES, signature, reason)


def _by_inkbench(
    prediction: PredictedText, reference: str | None, signature: Signature, structure_only: bool
) -> Score:
    tokens = TagTokens()
    try:
        ref = read_tables(reference or "", tokens, structure_only=structure_only)
    except TooLarge as fault:
        return too_large(
            f"the reference: {fault}", rules=_INKBENCH_RULES, signature=signature, is_reference=True
        )
    if reference and reference.strip() and not ref:
        return not_scored(
            ScoreStatus.INVALID_REFERENCE, _INKBENCH_RULES, signature, _("the ground truth has no table")
        )
    try:
        return _inkbench_score(prediction, reference, ref, tokens, signature, structure_only)
    except TooLarge as fault:
        size = sum(table.size for table in ref)
        return too_large(str(fault), rules=_INKBENCH_RULES, signature=signature, size=size)


def _inkbench_score(
    prediction: PredictedText,
    reference: str | None,
    ref: list[InkbenchTable],
    tokens: TagTokens,
    signature: Signature,
    structure_only: bool,
) -> Score:
    size = sum(table.size for table in ref)
    pred = ref if prediction == reference else []
    if isinstance(prediction, str) and prediction != reference:
        pred = read_tables(prediction, tokens, structure_only=structure_only)
    edge = edge_score(
        _emptied(prediction, pred) if isinstance(prediction, str) else prediction,
        _emptied(reference, ref),
        rules=_INKBENCH_RULES,
        signature=signature,
        size=size,
        insertions=sum(table.size for table in pred),
    )
    if edge is not None:
        return edge
    if not pred:
        return worst_score(
            ScoreStatus.INVALID_PREDICTION, _INKBENCH_RULES, signature, size, "the prediction has no table"
        )
    return _paired_score(pred, ref, signature)


def _emptied(markup: str | None, tables: list[InkbenchTable]) -> str | None:
    """The markup, or "" for white space and for tables without a row."""
    if markup is None:
        return None
    return "" if not markup.strip() or (tables and not any(table.size for table in tables)) else markup


def _paired_score(pred: list[InkbenchTable], ref: list[InkbenchTable], signature: Signature) -> Score:
    pairs = pair_tables(pred, ref)
    left_over = [index for index in range(len(pred)) if index not in {pair.prediction for pair in pairs}]
    missed = [index for index in range(len(ref)) if index not in {pair.reference for pair in pairs}]
    saved = sum(pair.saved for pair in pairs)
    nodes = sum(pair.size for pair in pairs)
    nodes += sum(pred[index].size for index in left_over) + sum(ref[index].size for index in missed)
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
            "prediction": [repair for table in pred for repair in table.repairs],
            "reference": [repair for table in ref for repair in table.repairs],
        },
    }
    return _scored(saved / nodes, saved, nodes, signature, details)


def _scored(value: float, above: float, below: float, signature: Signature, details: dict[str, Any]) -> Score:
    return Score(value, above, below, 1, 0, Direction.HIGHER, ScoreStatus.SCORED, signature, "", details)
