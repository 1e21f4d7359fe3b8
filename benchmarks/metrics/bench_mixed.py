"""500 mixed samples, every metric of their kind: 250 texts, 100 Markdown pages to match, 150 tables.

`python -m benchmarks.metrics.bench_mixed`; CPU seconds, best of five, without imports and first use. The CDM benchmark
measures formulas.
"""

from __future__ import annotations

import random
from functools import partial

from benchmarks.metrics.handwriting import handwriting_samples
from benchmarks.metrics.timing import measure
from evaluation.metrics.bundles import ScoringSample, score_samples
from evaluation.metrics.normalise.unicode_maths import clear_cache
from evaluation.predictions import Text

TEXTS, PAGES, TABLES = 250, 100, 150


def main(*, is_quick: bool) -> None:
    """Print the measurements; `is_quick` changes nothing."""
    pages, others = mixed_samples()
    score_everything(pages[:2], others[-2:])
    timing = measure(partial(score_everything, pages, others))
    print(f"{len(pages) + len(others)} mixed samples, every metric of their kind: {timing}")


def mixed_samples() -> tuple[list[ScoringSample], list[ScoringSample]]:
    """Pages for `wildhandbench`, then texts and tables for `inkbench-1`."""
    texts = [sample for sample in handwriting_samples(0.05) if sample.structure == "text"]
    draw = random.Random(11)
    pages = []
    for number in range(PAGES):
        paragraphs = draw.sample(texts, 6)
        prediction = "\n\n".join(sample.prediction or "" for sample in draw.sample(paragraphs, 6))
        reference = "\n\n".join(sample.reference or "" for sample in paragraphs)
        pages.append(
            ScoringSample(f"page-{number}", "text", Text(f"{prediction} $x_{{{number}}}$"), Text(reference))
        )
    tables = [_table_sample(number, draw) for number in range(TABLES)]
    return pages, draw.sample(texts, TEXTS) + tables


def score_everything(pages: list[ScoringSample], others: list[ScoringSample]) -> None:
    """Score with both bundles, with an empty cache of converted formulas."""
    clear_cache()
    score_samples(pages, bundle="wildhandbench")
    score_samples(others, bundle="inkbench-1")


def _table_sample(number: int, draw: random.Random) -> ScoringSample:
    rows, columns = draw.randrange(4, 14), draw.randrange(3, 8)
    cells = [[f"{draw.randrange(1000)}.{draw.randrange(10)}" for _ in range(columns)] for _ in range(rows)]
    reference = _markup(cells)
    for _ in range(rows * columns // 10):
        cells[draw.randrange(rows)][draw.randrange(columns)] = str(draw.randrange(1000))
    if draw.random() < 0.3:
        del cells[draw.randrange(rows)]
    return ScoringSample(f"table-{number}", "table", Text(_markup(cells)), Text(reference))


def _markup(cells: list[list[str]]) -> str:
    rows = ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return f"<table>{''.join(rows)}</table>"


if __name__ == "__main__":
    main(is_quick=False)
