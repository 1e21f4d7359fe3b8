"""Matching of a page's blocks with its gold as OmniDocBench's `quick_match` does it, without its time-out.

Text and formulas are matched together (a formula may be predicted as text and vice versa):

1. single-column arrays are split into rows, in gold and prediction;
2. predictions close (under 0.25) to ignored gold are set aside;
3. gold without a close prediction may claim a run of adjacent predictions that together fit it better;
4. the rest is assigned one to one with the least total distance; pairs above 0.7 are dropped;
5. unmatched gold that lies inside some prediction (under 0.4) joins that prediction's gold;
6. the remaining blocks are assigned again, text to text and formula to formula, if they share anything (a poor
   transcription still belongs to its block); inline formulas take no part.

Tables are assigned among themselves on their raw markup; the cells of unmatched predicted tables enter step 1 as text.
Where the public code depends on accidental order, the first in page order is taken here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lxml import etree

from evaluation.metrics.edge_cases import TooLarge
from evaluation.metrics.matching.blocks import Block, BlockKind, BlockMatch, GoldBlock, PageMatch, of_kind
from evaluation.metrics.matching.comparison_keys import formula_key, join_formulas, split_rows, text_key
from evaluation.metrics.matching.distances import distance, distance_inside, distances
from evaluation.metrics.matching.merged_blocks import find_runs
from evaluation.metrics.table.parse import replace_invalid_characters
from evaluation.payloads.optimal_matching import optimal_pairs

PRESET = "omnidocbench"
MAX_BLOCKS = 1_000
"""Most blocks of one side; more is too large."""

CLOSE = 0.25
FAR = 0.7
INSIDE = 0.4


@dataclass(frozen=True, slots=True)
class _Line:
    """A block with its comparison key."""

    form: str


@dataclass(frozen=True, slots=True)
class _GoldLine(_Line):
    block: GoldBlock


@dataclass(frozen=True, slots=True)
class _PredictedLine(_Line):
    block: Block


def quick_match(blocks: Sequence[Block], gold: Sequence[GoldBlock]) -> PageMatch:
    """Match predicted blocks with gold. Raises TooLarge over MAX_BLOCKS on one side."""
    if max(len(blocks), len(gold)) > MAX_BLOCKS:
        raise TooLarge(f"{len(blocks)} blocks, {len(gold)} in the gold; at most {MAX_BLOCKS} (MAX_BLOCKS)")
    tables, spare_tables = _match_tables(blocks, of_kind(gold, BlockKind.TABLE))
    cells = [cell for table in spare_tables for cell in _cells_as_text(table)] if tables else []
    predictions = _predicted_lines(
        [*(block for block in blocks if block.kind is not BlockKind.TABLE), *cells]
    )
    gold_lines = _gold_lines(gold)
    predictions, ignored = _set_aside(predictions, [line for line in gold_lines if line.block.is_ignored])
    matches, unmatched = _match_lines(predictions, [line for line in gold_lines if not line.block.is_ignored])
    order = {block.id: index for index, block in enumerate(gold)}
    ordered = sorted([*tables, *matches], key=lambda match: order[match.gold_ids[0].split("#")[0]])
    extra = [block for block in unmatched if not block.is_inline and block.origin != "cell"]
    return PageMatch(
        PRESET,
        tuple(ordered),
        tuple(sorted([*extra, *spare_tables], key=lambda block: block.start)),
        tuple(ignored),
    )


def _match_tables(blocks: Sequence[Block], gold: Sequence[GoldBlock]) -> tuple[list[BlockMatch], list[Block]]:
    """Match tables one to one; LaTeX tables, which score 0, are used only if they outnumber the others."""
    latex = [block for block in blocks if block.kind is BlockKind.TABLE and block.origin == "latex"]
    others = [block for block in blocks if block.kind is BlockKind.TABLE and block.origin != "latex"]
    used, unused = (latex, others) if len(latex) > len(others) else (others, latex)
    costs = distances([block.content for block in gold], [block.content for block in used])
    partner = dict(optimal_pairs(costs))
    matches = []
    for index, block in enumerate(gold):
        column = partner.get(index)
        if column is None:
            matches.append(BlockMatch(BlockKind.TABLE, (block.id,), block.content, None, 1.0))
        else:
            table = used[column]
            cost = float(costs[index, column])
            matches.append(
                BlockMatch(BlockKind.TABLE, (block.id,), block.content, table.content, cost, (table,))
            )
    unmatched = [block for index, block in enumerate(used) if index not in partner.values()]
    return matches, [*unmatched, *unused]


def _cells_as_text(table: Block) -> list[Block]:
    """The cells of an unmatched predicted table: gold text may have been predicted as a table."""
    if table.origin == "latex":
        return []
    root = etree.fromstring(replace_invalid_characters(table.content), parser=etree.HTMLParser())
    texts = (" ".join("".join(cell.itertext()).split()) for cell in root.iter("td", "th"))
    return [Block(BlockKind.TEXT, text, table.start, "cell") for text in texts if text]


def _predicted_lines(blocks: Sequence[Block]) -> list[_PredictedLine]:
    """In page order with inline formulas last; formulas split into rows, blocks with an empty key dropped."""
    lines = []
    for block in sorted(blocks, key=lambda block: (block.is_inline, block.start)):
        if block.kind is BlockKind.TEXT:
            lines.append(_PredictedLine(text_key(block.content, is_prediction=True), block))
        else:
            lines += [
                _PredictedLine(formula_key(row), replace(block, content=row))
                for row in split_rows(block.content)
            ]
    return [line for line in lines if line.form]


def _gold_lines(gold: Sequence[GoldBlock]) -> list[_GoldLine]:
    """As `_predicted_lines`; the rows of a split formula are named `id#1`, `id#2`, ..."""
    lines = []
    for block in gold:
        if block.kind is BlockKind.TEXT:
            lines.append(_GoldLine(text_key(block.content, is_prediction=False), block))
        elif block.kind is BlockKind.FORMULA:
            rows = split_rows(block.content)
            for number, row in enumerate(rows, start=1):
                name = block.id if len(rows) == 1 else f"{block.id}#{number}"
                lines.append(_GoldLine(formula_key(row), replace(block, id=name, content=row)))
    return [line for line in lines if line.form]


def _set_aside(
    predictions: list[_PredictedLine], ignored_gold: Sequence[_GoldLine]
) -> tuple[list[_PredictedLine], list[Block]]:
    costs = distances([line.form for line in ignored_gold], [line.form for line in predictions])
    if not costs.size:
        return predictions, []
    is_taken = [bool((costs[:, index] < CLOSE).any()) for index in range(len(predictions))]
    kept = [line for line, taken in zip(predictions, is_taken, strict=True) if not taken]
    return kept, [line.block for line, taken in zip(predictions, is_taken, strict=True) if taken]


def _match_lines(
    predictions: Sequence[_PredictedLine], gold: Sequence[_GoldLine]
) -> tuple[list[BlockMatch], list[Block]]:
    """Matches of all gold lines, and the unmatched predicted blocks."""
    runs = [[predictions[index] for index in run] for run in _runs(predictions, gold)]
    forms = [" ".join(line.form for line in run) for run in runs]
    claims = _assign(forms, gold)
    if len(runs) == len(gold) == 1:
        claims = {0: [0]}
    _join_inside(claims, forms, gold)
    _assign_leftovers(claims, runs, forms, gold)
    matches = []
    for index, line in enumerate(gold):
        holder = next((run for run, members in claims.items() if index in members), None)
        if holder is None:
            matches.append(BlockMatch(line.block.kind, (line.block.id,), line.block.content, None, 1.0))
        elif claims[holder][0] == index:
            lines = [gold[member] for member in claims[holder]]
            matches.append(_as_match(runs[holder], forms[holder], lines))
    unmatched = [line.block for number, run in enumerate(runs) if number not in claims for line in run]
    return matches, unmatched


def _runs(predictions: Sequence[_PredictedLine], gold: Sequence[_GoldLine]) -> list[list[int]]:
    """The predictions as runs: those that one gold block claims together, and single ones."""
    joined = find_runs([line.form for line in gold], [line.form for line in predictions], close=CLOSE)
    first_of = {run[0]: run for run in joined}
    inside = {index for run in joined for index in run[1:]}
    return [first_of.get(index, [index]) for index in range(len(predictions)) if index not in inside]


def _assign(forms: Sequence[str], gold: Sequence[_GoldLine]) -> dict[int, list[int]]:
    """run -> gold lines, one each, with the least total distance, without pairs above FAR."""
    costs = distances([line.form for line in gold], forms)
    return {column: [row] for row, column in optimal_pairs(costs) if costs[row, column] <= FAR}


def _join_inside(claims: dict[int, list[int]], forms: Sequence[str], gold: Sequence[_GoldLine]) -> None:
    """Add unclaimed gold that lies inside a prediction to the first such prediction."""
    claimed = {member for members in claims.values() for member in members}
    for index, line in enumerate(gold):
        if index in claimed:
            continue
        for run, form in enumerate(forms):
            if distance_inside(line.form, form, below=INSIDE) is not None:
                claims[run] = sorted([*claims.get(run, []), index])
                break


def _assign_leftovers(
    claims: dict[int, list[int]],
    runs: Sequence[Sequence[_PredictedLine]],
    forms: Sequence[str],
    gold: Sequence[_GoldLine],
) -> None:
    """Assign unmatched gold and predictions of the same kind again, however little they share."""
    claimed = {member for members in claims.values() for member in members}
    for kind in (BlockKind.TEXT, BlockKind.FORMULA):
        alone = [index for index, line in enumerate(gold) if index not in claimed and line.block.kind is kind]
        free = [
            number
            for number, run in enumerate(runs)
            if number not in claims and run[0].block.kind is kind and not run[0].block.is_inline
        ]
        costs = distances([gold[index].form for index in alone], [forms[number] for number in free])
        for row, column in optimal_pairs(costs):
            if costs[row, column] < 1.0:  # with nothing in common both stay unmatched
                claims[free[column]] = [alone[row]]


def _as_match(predictions: Sequence[_PredictedLine], form: str, gold: Sequence[_GoldLine]) -> BlockMatch:
    """One match; gold of both kinds counts as the more frequent kind, at a tie as the first."""
    kinds = [line.block.kind for line in gold]
    kind = max(kinds, key=kinds.count)
    blocks = tuple(line.block for line in predictions)
    return BlockMatch(
        kind,
        tuple(line.block.id for line in gold),
        _join([line.block.content for line in gold], kind),
        _join([block.content for block in blocks], blocks[0].kind),
        distance("".join(line.form for line in gold), form),
        blocks,
    )


def _join(contents: list[str], kind: BlockKind) -> str:
    return join_formulas(contents) if kind is BlockKind.FORMULA else "\n".join(contents)
