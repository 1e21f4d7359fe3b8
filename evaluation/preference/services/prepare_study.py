"""Score every answer with a study's measures, and draw its items. A job: some metrics take seconds an answer."""

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
from evaluation.preference.design import PreferredMetric, TrialKind
from evaluation.preference.models import Item, ScoreSource, Study, StudyPreparation, StudyUnit
from evaluation.preference.sampling import SampledUnit as Scored
from evaluation.preference.sampling import TooFew, draw_sample, drawable, mirror
from evaluation.preference.score_mapping import MappingKind, ScoreMapping, are_telling, shown
from evaluation.preference.services.configure_study import NotADraft, hold_draft, scores_of
from evaluation.preference.study_record import FIRST, SECOND

CHUNK = 20
HIGH, LOW = (88, 100), (0, 12)  # tenths of the shown scores of attention items: apart at a glance


def mapping_of(measure: ScoreSource) -> ScoreMapping | None:
    return ScoreMapping(MappingKind(measure.mapping), measure.low, measure.high) if measure.mapping else None


def run_preparation(run: StudyPreparation, *, claim: Claim) -> None:
    """Score what has no unit yet, chunk by chunk, then draw. A run that was killed goes on where it stopped."""
    study = run.study
    measures = list(study.measures.all())
    left_out: dict[str, int] = dict.fromkeys(("no_problem", "no_answer", "no_score"), 0)
    answers = list(_answers(study, left_out))
    done = set(study.units.values_list("gold", "system"))
    scores = scores_of(study)
    for start in range(0, len(answers), CHUNK):
        claim.heartbeat(done=start, total=len(answers))
        rows = []
        for gold, system, output in answers[start : start + CHUNK]:
            if (gold.pk, system) not in done:
                values = {m.key: _value(m, gold, system, output, scores) for m in measures}
                found = {key: value for key, value in values.items() if value is not None}
                rows.append(StudyUnit(study=study, gold=gold, system=system, output=output, values=found))
        StudyUnit.objects.bulk_create(rows)
    claim.heartbeat(done=len(answers), total=len(answers))
    try:
        _draw(study, measures, left_out)
    except NotADraft:
        return  # opened or removed meanwhile: there is nothing to draw any more


def as_page(text: str, regions: Mapping[str, str] | None) -> str:
    """An answer as one page: formulas keyed by region become display formulas in the regions' order."""
    if regions is None:
        return text
    order = sorted(regions, key=lambda name: (len(name), name))
    return "\n\n".join(f"$$\n{regions[name]}\n$$" for name in order)


def _answers(study: Study, left_out: dict[str, int]) -> Iterator[tuple[GoldItem, str, str]]:
    """(gold, system, answer) of every answer to a sample with a problem and a reference answer."""
    sets = list(study.prediction_sets.select_related("system").order_by("pk"))
    given: dict[tuple[int, int], Prediction] = {
        (row.item_id, row.prediction_set_id): row
        for row in Prediction.objects.filter(prediction_set__in=sets)
    }
    for gold in GoldItem.objects.filter(release=study.release_id).order_by("position"):
        extra = gold.record.get("extra", {})
        if not (str(extra.get("problem", "")).strip() and str(extra.get("reference_answer", "")).strip()):
            left_out["no_problem"] += 1
            continue
        for each in sets:
            answer = given.get((gold.pk, each.pk))
            output = "" if answer is None or answer.failure else as_page(answer.text, answer.regions)
            if output.strip():
                yield gold, _name_of(each.system.name, each.pk, sets), output
            else:
                left_out["no_answer"] += 1


def _name_of(name: str, pk: int, sets: Iterable[Any]) -> str:
    """The system's name; with its set's number where the study compares several sets of one system."""
    same = [each.pk for each in sets if each.system.name == name]
    return name if len(same) == 1 else f"{name[:100]} ({same.index(pk) + 1})"


def _value(measure: ScoreSource, gold: GoldItem, system: str, output: str, scores: Any) -> float | None:
    if measure.column:
        found: float | None = scores.of(gold.sample_id, system, measure.column)
        return found
    extra = gold.record.get("extra", {})
    sample = ScoringSample(
        id=gold.sample_id,
        structure=gold.structure,
        prediction=output,
        reference=gold.record["text"],
        language=gold.language,
        subtask=str(extra.get("subtask", "")),
    )
    figure = score_sample(sample, metric=measure.metric, preset=measure.preset)
    has_number = figure.status not in (ScoreStatus.TOO_LARGE.value, ScoreStatus.UNDEFINED.value)
    return figure.value if has_number else None


