"""The only reader of released texts and predictions for people.

Whoever opens a ground truth here has seen it, and that is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from config.accounts.models import Role, User
from config.error_messages import render_message
from config.exposure.models import SeenContent
from config.exposure.services import record_exposures
from config.signed_images import image_token
from evaluation.metrics.bundles import ScoringSample
from evaluation.metrics.bundles.pairing import match_page_pairs
from evaluation.metrics.edge_cases import TooLarge
from evaluation.models import GoldItem, ItemScore, Prediction, Release, ScoreRun
from evaluation.prediction_formats import reference_of
from evaluation.predictions import MISSING, Failed, PredictionValue, Regions, Text
from evaluation.selectors.predictions import members_of
from evaluation.selectors.releases import changed_items, gone_from


@dataclass(frozen=True, slots=True)
class TextChange:
    """One sample whose text differs between two releases; None = it is not in that one."""

    number: int
    file_name: str
    language: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class MemberPrediction:
    """One member's answer, where a set stands for several people. None = "I cannot read this", or none in time."""

    system: str
    text: str | None
    failure: str


@dataclass(frozen=True, slots=True)
class ScoredSample:
    """One released sample with its image, its ground truth and one system's answer."""

    sample_id: str
    number: int
    file_name: str
    structure: str
    language: str
    scenario: str
    image: str  # token
    image_hash: str
    width: int
    height: int
    gold: str
    prediction: str | None
    failure: str
    message: str
    gold_regions: Mapping[str, str]  # LaTeX by number, where the sample is answered by region
    regions: Mapping[str, str] | None  # the answer, likewise


@dataclass(frozen=True, slots=True)
class SampleResult(ScoredSample):
    """All there is to see of one system's answer to one released sample."""

    figures: tuple[ItemScore, ...]
    is_asked: bool  # whether the system was asked about it at all
    readings: tuple[
        MemberPrediction, ...
    ]  # of a set that pools people: what each of them who was asked wrote

    @property
    def pairs(self) -> list[tuple[int, str | None, str]]:
        """What CDM compares: (region number, answer, gold); number 0 for the formulas of a page, as matched."""
        if self.structure != "formula" or (self.prediction is None):
            return []
        if self.regions is not None:
            latex_of = self.regions
            return [(int(name), latex_of.get(name), latex) for name, latex in self.gold_regions.items()]
        sample = ScoringSample(
            self.sample_id, "formula", Text(self.prediction), Text(self.gold), self.language
        )
        try:
            return [
                (0, None if isinstance(predicted, Failed) else predicted, part)
                for predicted, part in match_page_pairs(sample)
                if part is not None
            ]
        except TooLarge:
            return []


def note_gold_seen(*, user: User, items: Iterable[GoldItem], place: str) -> None:
    """Write down that a manager has seen the ground truth of `items`; they are out of blind work on them."""
    hashes = {item.pixel_hash for item in items if item.pixel_hash}
    record_exposures(user=user, image_hashes=hashes, role=Role.MANAGER, saw=SeenContent.GOLD, place=place)


def open_changes(
    *, user: User, release: Release, previous: Release, start: int, stop: int
) -> list[TextChange]:
    """Rows `start` to `stop` of what changed between two releases: changed and new texts first, then gone ones."""
    changed = changed_items(release, previous)
    n_changed = changed.count()
    rows = list(changed[start:stop])
    there = GoldItem.objects.filter(release=previous, sample_id__in=[item.sample_id for item in rows])
    before = {item.sample_id: item.record["text"] for item in there}
    gone = gone_from(release, previous)[max(start - n_changed, 0) : max(stop - n_changed, 0)]
    note_gold_seen(user=user, items=[*rows, *gone], place="release changes")
    return [
        TextChange(
            item.number,
            item.file_name,
            item.language,
            before.get(item.sample_id),
            item.record["text"],
        )
        for item in rows
    ] + [TextChange(item.number, item.file_name, item.language, item.record["text"], None) for item in gone]


def open_result(*, user: User, run: ScoreRun, item: GoldItem) -> SampleResult:
    """One scored sample with image, ground truth and prediction."""
    note_gold_seen(user=user, items=[item], place="sample result")
    row = Prediction.objects.filter(prediction_set=run.prediction_set_id, item=item).first()
    value: PredictionValue = MISSING if row is None else row.value
    reference = reference_of(run.prediction_set.release, item.structure, item.record)
    return SampleResult(
        sample_id=item.sample_id,
        number=item.number,
        file_name=item.file_name,
        structure=item.structure,
        language=item.language,
        scenario=item.scenario,
        image=_image(user, run.prediction_set.release, item),
        image_hash=item.pixel_hash,
        width=item.record["width"],
        height=item.record["height"],
        gold=readable(reference) or "",
        prediction=readable(value),
        failure=row.failure if row is not None else "",
        message=render_message(row.message_parts, row.message) if row is not None else "",
        figures=tuple(run.item_scores.filter(item=item).order_by("pk")),
        gold_regions=reference.latex if isinstance(reference, Regions) else {},
        regions=value.latex if isinstance(value, Regions) else None,
        is_asked=run.prediction_set.asked is None or item.sample_id in run.prediction_set.asked,
        readings=_readings(run, item),
    )


def _readings(run: ScoreRun, item: GoldItem) -> tuple[MemberPrediction, ...]:
    if not run.prediction_set.pooling:
        return ()
    members = members_of([run.prediction_set])[run.prediction_set_id]
    asked = [member for member in members if member.asked is None or item.sample_id in member.asked]
    rows = {
        row.prediction_set_id: row for row in Prediction.objects.filter(prediction_set__in=asked, item=item)
    }
    return tuple(_member_prediction(member.system.name, rows.get(member.pk)) for member in asked)


def _member_prediction(system: str, row: Prediction | None) -> MemberPrediction:
    if row is None:
        return MemberPrediction(system, None, "")
    return MemberPrediction(system, readable(row.value), row.failure)


def readable(value: PredictionValue) -> str | None:
    """A text as people read it: regions as lines, each with its number in front. None where there is no text."""
    match value:
        case Text(text):
            return text
        case Regions(latex):
            numbered = sorted(latex.items(), key=lambda entry: int(entry[0]))
            return "\n".join(f"{number}: {formula}" for number, formula in numbered)
    return None


def _image(user: User, release: Release, item: GoldItem) -> str:
    """The token of the image: with numbered outlines where the sample is answered by region."""
    blob = item.outlines_blob or item.image_blob
    return image_token(person=user, blob=blob, team=release.team) if blob else ""
