"""Score all predictions of a study and draw its items. A job, because some metrics take seconds per prediction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from config.jobs.services import Claim
from evaluation.metrics.base import ScoreStatus
from evaluation.metrics.bundles import ScoringSample, score_sample
from evaluation.metrics.registry import get
from evaluation.metrics.resample.random_draws import draw_order
from evaluation.models import GoldItem, Prediction
from evaluation.predictions import PredictionValue, Regions, Text
from evaluation.preference.design import PreferredMetric, TrialKind
from evaluation.preference.models import Item, ScoreSource, Study, StudyPreparation, StudyUnit
from evaluation.preference.sampling import (
    ScoredUnit,
    TooFewItems,
    compare_distributions,
    count_drawable,
    draw_sample,
)
from evaluation.preference.score_mapping import MappingKind, ScoreMapping, format_score, may_reveal_metric
from evaluation.preference.services.configure_study import StudyNotDraft, lock_draft, scores_of
from evaluation.preference.study_record import FIRST, SECOND

CHUNK = 20
HIGH, LOW = (88, 100), (0, 12)  # tenths of the shown scores of attention items, clearly different


def mapping_of(source: ScoreSource) -> ScoreMapping | None:
    """The mapping of a compared score; None for others."""
    return ScoreMapping(MappingKind(source.mapping), source.low, source.high) if source.mapping else None


def run_preparation(run: StudyPreparation, *, claim: Claim) -> None:
    """Score the predictions without a unit, chunk by chunk, then draw. A job that was killed continues where it
    stopped."""
    study = run.study
    sources = list(study.score_sources.all())
    left_out: dict[str, int] = dict.fromkeys(("no_problem", "no_answer", "no_score"), 0)
    predictions = list(_predictions(study, left_out))
    done = set(study.units.values_list("gold", "system"))
    scores = scores_of(study)
    for start in range(0, len(predictions), CHUNK):
        claim.heartbeat(done=start, total=len(predictions))
        rows = []
        for gold, system, output in predictions[start : start + CHUNK]:
            if (gold.pk, system) not in done:
                values = {source.key: _value(source, gold, system, output, scores) for source in sources}
                known = {key: value for key, value in values.items() if value is not None}
                rows.append(StudyUnit(study=study, gold=gold, system=system, output=output, values=known))
        StudyUnit.objects.bulk_create(rows)
    claim.heartbeat(done=len(predictions), total=len(predictions))
    try:
        _draw(study, sources, left_out)
    except StudyNotDraft:
        return  # opened or removed in the meantime


def prediction_text(prediction: PredictionValue) -> str:
    """A prediction as one Markdown text: regions become display formulas in their order."""
    match prediction:
        case Text(text):
            return text
        case Regions(latex):
            order = sorted(latex, key=lambda number: (len(number), number))
            return "\n\n".join(f"$$\n{latex[number]}\n$$" for number in order)
    return ""


def _predictions(study: Study, left_out: dict[str, int]) -> Iterator[tuple[GoldItem, str, str]]:
    """(gold, system, text) of every prediction for a sample with a problem and a reference answer."""
    sets = list(study.prediction_sets.select_related("system").order_by("pk"))
    prediction_of: dict[tuple[int, int], Prediction] = {
        (row.item_id, row.prediction_set_id): row
        for row in Prediction.objects.filter(prediction_set__in=sets)
    }
    for gold in GoldItem.objects.filter(release=study.release_id).order_by("position"):
        extra = gold.record.get("extra", {})
        if not (str(extra.get("problem", "")).strip() and str(extra.get("reference_answer", "")).strip()):
            left_out["no_problem"] += 1
            continue
        for prediction_set in sets:
            row = prediction_of.get((gold.pk, prediction_set.pk))
            output = "" if row is None else prediction_text(row.value)
            if output.strip():
                yield gold, _name_of(prediction_set.system.name, prediction_set.pk, sets), output
            else:
                left_out["no_answer"] += 1


def _name_of(name: str, pk: int, sets: Iterable[Any]) -> str:
    """The system's name, with a number if the study has several prediction sets of the system."""
    own_sets = [prediction_set.pk for prediction_set in sets if prediction_set.system.name == name]
    return name if len(own_sets) == 1 else f"{name[:100]} ({own_sets.index(pk) + 1})"


def _value(source: ScoreSource, gold: GoldItem, system: str, output: str, scores: Any) -> float | None:
    if source.column:
        uploaded: float | None = scores.of(gold.sample_id, system, source.column)
        return uploaded
    extra = gold.record.get("extra", {})
    sample = ScoringSample(
        id=gold.sample_id,
        structure=gold.structure,
        prediction=Text(output),
        reference=Text(gold.record["text"]),
        language=gold.language,
        subtask=str(extra.get("subtask", "")),
    )
    score = score_sample(sample, metric=source.metric, preset=source.preset)
    has_number = score.status not in (ScoreStatus.TOO_LARGE.value, ScoreStatus.UNDEFINED.value)
    return score.value if has_number else None


