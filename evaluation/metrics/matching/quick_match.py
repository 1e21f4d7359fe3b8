"""Pairing a page's blocks with its gold as OmniDocBench's `quick_match` does, without its clock.

Text and formulas are matched together (a formula may be answered as text and the other way round):

1. gold that is an array of one column, and such predictions, are split into rows;
2. predictions close (under 0.25) to ignored gold are set aside;
3. gold without a close prediction may claim a run of neighbouring predictions that together fit it better;
4. the rest is assigned one to one at least total distance; a pair above 0.7 is none;
5. gold still alone that lies inside some prediction (under 0.4) joins that prediction's gold;
6. what is left on both sides is assigned once more, text to text and formula to formula, if anything is shared
   (a poor transcription is still the answer to its block); inline formulas take no part.

Tables are assigned among themselves on their raw markup; the cells of left-over predicted tables go into
step 1 as text. Where the public code leaves a choice to accident, the choice here is the first in page order.
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
from evaluation.payloads.assignment import assign

PRESET = "omnidocbench"
MAX_BLOCKS = 1_000
"""Most blocks of one side that are assigned; more is too large."""

CLOSE = 0.25
FAR = 0.7
INSIDE = 0.4


@dataclass(frozen=True, slots=True)
class _Line:
    """A block beside the form it is compared by."""

    form: str


@dataclass(frozen=True, slots=True)
class _GoldLine(_Line):
    block: GoldBlock


@dataclass(frozen=True, slots=True)
class _Answer(_Line):
    block: Block


def quick_match(blocks: Sequence[Block], gold: Sequence[GoldBlock]) -> PageMatch:
    """Pair predicted blocks with gold; errors: TooLarge over MAX_BLOCKS on one side."""
    if max(len(blocks), len(gold)) > MAX_BLOCKS:
        raise TooLarge(f"{len(blocks)} blocks, {len(gold)} in the gold; at most {MAX_BLOCKS} (MAX_BLOCKS)")
    tables, spare_tables = _match_tables(blocks, of_kind(gold, BlockKind.TABLE))
    cells = [cell for table in spare_tables for cell in _cells_as_text(table)] if tables else []
    answers = _answer_lines([*(block for block in blocks if block.kind is not BlockKind.TABLE), *cells])
    gold_lines = _gold_lines(gold)
    answers, ignored = _set_aside(answers, [line for line in gold_lines if line.block.is_ignored])
    matches, unmatched = _match_lines(answers, [line for line in gold_lines if not line.block.is_ignored])
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
    """Tables one to one; LaTeX tables are used only where they outnumber all others (they score 0)."""
    latex = [block for block in blocks if block.kind is BlockKind.TABLE and block.origin == "latex"]
    others = [block for block in blocks if block.kind is BlockKind.TABLE and block.origin != "latex"]
    used, unused = (latex, others) if len(latex) > len(others) else (others, latex)
    costs = distances([block.content for block in gold], [block.content for block in used])
    partner = dict(assign(costs))
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
    """The cells of a predicted table nobody claimed: gold text may have been answered as a table."""
    if table.origin == "latex":
        return []
    root = etree.fromstring(replace_invalid_characters(table.content), parser=etree.HTMLParser())
    texts = (" ".join("".join(cell.itertext()).split()) for cell in root.iter("td", "th"))
    return [Block(BlockKind.TEXT, text, table.start, "cell") for text in texts if text]


def _answer_lines(blocks: Sequence[Block]) -> list[_Answer]:
    """In page order with inline formulas last; formulas split into rows, blocks that mean nothing dropped."""
    lines = []
    for block in sorted(blocks, key=lambda block: (block.is_inline, block.start)):
        if block.kind is BlockKind.TEXT:
            lines.append(_Answer(text_key(block.content, is_prediction=True), block))
        else:
            lines += [
                _Answer(formula_key(row), replace(block, content=row)) for row in split_rows(block.content)
            ]
    return [line for line in lines if line.form]


def _gold_lines(gold: Sequence[GoldBlock]) -> list[_GoldLine]:
    """As `_answer_lines`; the rows of a split formula are named `id#1`, `id#2`, ..."""
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
    answers: list[_Answer], ignored_gold: Sequence[_GoldLine]
) -> tuple[list[_Answer], list[Block]]:
    costs = distances([line.form for line in ignored_gold], [line.form for line in answers])
    if not costs.size:
        return answers, []
    is_taken = [bool((costs[:, index] < CLOSE).any()) for index in range(len(answers))]
    kept = [line for line, taken in zip(answers, is_taken, strict=True) if not taken]
    return kept, [line.block for line, taken in zip(answers, is_taken, strict=True) if taken]


def _match_lines(
    answers: Sequence[_Answer], gold: Sequence[_GoldLine]
) -> tuple[list[BlockMatch], list[Block]]:
    """Matches of all gold lines, and the predicted blocks left over."""
    runs = [[answers[index] for index in run] for run in _runs(answers, gold)]
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


def _runs(answers: Sequence[_Answer], gold: Sequence[_GoldLine]) -> list[list[int]]:
    """The predictions as runs: those one gold block claims together, and the others one by one."""
    joined = find_runs([line.form for line in gold], [line.form for line in answers], close=CLOSE)
    first_of = {run[0]: run for run in joined}
    inside = {index for run in joined for index in run[1:]}
    return [first_of.get(index, [index]) for index in range(len(answers)) if index not in inside]


def _assign(forms: Sequence[str], gold: Sequence[_GoldLine]) -> dict[int, list[int]]:
    """run -> gold lines, one each, at least total distance, without pairs above FAR."""
    costs = distances([line.form for line in gold], forms)
    return {column: [row] for row, column in assign(costs) if costs[row, column] <= FAR}


def _join_inside(claims: dict[int, list[int]], forms: Sequence[str], gold: Sequence[_GoldLine]) -> None:
    """Unclaimed gold that lies inside a prediction joins it; the first such prediction takes it."""
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
    runs: Sequence[Sequence[_Answer]],
    forms: Sequence[str],
    gold: Sequence[_GoldLine],
) -> None:
    """Gold and predictions of one kind without a partner are paired once more, however little they share."""
    claimed = {member for members in claims.values() for member in members}
    for kind in (BlockKind.TEXT, BlockKind.FORMULA):
        alone = [index for index, line in enumerate(gold) if index not in claimed and line.block.kind is kind]
        free = [
            number
            for number, run in enumerate(runs)
            if number not in claims and run[0].block.kind is kind and not run[0].block.is_inline
        ]
        costs = distances([gold[index].form for index in alone], [forms[number] for number in free])
        for row, column in assign(costs):
            if costs[row, column] < 1.0:  # with nothing in common both stay alone
                claims[free[column]] = [alone[row]]


def _as_match(answers: Sequence[_Answer], form: str, gold: Sequence[_GoldLine]) -> BlockMatch:
    """One match; among gold of both kinds the more frequent names it, the first at a tie."""
    kinds = [line.block.kind for line in gold]
    kind = max(kinds, key=kinds.count)
    blocks = tuple(line.block for line in answers)
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
