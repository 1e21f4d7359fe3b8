"""Privacy screening: a screener redacts names and identifiers before anybody else sees the page.

While a sample is being screened its images are shut: only managers and the screener who holds it get them. What is
redacted is burned into new full and released images, and the unredacted one stays shut for good; a manager opens it
on the record. The fingerprint of the unredacted page is kept, since later imports come unredacted too and are
compared with it.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.images.redaction import RedactedForms, redact
from annotation.models import (
    Event,
    Project,
    Sample,
    Screening,
    Suggestion,
    SuggestionRequest,
    SuggestionUse,
)
from annotation.selectors.redactions import Redaction, left_open, redactions_of_copies, unredacted_image_of
from annotation.selectors.screening_queue import eligible_screenings, held_screening, is_free
from annotation.selectors.work_queue import lease_end
from annotation.services.move_work import NotAllowed
from annotation.services.request_screening import restrict_unless_shown, send_copies_to_screening
from annotation.services.resolve_duplicates import settle_screened_sample
from annotation.services.save_draft import AssignmentClosed, LeaseLost, WrongImage
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.blobs import put_blob, read_blob
from config.exposure.models import SeenContent
from config.exposure.services import hand_on_exposures, record_exposure, unrestrict_images
from config.jobs.models import JobState
from evaluation.payloads.masks import masks_as_json, read_masks, validate_masks

DEFAULT_REASON = "private"  # redacted areas need no reason of their own; masks do


class ScreeningReasonMissing(Exception):
    """Neither an area nor "nothing to redact", or both at once."""


class CopiesRedactedElsewhere(Exception):
    """On a copy of this page something was redacted that would stay open here; `left` says what."""

    def __init__(self, left: list[Redaction]) -> None:
        super().__init__(left)
        self.left = left


def claim_screening(*, person: User, project: Project) -> Screening | None:
    """Give the person the page in hand or the next one; None: nothing left. Raises NotAllowed without the role.

    A compare-and-set on the version: of several who ask at once for one page, one gets it.
    """
    if not has_role(person, project.team, Role.SCREENER):
        raise NotAllowed("no screener role")
    held = held_screening(person, project)
    if held is not None and _renew(held, person):
        return held
    for row in eligible_screenings(person, project).iterator():
        # On the row's own columns: behind a join PostgreSQL would not look at the version again after it waited.
        taken = Screening.objects.filter(is_free(), pk=row.pk, version=row.version, done_at=None)
        if taken.update(person=person, lease_until=lease_end(project), version=F("version") + 1):
            _see(row.sample, person)
            return Screening.objects.get(pk=row.pk)
    return None


def _see(sample: Sample, person: User) -> None:
    _blob, image_hash = unredacted_image_of(sample)
    for seen in {image_hash, sample.pixel_hash}:
        record_exposure(
            user=person, image_hash=seen, role=Role.SCREENER, saw=SeenContent.IMAGE, place="screen"
        )


def _renew(screening: Screening, person: User) -> bool:
    until = lease_end(screening.sample.project)
    rows = Screening.objects.filter(pk=screening.pk, person=person, done_at=None)
    return bool(rows.update(lease_until=until))


def _require_held(screening: Screening) -> None:
    """Raises AssignmentClosed when it is done, LeaseLost when somebody else has it."""
    if screening.person is not None and _renew(screening, screening.person):
        return
    if Screening.objects.filter(pk=screening.pk).exclude(done_at=None).exists():
        raise AssignmentClosed
    raise LeaseLost


def checked_areas(sample: Sample, areas: object) -> list[dict[str, Any]]:
    """Areas in canonical form. Raises BadPayload naming the one that cannot stand on the image."""
    listed = [area | {"reason": area["reason"] or DEFAULT_REASON} for area in masks_as_json(areas)]
    validate_masks(listed, sample.full_width, sample.full_height)
    return listed


def save_screening(*, screening: Screening, areas: object) -> None:
    """Keep the areas drawn so far and renew the lease. Raises BadPayload, AssignmentClosed, LeaseLost."""
    listed = masks_as_json(areas)
    with transaction.atomic():
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(areas=listed)


def release_screening(*, screening: Screening) -> None:
    """Give the page back to the queue; what was drawn stays. Raises AssignmentClosed, LeaseLost."""
    with transaction.atomic():
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(person=None, lease_until=None)


def finish_screening(
    *,
    screening: Screening,
    areas: object,
    is_clean: bool,
    image_hash: str,
    withhold_evidence: bool = False,
    knows_copies: bool = False,
) -> None:
    """Burn the areas in, or say that there is nothing to redact; the page then goes on its way.

    What is redacted here is looked for on every copy of the image too (`send_copies_to_screening`). `withhold_evidence` keeps the
    writer's transcript and the links from the annotators, as names stand in them too.
    Where a copy was redacted in places that would stay open here, the screener is told first, and goes on with
    `knows_copies`.
    The same call again changes nothing. Raises ScreeningReasonMissing, BadPayload, WrongImage, CopiesRedactedElsewhere, AssignmentClosed, LeaseLost.
    """
    sample = Sample.objects.select_related("project__team").get(pk=screening.sample_id)
    blob, unredacted_hash = unredacted_image_of(sample)
    if image_hash != unredacted_hash:
        raise WrongImage
    listed = checked_areas(sample, areas)
    if is_clean == bool(listed):
        raise ScreeningReasonMissing
    left = left_open(redactions_of_copies(sample), listed)
    if left and not knows_copies and screening.done_at is None:
        raise CopiesRedactedElsewhere(left)
    project = sample.project
    forms = redact(
        read_blob(blob),
        read_masks(listed),
        cap_bytes=project.image_cap_bytes,
        max_side=project.image_max_side,
    )
    with transaction.atomic():
        stored = Screening.objects.select_for_update().get(pk=screening.pk)
        if stored.done_at is not None and (stored.areas, stored.is_clean) == (listed, is_clean):
            return
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(
            areas=listed, is_clean=is_clean, done_at=timezone.now()
        )
        if listed and stored.person is not None:
            shown = {sample.pixel_hash, unredacted_hash}
            send_copies_to_screening(sample=sample, images=shown, areas=listed, by=stored.person)
        _put_forms(sample, forms, is_redacted=bool(listed), withhold_evidence=withhold_evidence)
        Event.objects.create(
            sample=sample,
            verb="screened",
            actor=screening.person,
            data={
                "round": stored.round,
                "areas": len(listed),
                "evidence_withheld": withhold_evidence,
                "left_open": sum(len(redaction.areas) for redaction in left),  # redacted on a copy, not here
            },
        )
        settle_screened_sample(sample=sample)


def _put_forms(sample: Sample, forms: RedactedForms, *, is_redacted: bool, withhold_evidence: bool) -> None:
    """The sample's images from now on; the ones before stay shut, these are open."""
    blob, image_hash = unredacted_image_of(sample)
    before = sample.pixel_hash
    steps = [step for step in sample.image_steps if step.get("step") not in _RELEASE_STEPS]
    Sample.objects.filter(pk=sample.pk).update(
        full_blob=put_blob(forms.full),
        released_blob=put_blob(forms.released.data),
        released_width=forms.released.width,
        released_height=forms.released.height,
        released_bytes=len(forms.released.data),
        pixel_hash=forms.pixel_hash,
        unredacted_blob=blob if is_redacted else "",
        unredacted_pixel_hash=image_hash if is_redacted else "",
        is_evidence_withheld=withhold_evidence,
        image_steps=[*steps, *([{"step": "redacted"}] if is_redacted else []), *forms.released.steps],
    )
    for seen in {before, image_hash} - {forms.pixel_hash}:
        hand_on_exposures(before=seen, after=forms.pixel_hash)
    sample.refresh_from_db()
    if is_redacted:
        restrict_unless_shown(sample, blob)
    if before != forms.pixel_hash:
        _drop_suggestions(sample)
    unrestrict_images(sample.project.team, [sample.full_blob, sample.released_blob])


def _drop_suggestions(sample: Sample) -> None:
    """What was read from an image that is redacted further may hold what was redacted; it is asked for anew."""
    SuggestionUse.objects.filter(suggestion__request__sample=sample).delete()
    Suggestion.objects.filter(request__sample=sample).delete()
    SuggestionRequest.objects.filter(sample=sample).update(state=JobState.CANCELLED)


_RELEASE_STEPS = ("downscale", "palette", "png", "redacted")