def _draw(study: Study, sources: list[ScoreSource], left_out: dict[str, int]) -> None:
    """Replace the items by a new draw: the sample, practice items and attention items."""
    with transaction.atomic():
        locked = lock_draft(study)
        all_units = list(locked.units.select_related("gold").order_by("gold__position", "system"))
        units = [unit for unit in all_units if FIRST in unit.values and SECOND in unit.values]
        left_out["no_score"] = len(all_units) - len(units)
        maps = {source.key: mapping_of(source) for source in sources if source.key in (FIRST, SECOND)}
        scored = [_score_unit(unit, maps, locked.decimals) for unit in units]
        left_out["equal_scores"] = sum(unit.is_equal for unit in scored)
        report: dict[str, Any] = {
            "left_out": left_out,
            "n_units": len(units),
            "available": count_drawable(scored),
        }
        Item.objects.filter(study=locked).delete()
        try:
            main = draw_sample(scored, locked.n_items, seed=locked.seed)
        except TooFewItems:
            report["is_short"] = True
        else:
            report |= _sample_report(units, scored, main, maps, locked.decimals)
            Item.objects.bulk_create(_items(locked, units, scored, main, maps))
        for source in sources:
            ScoreSource.objects.filter(pk=source.pk).update(signature=_signature(source, locked))
        locked.draw = report
        locked.save(update_fields=["draw"])


def _score_unit(unit: StudyUnit, maps: Mapping[str, ScoreMapping | None], decimals: int) -> ScoredUnit:
    first, second = (_mapped(unit, maps, key) for key in (FIRST, SECOND))
    is_equal = format_score(first, decimals) == format_score(second, decimals)
    return ScoredUnit(unit.gold.sample_id, unit.system, first, second, is_equal)


def _mapped(unit: StudyUnit, maps: Mapping[str, ScoreMapping | None], key: str) -> float:
    mapping = maps[key]
    assert mapping is not None
    return mapping.mapped(unit.values[key])


def _sample_report(
    units: list[StudyUnit],
    scored: list[ScoredUnit],
    main: list[int],
    maps: Mapping[str, ScoreMapping | None],
    decimals: int,
) -> dict[str, Any]:
    """The sample against the full set, and what in it could reveal a metric."""
    chosen = [scored[place] for place in main]
    full = {FIRST: [unit.first for unit in scored], SECOND: [unit.second for unit in scored]}
    drawn = {FIRST: [unit.first for unit in chosen], SECOND: [unit.second for unit in chosen]}
    comparisons = {key: compare_distributions(full[key], drawn[key]) for key in full}
    clipped = {}
    for key, mapping in maps.items():
        assert mapping is not None
        clipped[key] = sum(mapping.is_clipped(unit.values[key]) for unit in units)
    shown = {key: [format_score(value, decimals) for value in values] for key, values in drawn.items()}
    return {
        "mirror": {key: asdict(row) if row else None for key, row in comparisons.items()},
        "clipped": clipped,
        "is_telling": may_reveal_metric(shown[FIRST], shown[SECOND]),
    }


def _items(
    study: Study,
    units: list[StudyUnit],
    scored: list[ScoredUnit],
    main: list[int],
    maps: Mapping[str, ScoreMapping | None],
) -> list[Item]:
    taken = {scored[place].sample for place in main}
    order = draw_order(study.seed, 900_001, len(units)).tolist()
    spare = [place for place in order if scored[place].sample not in taken]
    unequal = [place for place in spare if not scored[place].is_equal]
    practice = list({scored[place].sample: place for place in reversed(unequal)}.values())[: study.n_practice]
    used = taken | {scored[place].sample for place in practice}
    rows = [_prediction_item(study, TrialKind.MAIN, units[place], scored[place]) for place in main]
    rows += [_prediction_item(study, TrialKind.PRACTICE, units[place], scored[place]) for place in practice]
    rows += _attention_items(study, used)
    for number, row in enumerate(rows, start=1):
        row.number = number
    return rows


def _prediction_item(study: Study, kind: TrialKind, unit: StudyUnit, scored: ScoredUnit) -> Item:
    return Item(
        study=study,
        kind=kind.value,
        gold=unit.gold,
        system=unit.system,
        output=unit.output,
        values=unit.values,
        shown_first=format_score(scored.first, study.decimals),
        shown_second=format_score(scored.second, study.decimals),
    )


def _attention_items(study: Study, used: set[str]) -> list[Item]:
    """Items with a known right choice, in turn: the ground truth, for which the high score is right, and the text of
    another sample, for which the low one is. Samples outside the study are used first."""
    golds = [
        gold
        for gold in GoldItem.objects.filter(release=study.release_id).order_by("position")
        if gold.record.get("extra", {}).get("problem")
        and gold.record.get("extra", {}).get("reference_answer")
    ]
    order = [golds[place] for place in draw_order(study.seed, 900_002, len(golds)).tolist()]
    order.sort(key=lambda gold: gold.sample_id in used)
    random_numbers = draw_order(study.seed, 900_003, 1000).tolist()
    rows = []
    for index, gold in enumerate(order[: study.n_attention]):
        is_faithful = index % 2 == 0 or len(order) < 2
        text = gold.record["text"] if is_faithful else order[index - 1].record["text"]
        high = format_score(
            (HIGH[0] + random_numbers[2 * index] % (HIGH[1] - HIGH[0] + 1)) / 10, study.decimals
        )
        low = format_score(
            (LOW[0] + random_numbers[2 * index + 1] % (LOW[1] - LOW[0] + 1)) / 10, study.decimals
        )
        is_first_high = random_numbers[-1 - index] % 2 == 0
        expected = PreferredMetric.FIRST if is_first_high == is_faithful else PreferredMetric.SECOND
        rows.append(
            Item(
                study=study,
                kind=TrialKind.ATTENTION.value,
                gold=gold,
                output=text,
                shown_first=high if is_first_high else low,
                shown_second=low if is_first_high else high,
                expected=expected.value,
            )
        )
    return rows


def _signature(source: ScoreSource, study: Study) -> str:
    data = f"data:{study.release.checksum[:12]}"
    if source.column:
        return f"upload:{source.column}|{data}"
    signature = get(source.metric).make_accumulator(source.preset).signature
    return f"{signature}|{data}"[:300]
