"""The string metrics against the reference vectors: every figure of every row (BLEU to 1e-6, else 1e-9).

`python -m benchmarks.metrics.verify_text [../shared/vectors]`; exit code 1 if a figure is off that is not in
`EXCEPTIONS`, or more than 2 % of the rows are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.metrics.comparing import Compared, conclude, default_vectors
from evaluation.metrics.normalise import normalise
from evaluation.metrics.text import bleu, bleu_corpus, cer, edit, ned, wer

EXCEPTIONS: dict[str, str] = {}
"""Row id -> cause; at most 2 % of the rows. None is needed: every row agrees."""

TOLERANCE, BLEU_TOLERANCE = 1e-9, 1e-6
_EDIT_PRESETS = {"odb15": "omnidocbench-1.5", "odb16": "omnidocbench-1.6"}
_BLEU = ("sacrebleu_sentence", "sacrebleu_corpus_of_one")


def compare(vectors: Path) -> Iterator[Compared]:
    """Normalised texts, edit distances, NED, CER, WER with their operations, BLEU by tokeniser."""
    for line in (vectors / "text.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for figure, value, expected in _figures(row["pred"], row["gt"], row["scores"]):
            yield row["id"], figure, value, expected


def _figures(prediction: str, reference: str, scores: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key, preset in _EDIT_PRESETS.items():
        scored = scores[key]
        for side, text, is_prediction in (("gt", reference, False), ("pred", prediction, True)):
            expected = text if scored[f"used_raw_{side}"] else scored[f"norm_{side}"]
            yield f"{key}/{side}", normalise(text, preset=preset, is_prediction=is_prediction), expected
        yield f"{key}/edit", edit(prediction, reference, preset=preset).value, scored["edit_dist"]
    yield "ned", edit(prediction, reference, preset="none").value, scores["ned"]
    yield "1-ned", ned(prediction, reference, preset="none").value, scores["one_minus_ned"]
    for name, rate in (("cer", cer), ("wer", wer)):
        score = rate(prediction, reference, preset="jiwer", with_alignment=True)
        yield name, score.value, scores[name]
        if "hits" in score.details:
            for index, count in enumerate(("hits", "substitutions", "deletions", "insertions")):
                yield f"{name}/{count}", score.details[count], scores[f"{name}_hits_sub_del_ins"][index]
    for group in _BLEU:
        for name, value in scores[group].items():
            score = bleu(prediction, reference, preset=f"sacrebleu-{name}")
            if group == "sacrebleu_corpus_of_one":
                score = bleu_corpus([(prediction, reference)], preset=f"sacrebleu-{name}")
            yield f"{group}/{name}", score.value, value / 100


def main(vectors: Path) -> int:
    """Print what was compared and every figure that is off."""
    return conclude("text", compare(vectors), tolerance=_tolerance, exceptions=EXCEPTIONS)


def _tolerance(figure: str) -> float:
    return BLEU_TOLERANCE if figure.startswith("sacrebleu") else TOLERANCE


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default_vectors()))
