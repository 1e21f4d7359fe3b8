"""Privacy screening: a screener redacts names and identifiers before anybody else sees the page.

Images of a sample in screening are restricted to managers and the screener who holds it. Redactions are painted onto
new full and released images; the unredacted image stays restricted, and opening it is recorded. The fingerprint stays
that of the unredacted page, since later imports are compared with it unredacted.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

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
from annotation.selectors.redactions import (
    Redaction,
    copies_of,
    redactions_of_copies,
    uncovered,
    unredacted_image_of,
)
from annotation.selectors.screening_queue import eligible_screenings, held_screening, is_free
from annotation.selectors.work_queue import lease_end
from annotation.services.move_work import NotAllowed
from annotation.services.renew_lease import AssignmentClosed, LeaseLost
from annotation.services.request_screening import restrict_unless_shown, send_copies_to_screening
from annotation.services.resolve_duplicates import settle_screened_sample
from annotation.services.save_draft import WrongImage
from config.accounts.models import Role, User
from config.accounts.services import hold_role
from config.blobs import put_blob, read_blob
from config.errors import ApplicationError
from config.exposure.models import SeenContent
from config.exposure.services import hand_on_exposures, record_exposure, unrestrict_images
from config.jobs.models import JobState
from config.transactions import first_taken, locked, retries_conflicts
from evaluation.payloads.masks import masks_as_json, read_masks, validate_masks

DEFAULT_REASON = "private"  # redacted areas need no reason of their own; masks do


class ScreeningReasonMissing(ApplicationError):
    """Neither an area nor "nothing to redact" was given, or both."""

    status, kind = 422, "invalid"
    field = "areas"
    msgid = gettext_noop(
        "Either mark at least one area, or state that there is nothing to redact. You cannot do both."
    )


class CopiesRedactedElsewhere(ApplicationError):
    """Areas that were redacted on a copy would stay visible here; `left` lists them."""

    status, kind, field = 422, "copies_tell_more", "knows_copies"
    msgid = gettext_noop("On a copy of this page, areas are redacted that are still visible here.")

    def __init__(self, left: list[Redaction]) -> None:
        super().__init__()
        self.left = left


@retries_conflicts
def claim_screening(*, person: User, project: Project) -> Screening | None:
    """The screening the person holds, or the next eligible one; None when there is none.

    A compare-and-set on the version gives each page to one screener. Raises NotAllowed without the role.
    """
    with transaction.atomic():
        if not hold_role(team=project.team, user=person, role=Role.SCREENER):
            raise NotAllowed("no screener role")
        held = held_screening(person, project)
        if held is not None and _renew(held, person):
            return held
        row = first_taken(
            eligible_screenings(person, project).iterator(), lambda row: _take(row, person, project)
        )
        if row is None:
            return None
        _record_exposures(row.sample, person)
        return Screening.objects.get(pk=row.pk)


def _take(screening: Screening, person: User, project: Project) -> bool:
    """True when nobody was faster."""
    # Without a join, behind which PostgreSQL would not read the version again after waiting.
    rows = Screening.objects.filter(is_free(), pk=screening.pk, version=screening.version, done_at=None)
    return bool(rows.update(person=person, lease_until=lease_end(project), version=F("version") + 1))


def _record_exposures(sample: Sample, person: User) -> None:
    _blob, image_hash = unredacted_image_of(sample)
    for shown_hash in {image_hash, sample.pixel_hash}:
        record_exposure(
            user=person, image_hash=shown_hash, role=Role.SCREENER, saw=SeenContent.IMAGE, place="screen"
        )


def _renew(screening: Screening, person: User) -> bool:
    until = lease_end(screening.sample.project)
    rows = Screening.objects.filter(pk=screening.pk, person=person, done_at=None)
    return bool(rows.update(lease_until=until))


class ScreeningClosed(AssignmentClosed):
    """The page has been screened."""

    msgid = gettext_noop("This page has already been screened. A manager can ask for a second look.")


class ScreeningLost(LeaseLost):
    """Another screener has claimed the page."""

    msgid = gettext_noop("Someone else has this page now and can see what you had saved.")


class ScreeningImageChanged(WrongImage):
    """The areas were drawn on another image than the page's."""

    msgid = gettext_noop("The image of this sample has changed. Reload the page and look again.")


def _require_held(screening: Screening) -> None:
    """Renew the lease. Raises AssignmentClosed when the screening is finished, LeaseLost when somebody else has it."""
    if screening.person is not None and _renew(screening, screening.person):
        return
    if Screening.objects.filter(pk=screening.pk).exclude(done_at=None).exists():
        raise ScreeningClosed
    raise ScreeningLost


