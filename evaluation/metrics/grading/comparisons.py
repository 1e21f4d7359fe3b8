"""Comparisons between conditions and systems: the effect of a reference diagram, a stylus or a prompt.

Pure functions over judgements whose `tags` name the condition: `system`, `setting` (with_reference,
no_reference), `modality` (paper, electronic), `solution` (exact, alternative; correct answers only) and
`prompt` (baseline, rubric, chain_of_thought). A missing condition gives an undefined score with a reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.metrics.base import Score
from evaluation.metrics.grading.error_types import count_errors, error_scores
from evaluation.metrics.grading.judgements import Judgement
from evaluation.metrics.grading.verdicts import count_verdicts, verdict_scores
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy

ALL_DOMAINS = ""
"""The `domain` of a row over all domains."""


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """Accuracy, FNR, FPR and example-based F1 of one group of judgements."""

    accuracy: Score
    fnr: Score
    fpr: Score
    example_f1: Score


@dataclass(frozen=True, slots=True)
class ConditionDelta:
    """First condition minus second, on the scale of the metrics; None where one side has no figure."""

    system: str
    domain: str
    first: GroupFigures
    second: GroupFigures
    accuracy: float | None
    example_f1: float | None


@dataclass(frozen=True, slots=True)
class PooledRecall:
    """Recall of one error type, pooled over all systems, with the quartiles of the systems' own recalls.

    `quartile_1` and `quartile_3` (linear interpolation between order statistics) are over the systems with at
    least one gold error of the type in their strict set; None with fewer than two systems.
    """

    label: str
    pooled: float
    n_gold: int
    quartile_1: float | None
    quartile_3: float | None
    by_system: tuple[tuple[str, float], ...]


def figures(
    judgements: Sequence[Judgement], *, preset: str = "inkbench-1", taxonomy: Taxonomy = DIAGRAM_TAXONOMY
) -> GroupFigures:
    """The compared figures of one group.

    >>> figures([Judgement("a", "chart", True, True)]).accuracy.value
    1.0
    """
    verdicts = verdict_scores(count_verdicts(judgements), preset=preset)
    errors = error_scores(count_errors(judgements, taxonomy=taxonomy), preset=preset)
    return GroupFigures(verdicts["accuracy"], verdicts["fnr"], verdicts["fpr"], errors["example_f1"])


def condition_deltas(
    judgements: Iterable[Judgement],
    *,
    tag: str,
    first: str,
    second: str,
    preset: str = "inkbench-1",
    taxonomy: Taxonomy = DIAGRAM_TAXONOMY,
) -> list[ConditionDelta]:
    """First minus second, for every system over all domains and in each domain, sorted.

    The two conditions need not hold the same answers (paper and electronic never do). Where they should (with and
    without reference), pass only the answers that both have.

    >>> def one(name, modality, said):
    ...     return Judgement(name, "chart", True, said, tags={"system": "s", "modality": modality})
    >>> rows = [one("a", "paper", False), one("b", "paper", True), one("c", "electronic", True)]
    >>> condition_deltas(rows, tag="modality", first="electronic", second="paper")[0].accuracy
    0.5
    """
    groups: dict[tuple[str, str], dict[str, list[Judgement]]] = defaultdict(lambda: {first: [], second: []})
    for judgement in judgements:
        condition = judgement.tags.get(tag)
        if condition in (first, second):
            for domain in (ALL_DOMAINS, judgement.domain):
                groups[judgement.tags.get("system", ""), domain][condition].append(judgement)
    deltas = []
    for (system, domain), sides in sorted(groups.items()):
        above = figures(sides[first], preset=preset, taxonomy=taxonomy)
        below = figures(sides[second], preset=preset, taxonomy=taxonomy)
        has_both = bool(sides[first] and sides[second])
        deltas.append(
            ConditionDelta(
                system,
                domain,
                above,
                below,
                _difference(above.accuracy, below.accuracy) if has_both else None,
                _difference(above.example_f1, below.example_f1) if has_both else None,
            )
        )
    return deltas


def reference_deltas(judgements: Iterable[Judgement], *, preset: str = "inkbench-1") -> list[ConditionDelta]:
    """With reference minus without (SketchJudge, figure 5)."""
    return condition_deltas(
        judgements, tag="setting", first="with_reference", second="no_reference", preset=preset
    )


def modality_deltas(judgements: Iterable[Judgement], *, preset: str = "inkbench-1") -> list[ConditionDelta]:
    """Electronic minus paper (SketchJudge, table 24)."""
    return condition_deltas(judgements, tag="modality", first="electronic", second="paper", preset=preset)


def solution_deltas(judgements: Iterable[Judgement], *, preset: str = "inkbench-1") -> list[ConditionDelta]:
    """Exact minus alternative, over answers that are correct in gold (SketchJudge, table 25)."""
    correct = [judgement for judgement in judgements if judgement.gold]
    return condition_deltas(correct, tag="solution", first="exact", second="alternative", preset=preset)


def prompt_table(
    judgements: Iterable[Judgement],
    *,
    preset: str = "inkbench-1",
    taxonomy: Taxonomy = DIAGRAM_TAXONOMY,
) -> dict[tuple[str, str], GroupFigures]:
    """(system, prompt family) -> figures, sorted (SketchJudge, table 4). Untagged judgements are left out.

    >>> tags = {"system": "s", "prompt": "rubric"}
    >>> prompt_table([Judgement("a", "chart", True, True, tags=tags)])["s", "rubric"].accuracy.value
    1.0
    """
    groups: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        if "prompt" in judgement.tags:
            groups[judgement.tags.get("system", ""), judgement.tags["prompt"]].append(judgement)
    return {key: figures(group, preset=preset, taxonomy=taxonomy) for key, group in sorted(groups.items())}


def pooled_recalls(
    judgements: Iterable[Judgement], *, taxonomy: Taxonomy = DIAGRAM_TAXONOMY
) -> dict[str, PooledRecall]:
    """Recall per error type over all systems (SketchJudge, appendix E.2 and figure 6), repeats counted.

    Only answers incorrect in gold and in the system's reply count, so a system that calls everything correct
    does not count: read it beside FPR. Types without such answers are not in the result.

    >>> label = "chart::omission error"
    >>> def one(system, said):
    ...     return Judgement("a", "chart", False, False, (label,), said, tags={"system": system})
    >>> recall = pooled_recalls([one("x", (label,)), one("y", ())])[label]
    >>> recall.pooled, recall.quartile_1, recall.quartile_3
    (0.5, 0.25, 0.75)
    """
    by_system: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_system[judgement.tags.get("system", "")].append(judgement)
    named: Counter[str] = Counter()
    in_gold: Counter[str] = Counter()
    recalls: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for system, own in sorted(by_system.items()):
        for label, (hits, total) in count_errors(own, taxonomy=taxonomy).recalled.items():
            named[label] += hits
            in_gold[label] += total
            recalls[label].append((system, hits / total))
    return {
        label: PooledRecall(
            label, named[label] / in_gold[label], in_gold[label], *_quartiles(own), tuple(own)
        )
        for label, own in sorted(recalls.items())
    }


def _quartiles(recalls: Sequence[tuple[str, float]]) -> tuple[float | None, float | None]:
    if len(recalls) < 2:
        return None, None
    ordered = sorted(recall for _, recall in recalls)
    return _quantile(ordered, 0.25), _quantile(ordered, 0.75)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _difference(first: Score, second: Score) -> float | None:
    if first.value is None or second.value is None:
        return None
    return first.value - second.value