def _draw(study: Study, measures: list[ScoreSource], left_out: dict[str, int]) -> None:
    """Items of the sample, for practice and for attention, in place of those of an earlier draw."""
    with transaction.atomic():
        held = hold_draft(study)
        whole = list(held.units.select_related("gold").order_by("gold__position", "system"))
        units = [unit for unit in whole if FIRST in unit.values and SECOND in unit.values]
        left_out["no_score"] = len(whole) - len(units)
        maps = {m.key: mapping_of(m) for m in measures if m.key in (FIRST, SECOND)}
        scored = [_scored(unit, maps, held.decimals) for unit in units]
        left_out["equal_scores"] = sum(each.is_equal for each in scored)
        report: dict[str, Any] = {"left_out": left_out, "n_units": len(units), "available": drawable(scored)}
        Item.objects.filter(study=held).delete()
        try:
            main = draw_sample(scored, held.n_items, seed=held.seed)
        except TooFew:
            report["is_short"] = True
        else:
            report |= _told(units, scored, main, maps, held.decimals)
            Item.objects.bulk_create(_items(held, units, scored, main, maps))
        for measure in measures:
            ScoreSource.objects.filter(pk=measure.pk).update(signature=_signature(measure, held))
        held.draw = report
        held.save(update_fields=["draw"])


def _scored(unit: StudyUnit, maps: Mapping[str, ScoreMapping | None], decimals: int) -> Scored:
    first, second = (_mapped(unit, maps, key) for key in (FIRST, SECOND))
    is_equal = shown(first, decimals) == shown(second, decimals)
    return Scored(unit.gold.sample_id, unit.system, first, second, is_equal)


def _mapped(unit: StudyUnit, maps: Mapping[str, ScoreMapping | None], key: str) -> float:
    mapping = maps[key]
    assert mapping is not None
    return mapping.mapped(unit.values[key])


def _told(
    units: list[StudyUnit],
    scored: list[Scored],
    main: list[int],
    maps: Mapping[str, ScoreMapping | None],
    decimals: int,
) -> dict[str, Any]:
    """How near the sample is to the full set, and what in it could give a metric away."""
    chosen = [scored[place] for place in main]
    full = {FIRST: [unit.first for unit in scored], SECOND: [unit.second for unit in scored]}
    drawn = {FIRST: [unit.first for unit in chosen], SECOND: [unit.second for unit in chosen]}
    near = {key: mirror(full[key], drawn[key]) for key in full}
    clipped = {}
    for key, mapping in maps.items():
        assert mapping is not None
        clipped[key] = sum(mapping.is_clipped(unit.values[key]) for unit in units)
    written = {key: [shown(value, decimals) for value in values] for key, values in drawn.items()}
    return {
        "mirror": {key: asdict(found) if found else None for key, found in near.items()},
        "clipped": clipped,
        "is_telling": are_telling(written[FIRST], written[SECOND]),
    }


def _items(
    study: Study,
    units: list[StudyUnit],
    scored: list[Scored],
    main: list[int],
    maps: Mapping[str, ScoreMapping | None],
) -> list[Item]:
    taken = {scored[place].sample for place in main}
    order = draw_order(study.seed, 900_001, len(units)).tolist()
    spare = [place for place in order if scored[place].sample not in taken]
    unequal = [place for place in spare if not scored[place].is_equal]
    practice = list({scored[place].sample: place for place in reversed(unequal)}.values())[: study.n_practice]
    used = taken | {scored[place].sample for place in practice}
    rows = [_answered(study, TrialKind.MAIN, units[place], scored[place]) for place in main]
    rows += [_answered(study, TrialKind.PRACTICE, units[place], scored[place]) for place in practice]
    rows += _attention(study, used)
    for number, row in enumerate(rows, start=1):
        row.number = number
    return rows


def _answered(study: Study, kind: TrialKind, unit: StudyUnit, scored: Scored) -> Item:
    return Item(
        study=study,
        kind=kind.value,
        gold=unit.gold,
        system=unit.system,
        output=unit.output,
        values=unit.values,
        shown_first=shown(scored.first, study.decimals),
        shown_second=shown(scored.second, study.decimals),
    )


def _attention(study: Study, used: set[str]) -> list[Item]:
    """Items with a known answer: a faithful transcription, for which the high score is right, and in turn the text of
    another sample, for which the low one is. Samples outside the study come first; where all are in it, the last."""
    golds = [
        gold
        for gold in GoldItem.objects.filter(release=study.release_id).order_by("position")
        if gold.record.get("extra", {}).get("problem")
        and gold.record.get("extra", {}).get("reference_answer")
    ]
    order = [golds[place] for place in draw_order(study.seed, 900_002, len(golds)).tolist()]
    order.sort(key=lambda gold: gold.sample_id in used)
    dice = draw_order(study.seed, 900_003, 1000).tolist()
    rows = []
    for at, gold in enumerate(order[: study.n_attention]):
        is_faithful = at % 2 == 0 or len(order) < 2
        text = gold.record["text"] if is_faithful else order[at - 1].record["text"]
        high = shown((HIGH[0] + dice[2 * at] % (HIGH[1] - HIGH[0] + 1)) / 10, study.decimals)
        low = shown((LOW[0] + dice[2 * at + 1] % (LOW[1] - LOW[0] + 1)) / 10, study.decimals)
        is_first_high = dice[-1 - at] % 2 == 0
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


def _signature(measure: ScoreSource, study: Study) -> str:
    data = f"data:{study.release.checksum[:12]}"
    if measure.column:
        return f"upload:{measure.column}|{data}"
    tally = get(measure.metric).make_accumulator
    made = str(tally(measure.preset).signature) if tally else f"{measure.metric}|preset:{measure.preset}"
    return f"{made}|{data}"[:300]
