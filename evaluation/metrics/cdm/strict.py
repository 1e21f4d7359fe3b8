r"""`cdm_strict`: CDM that also requires matched marks to stand in the same relations.

CDM's tolerance is a whole glyph, so it cannot tell `x^2` from `x_2`. The strict score counts only those of CDM's pairs
that also agree in the layout trees (layout_tree.py); definition and study: docs/metrics/cdm-strict.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaluation.metrics.aggregation import Average
from evaluation.metrics.base import Pair, Score, ScoreStatus, Signature
from evaluation.metrics.edge_cases import edge_score
from evaluation.predictions import PredictedText

from .comparison import FormulaComparison, compare
from .layout_tree import LayoutLine, LayoutTree
from .presets import find_preset
from .scoring import (
    REVISION,
    add_exp_rate,
    describe,
    edge_rules,
    empty_if_blank,
    make_accumulator,
    prepare_reference,
    score_comparison,
)

TokenPair = tuple[int, int]  # token numbers in reference and prediction


def cdm_strict(prediction: PredictedText, reference: str | None, *, preset: str = "inkbench-1") -> Score:
    r"""F1 of the marks that are right, in the right place and in the right relation, in 0..1, never above `cdm`.

    Presets, errors and `details` as in `cdm`. Definition: docs/metrics/cdm-strict.md.

    >>> cdm_strict(r"x_2", r"x^2").value
    0.5
    >>> cdm_strict(r"{x}^{2}", r"x^2").value
    1.0
    """
    settings = find_preset(preset)
    signature = Signature("cdm_strict", settings.name, REVISION)
    edge = edge_score(
        empty_if_blank(prediction),
        prepare_reference(reference),
        rules=edge_rules(settings),
        signature=signature,
    )
    if edge is not None:
        return edge
    assert isinstance(prediction, str) and reference is not None
    comparison = compare(prediction, reference, settings)
    score = score_comparison(comparison, signature)
    if comparison.matched is None or score.status is not ScoreStatus.SCORED:
        return score
    hits = len(agreeing_pairs(comparison))
    below = score.denominator
    value = 2.0 * hits / below
    if not settings.tolerant:
        value = round(value, 3)
    details = {**describe(comparison), "agreeing": hits}
    return replace(score, value=value, numerator=2.0 * hits, details=details)


def cdm_strict_corpus(pairs: Iterable[Pair], *, preset: str = "inkbench-1") -> Score:
    """The mean over formulas, as in `cdm_corpus`; `details["exp_rate"]` is the share of equal trees."""
    accumulator = make_accumulator("cdm_strict", preset)
    perfect = 0
    for prediction, reference in pairs:
        score = cdm_strict(prediction, reference, preset=preset)
        perfect += score.value == 1.0 and score.n > 0
        accumulator.add(score)
    return add_exp_rate(accumulator.score(Average.SAMPLE), perfect)


def agreeing_pairs(comparison: FormulaComparison) -> list[TokenPair]:
    """The counted pairs whose relations agree (definition 1-4 in docs/metrics/cdm-strict.md)."""
    matched = comparison.matched
    left, right = comparison.reference.structure, comparison.prediction.structure
    if matched is None or left is None or right is None:
        return []
    numbers_l, numbers_r = comparison.reference.numbers, comparison.prediction.numbers
    assigned = {numbers_l[pair.reference]: numbers_r[pair.prediction] for pair in matched.pairs}
    counted = [
        (numbers_l[pair.reference], numbers_r[pair.prediction]) for pair in matched.pairs if pair.counts
    ]
    counted = [pair for pair in counted if pair[0] in left.place and pair[1] in right.place]
    partner = _line_partners(counted, left, right)
    pairs = [
        (i, j)
        for i, j in counted
        if partner.get(left.place[i][0]) == right.place[j][0]
        and _same_owner(left.lines[left.place[i][0]], right.lines[right.place[j][0]], assigned)
    ]
    pairs = _in_order(pairs, left, right)
    return _rows_in_order(pairs, left, right)


def _line_partners(pairs: Sequence[TokenPair], left: LayoutTree, right: LayoutTree) -> dict[int, int]:
    """Each line's partner: the line that shares most pairs with it, mutually (ties: the earlier line)."""
    shared: Counter[tuple[int, int]] = Counter()
    for i, j in pairs:
        number_l, number_r = left.place[i][0], right.place[j][0]
        alike = left.lines[number_l].relation == right.lines[number_r].relation
        shared[number_l, number_r] += 1 if alike else 0
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for (number_l, number_r), count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if count and number_l not in partner and number_r not in taken:
            partner[number_l] = number_r
            taken.add(number_r)
    return partner


def _same_owner(left: LayoutLine, right: LayoutLine, assigned: dict[int, int]) -> bool:
    """Whether both lines have the same relation to owners that are assigned to each other, or both unassigned."""
    if left.relation != right.relation:
        return False
    if left.owner == 0 or right.owner == 0:
        return left.owner == right.owner or (
            right.owner not in assigned.values() and left.owner not in assigned
        )
    if left.owner in assigned:
        return assigned[left.owner] == right.owner
    return right.owner not in assigned.values()


def _in_order(pairs: Sequence[TokenPair], left: LayoutTree, right: LayoutTree) -> list[TokenPair]:
    """Per line, a longest set of pairs in the same order on both sides."""
    by_line: dict[int, list[tuple[int, int, TokenPair]]] = {}
    for pair in pairs:
        number, rank = left.place[pair[0]]
        by_line.setdefault(number, []).append((rank, right.place[pair[1]][1], pair))
    ordered = []
    for ranked in by_line.values():
        ranked.sort()
        ordered += [ranked[index][2] for index in longest_increasing([second for _, second, _ in ranked])]
    return ordered


def _rows_in_order(pairs: Sequence[TokenPair], left: LayoutTree, right: LayoutTree) -> list[TokenPair]:
    """Rows of an array in order: of rows that cross, only a longest uncrossed set counts."""
    targets: dict[int, dict[int, int]] = {}  # owner -> row in the reference -> row in the prediction
    for i, j in pairs:
        line_l, line_r = left.lines[left.place[i][0]], right.lines[right.place[j][0]]
        if line_l.relation == "row":
            targets.setdefault(line_l.owner, {})[line_l.row] = line_r.row
    uncrossed: set[tuple[int, int]] = set()
    for owner, rows in targets.items():
        order = sorted(rows)
        uncrossed |= {(owner, order[index]) for index in longest_increasing([rows[row] for row in order])}

    def stays(pair: TokenPair) -> bool:
        line = left.lines[left.place[pair[0]][0]]
        return line.relation != "row" or (line.owner, line.row) in uncrossed

    return [pair for pair in pairs if stays(pair)]


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Indices of a longest strictly increasing subsequence, in order."""
    tails: list[int] = []
    tail_at: list[int] = []
    previous = [-1] * len(values)
    for index, value in enumerate(values):
        spot = bisect_left(tails, value)
        previous[index] = tail_at[spot - 1] if spot else -1
        if spot == len(tails):
            tails.append(value)
            tail_at.append(index)
        else:
            tails[spot], tail_at[spot] = value, index
    chain = []
    index = tail_at[-1] if tail_at else -1
    while index >= 0:
        chain.append(index)
        index = previous[index]
    return chain[::-1]
