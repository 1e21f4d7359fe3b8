"""The string metrics: edit distance, CER, WER, 1-NED, BLEU-4 and token F1, one sample or a corpus.

Characters are Unicode code points. Sources: OmniDocBench (edit), jiwer (CER, WER), sacrebleu (BLEU),
OmniHandwritingOCR ("Metrics") for the suite; docs/metrics/ has a page for each. How they are computed is in
`string_metric.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.metrics.aggregation import Average
from evaluation.metrics.base import Pair, Score
from evaluation.metrics.normalise import DEFAULT
from evaluation.metrics.string_metric import (
    BLEU,
    CER,
    EDIT,
    F1,
    NED,
    WER,
    score_corpus,
    score_pair,
)
from evaluation.metrics.string_metric import make_accumulator as make_accumulator
from evaluation.metrics.string_metric import metric_presets as metric_presets
from evaluation.predictions import PredictedText


def edit(
    prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT, with_alignment: bool = False
) -> Score:
    """Normalised edit distance: Levenshtein / length of the longer text, in 0..1, lower is better.

    Symmetric. `with_alignment` adds the alignment and its counts to `details`. Raises ValueError for an unknown preset.
    Source: OmniDocBench; WildHandBench, "Evaluation".

    >>> edit("−5", "5").value, edit("-5", "5", preset="omnidocbench-1.5").value
    (0.5, 0.0)
    >>> edit(None, "ink").status
    <ScoreStatus.MISSING: 'missing'>
    """
    return score_pair(EDIT, prediction, reference, preset, with_alignment=with_alignment)


def cer(
    prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT, with_alignment: bool = False
) -> Score:
    """Character error rate: Levenshtein / length of the reference, from 0, may exceed 1, lower is better.

    Not symmetric. Raises ValueError for an unknown preset. Source: jiwer; OmniHandwritingOCR, "Metrics".

    >>> cer("hallo!", "hello").value
    0.4
    >>> cer("hello", "", preset="jiwer").value
    5.0
    """
    return score_pair(CER, prediction, reference, preset, with_alignment=with_alignment)


def wer(
    prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT, with_alignment: bool = False
) -> Score:
    """Token error rate: edits over tokens / tokens of the reference, from 0, may exceed 1, lower is better.

    The preset defines tokens (docs/metrics/presets.md): `jiwer` words between blanks, `inkbench-1` words and single
    Chinese characters, the suite the tokens of each subtask. Raises ValueError for an unknown preset. Source: jiwer;
    OmniHandwritingOCR, "Metrics".

    >>> wer("the cat sad", "the cat sat").value, wer("写字", "写字").value
    (0.3333333333333333, 0.0)
    """
    return score_pair(WER, prediction, reference, preset, with_alignment=with_alignment)


def ned(
    prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT, with_alignment: bool = False
) -> Score:
    """1-NED: one minus the normalised edit distance, in 0..1, higher is better. Symmetric; two empty texts score 1.

    Raises ValueError for an unknown preset. Source: OmniHandwritingOCR, "Metrics" (its primary metric).

    >>> ned("abcd", "abcx").value
    0.75
    """
    return score_pair(NED, prediction, reference, preset, with_alignment=with_alignment)


def token_f1(prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT) -> Score:
    """F1 of the token multisets, 2 |A and B| / (|A| + |B|), in 0..1, higher is better.

    Symmetric, ignores order. Raises ValueError for an unknown preset. Source: OmniHandwritingOCR, "Metrics"; there is
    no public program.

    >>> token_f1("the cat sat", "the cat ran").value
    0.6666666666666666
    """
    return score_pair(F1, prediction, reference, preset)


def bleu(prediction: PredictedText, reference: str | None, *, preset: str = DEFAULT) -> Score:
    """Sentence BLEU-4 in 0..1, higher is better, as sacrebleu's `sentence_bleu` (smoothed, effective order).

    `details` has the n-gram counts, which a corpus sums. Raises ValueError for an unknown preset. Source: Papineni et
    al. 2002, section 2; sacrebleu 2.6.

    >>> round(bleu("the cat sat on the mat", "the cat sat on a mat", preset="sacrebleu-13a").value, 6)
    0.537285
    """
    return score_pair(BLEU, prediction, reference, preset)


def edit_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """`edit` of a corpus; `average` is `pooled`, `sample` or `page` (OmniDocBench's leaderboard figure).

    `pages` gives the page of each pair; a page's score is its pooled ratio. `details` has all averages. Pairs are
    consumed as a stream. Raises ValueError for an unknown preset or average.

    >>> score = edit_corpus([("ab", "ab"), ("x", "y")], pages=["1", "2"])
    >>> score.value, score.details["averages"]["page"]
    (0.3333333333333333, 0.5)
    """
    return score_corpus(EDIT, pairs, preset, average, pages)


def cer_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """`cer` of a corpus: pooled is sum of edits / sum of reference lengths; see `edit_corpus`.

    >>> cer_corpus([("ab", "abcd"), ("x", "x")]).value
    0.4
    """
    return score_corpus(CER, pairs, preset, average, pages)


def wer_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """`wer` of a corpus; see `edit_corpus`.

    >>> wer_corpus([("a b", "a c"), ("x", "x")]).value
    0.3333333333333333
    """
    return score_corpus(WER, pairs, preset, average, pages)


def ned_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """`ned` of a corpus; see `edit_corpus`.

    >>> ned_corpus([("ab", "ab"), ("x", "y")], average="sample").value
    0.5
    """
    return score_corpus(NED, pairs, preset, average, pages)


def token_f1_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """`token_f1` of a corpus: pooled is the micro F1 over all tokens; see `edit_corpus`.

    >>> token_f1_corpus([("a b", "a b"), ("c", "d")]).value
    0.6666666666666666
    """
    return score_corpus(F1, pairs, preset, average, pages)


def bleu_corpus(
    pairs: Iterable[Pair],
    *,
    preset: str = DEFAULT,
    average: Average | str = Average.POOLED,
    pages: Iterable[str] | None = None,
) -> Score:
    """BLEU-4 of a corpus: pooled is sacrebleu's `corpus_bleu` (n-gram counts added), `sample` the mean.

    >>> pairs = [("the cat sat on the mat", "the cat sat on the mat"), ("no", "yes")]
    >>> bleu_corpus(pairs, average="sample").value
    0.5
    >>> round(bleu_corpus(pairs).value, 6)
    0.962195
    """
    return score_corpus(BLEU, pairs, preset, average, pages)