def _check_areas(sample: Sample, areas: object) -> list[dict[str, Any]]:
    """The areas in canonical form. Raises BadPayload for one that does not fit the image."""
    area_rows = [area | {"reason": area["reason"] or DEFAULT_REASON} for area in masks_as_json(areas)]
    validate_masks(area_rows, sample.full_width, sample.full_height)
    return area_rows


@retries_conflicts
def save_screening(*, screening: Screening, areas: object) -> None:
    """Save the areas drawn so far and renew the lease. Raises BadPayload, AssignmentClosed, LeaseLost."""
    area_rows = masks_as_json(areas)
    with transaction.atomic():
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(areas=area_rows)


@retries_conflicts
def release_screening(*, screening: Screening) -> None:
    """Release the page to the queue; its areas are kept. Raises AssignmentClosed, LeaseLost."""
    with transaction.atomic():
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(person=None, lease_until=None)


@retries_conflicts
def finish_screening(
    *,
    screening: Screening,
    areas: object,
    is_clean: bool,
    image_hash: str,
    withhold_evidence: bool = False,
    knows_copies: bool = False,
) -> None:
    """Redact the areas, or record that there is nothing to redact; the page then enters the flow.

    Copies of a redacted page are screened too (`send_copies_to_screening`). `withhold_evidence` hides the writer's
    transcript and the links from annotators, since they may contain names. Where areas that were redacted on a copy
    would stay visible here, CopiesRedactedElsewhere is raised unless the screener `knows_copies`. The same call again
    changes nothing. Raises ScreeningReasonMissing, BadPayload, WrongImage, AssignmentClosed, LeaseLost.
    """
    sample = Sample.objects.select_related("project__team").get(pk=screening.sample_id)
    blob, unredacted_hash = unredacted_image_of(sample)
    if image_hash != unredacted_hash:
        raise ScreeningImageChanged
    area_rows = _check_areas(sample, areas)
    if is_clean == bool(area_rows):
        raise ScreeningReasonMissing
    uncovered_here = uncovered(redactions_of_copies(sample), area_rows)
    if uncovered_here and not knows_copies and screening.done_at is None:
        raise CopiesRedactedElsewhere(uncovered_here)
    project = sample.project
    forms = redact(
        read_blob(blob),
        read_masks(area_rows),
        cap_bytes=project.image_cap_bytes,
        max_side=project.image_max_side,
    )
    shown = {sample.pixel_hash, unredacted_hash}
    with transaction.atomic():
        copies = copies_of(sample, images=shown).values_list("pk", flat=True)
        list(locked(Sample.objects.filter(pk__in=[sample.pk, *copies])))
        stored = locked(Screening.objects.filter(pk=screening.pk)).get()
        if stored.done_at is not None and (stored.areas, stored.is_clean) == (area_rows, is_clean):
            return
        _require_held(screening)
        Screening.objects.filter(pk=screening.pk).update(
            areas=area_rows, is_clean=is_clean, done_at=timezone.now()
        )
        if area_rows and stored.person is not None:
            send_copies_to_screening(sample=sample, images=shown, areas=area_rows, by=stored.person)
        _replace_images(sample, forms, is_redacted=bool(area_rows), withhold_evidence=withhold_evidence)
        Event.objects.create(
            sample=sample,
            verb="screened",
            actor=screening.person,
            data={
                "round": stored.round,
                "areas": len(area_rows),
                "evidence_withheld": withhold_evidence,
                "left_open": sum(
                    len(redaction.areas) for redaction in uncovered_here
                ),  # areas redacted on a copy, not here
            },
        )
        settle_screened_sample(sample=sample)


def _replace_images(
    sample: Sample, forms: RedactedForms, *, is_redacted: bool, withhold_evidence: bool
) -> None:
    """Replace the sample's images. The previous ones stay restricted."""
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
    for earlier_hash in {before, image_hash} - {forms.pixel_hash}:
        hand_on_exposures(before=earlier_hash, after=forms.pixel_hash)
    sample.refresh_from_db()
    if is_redacted:
        restrict_unless_shown(sample, blob)
    if before != forms.pixel_hash:
        _drop_suggestions(sample)
    unrestrict_images(sample.project.team, [sample.full_blob, sample.released_blob])


def _drop_suggestions(sample: Sample) -> None:
    """Delete suggestions, which may contain what was redacted. They are requested again."""
    SuggestionUse.objects.filter(suggestion__request__sample=sample).delete()
    Suggestion.objects.filter(request__sample=sample).delete()
    SuggestionRequest.objects.filter(sample=sample).update(state=JobState.CANCELLED)


_RELEASE_STEPS = ("downscale", "palette", "png", "redacted")
