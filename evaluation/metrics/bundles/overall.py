"""The Overalls of the papers: means of corpus scores, not applicable where one is missing."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.base import Direction, Score, ScoreStatus, Signature


def wildhandbench_overall(
    edit: Score | None, cdm: Score | None, teds: Score | None, *, signature: Signature
) -> Score:
    """WildHandBench's Overall: mean of 1 - Edit, CDM and TEDS, in 0..1; NOT_APPLICABLE where one is missing.

    Source: WildHandBench, "Evaluation" (after OmniDocBench).

    >>> from evaluation.metrics import edit
    >>> wildhandbench_overall(edit("a", "a"), None, None, signature=Signature("overall", "wildhandbench")).reason
    'no score for: CDM, TEDS'
    """
    parts = {"1 − Edit": edit, "CDM": cdm, "TEDS": teds}
    return _mean_of(parts, Direction.HIGHER, signature, inverted=("1 − Edit",))


def overall_up(bleu: Score | None, f1: Score | None, ned: Score | None, *, signature: Signature) -> Score:
    """OmniHandwritingOCR's Overall-up: mean of BLEU-4, token F1 and 1-NED, in 0..1, higher is better."""
    return _mean_of({"BLEU-4": bleu, "F1": f1, "1 − NED": ned}, Direction.HIGHER, signature)


def overall_down(cer: Score | None, wer: Score | None, *, signature: Signature) -> Score:
    """OmniHandwritingOCR's Overall-down: mean of CER and WER, from 0, may exceed 1, lower is better."""
    return _mean_of({"CER": cer, "WER": wer}, Direction.LOWER, signature)


def _mean_of(
    parts: dict[str, Score | None],
    direction: Direction,
    signature: Signature,
    inverted: Sequence[str] = (),
) -> Score:
    values = {name: None if score is None else score.value for name, score in parts.items()}
    absent = [name for name, value in values.items() if value is None]
    n = sum(score.n for score in parts.values() if score is not None)
    n_failed = sum(score.n_failed for score in parts.values() if score is not None)
    if absent:
        reason = f"no score for: {', '.join(absent)}"
        return Score(None, 0, 0, n, n_failed, direction, ScoreStatus.NOT_APPLICABLE, signature, reason)
    figures = {
        name: 1 - value if name in inverted else value for name, value in values.items() if value is not None
    }
    total = sum(figures.values())
    return Score(
        total / len(figures),
        total,
        len(figures),
        n,
        n_failed,
        direction,
        ScoreStatus.SCORED,
        signature,
        details={"parts": figures},
    )
