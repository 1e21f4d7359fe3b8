"""The only reader of released texts and predictions for people.

Whoever opens a ground truth here has seen it, and that is noted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from config.accounts.models import Role, User
from config.exposure.services import Saw, record_exposures
from config.pictures import picture_token
from evaluation.models import GoldItem, ItemScore, Prediction, Release, ScoreRun
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
class SampleResult:
    """All there is to see of one system's answer to one released sample."""

    sample_id: str
    number: int
    file_name: str
    structure: str
    language: str
    scenario: str
    picture: str  # token
    image_hash: str
    width: int
    height: int
    gold: str
    prediction: str | None
    failure: str
    message: str
    figures: tuple[ItemScore, ...]


def note_gold_seen(*, user: User, items: Iterable[GoldItem], place: str) -> None:
    """Write down that a manager has seen the ground truth of `items`; they are out of blind work on them."""
    hashes = {item.pixel_hash for item in items if item.pixel_hash}
    record_exposures(user=user, image_hashes=hashes, role=Role.MANAGER, saw=Saw.GOLD, place=place)


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
    """One scored sample with picture, ground truth and prediction."""
    note_gold_seen(user=user, items=[item], place="sample result")
    answer = Prediction.objects.filter(prediction_set=run.prediction_set_id, item=item).first()
    is_answered = answer is not None and not answer.failure
    return SampleResult(
        sample_id=item.sample_id,
        number=item.number,
        file_name=item.file_name,
        structure=item.structure,
        language=item.language,
        scenario=item.scenario,
        picture=picture_token(person=user, blob=item.image_blob, team=run.prediction_set.release.team)
        if item.image_blob
        else "",
        image_hash=item.pixel_hash,
        width=item.record["width"],
        height=item.record["height"],
        gold=item.record["text"],
        prediction=answer.text if answer is not None and is_answered else None,
        failure=answer.failure if answer is not None else "",
        message=answer.message if answer is not None else "",
        figures=tuple(run.item_scores.filter(item=item).order_by("pk")),
    )
