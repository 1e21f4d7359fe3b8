"""Privacy screening: a screener redacts names and identifiers before anybody else sees the page.

While a sample is being screened its images are shut: only managers and the screener who holds it get them. What is
redacted is burned into new full and released images, and the unredacted one stays shut for good; a manager opens it
on the record. The fingerprint of the unredacted page is kept, since later imports come unredacted too and are
compared with it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
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
from annotation.services.claim_work import lease_end
from annotation.services.move_work import NotAllowed
from annotation.services.redacted_copies import Redaction, left_open, redactions_of_copies
from annotation.services.resolve_duplicates import settle_after_screening
from annotation.services.restrict_images import restrict_unless_seen
from annotation.services.save_draft import AssignmentClosed, LeaseLost, WrongImage
from annotation.services.send_to_screening import send_copies
from annotation.stages import Intake
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.blobs import put_blob, read_blob
from config.errors import ApplicationError
from config.exposure.reservations import reserved_for
from config.exposure.services import (
    SeenContent,
    hand_on_exposures,
    record_exposure,
    unrestrict_images,
)
from config.jobs.models import JobState
from evaluation.payloads.masks import masks_as_json, read_masks, validate_masks

DEFAULT_REASON = "private"  # redacted areas need no reason of their own; masks do


class ScreeningReasonMissing(ApplicationError):
    """Neither an area nor "nothing to redact", or both at once."""

    status, kind = 422, "invalid"
    field = "areas"
    msgid = gettext_noop(
        "Either mark at least one area, or state that there is nothing to redact. You cannot do both."
    )


class CopiesRedactedElsewhere(ApplicationError):
    """Areas redacted on a copy of this page would stay visible here; `left` lists them."""

    status, kind, field = 422, "copies_tell_more", "knows_copies"
    msgid = gettext_noop("On a copy of this page, areas are redacted that are still visible here.")

    def __init__(self, left: list[Redaction]) -> None:
        super().__init__()
        self.left = left


def unredacted_of(sample: Sample) -> tuple[str, str]:
    """(blob, pixel hash) of the page as it was before anything was redacted."""
    if sample.unredacted_blob:
        return sample.unredacted_blob, sample.unredacted_pixel_hash
    return sample.full_blob, sample.pixel_hash


def _is_free() -> Q:
    return Q(person=None) | Q(lease_until__lt=timezone.now())


def waiting_screenings(project: Project) -> QuerySet[Screening]:
    """Open screenings that nobody holds, in the order of the samples' numbers."""
    return Screening.objects.filter(
        _is_free(),
        done_at=None,
        sample__project=project,
        sample__project__archived_at=None,
        sample__intake=Intake.SCREENING,
    ).order_by("sample__number")


def _open_to(person: User, project: Project) -> QuerySet[Screening]:
    """Those waiting whose image, as it was or as it is, the person need not see with an untouched eye later."""
    kept = reserved_for(person)
    return waiting_screenings(project).exclude(
        Q(sample__pixel_hash__in=kept) | Q(sample__unredacted_pixel_hash__in=kept)
    )


def count_to_screen(person: User, project: Project) -> int:
    """How many pages this person could screen now, without the one in hand; 0 without the role."""
    if not has_role(person, project.team, Role.SCREENER):
        return 0
    return _open_to(person, project).exclude(person=person).count()


def screening_in_hand(person: User, project: Project) -> Screening | None:
    return (
        Screening.objects.filter(
            person=person, done_at=None, sample__project=project, sample__intake=Intake.SCREENING
        )
        .select_related("sample")
        .order_by("sample__number")
        .first()
    )


def next_screening_at(project: Project) -> datetime | None:
    """When the earliest page in somebody's hands falls free."""
    rows = Screening.objects.filter(sample__project=project, done_at=None).exclude(person=None)
    earliest: datetime | None = rows.aggregate(at=Min("lease_until"))["at"]
    return earliest


def claim_screening(*, person: User, project: Project) -> Screening | None:
    """Give the person the page in hand or the next one; None: nothing left. Raises NotAllowed without the role.

    A compare-and-set on the version: of several who ask at once for one page, one gets it.
    """
    if not has_role(person, project.team, Role.SCREENER):
        raise NotAllowed("no screener role")
    held = screening_in_hand(person, project)
    if held is not None and _renew(held, person):
        return held
    for row in _open_to(person, project).iterator():
        # On the row's own columns: behind a join PostgreSQL would not look at the version again after it waited.
        taken = Screening.objects.filter(_is_free(), pk=row.pk, version=row.version, done_at=None)
        if taken.update(person=person, lease_until=lease_end(project), version=F("version") + 1):
            _see(row.sample, person)
            return Screening.objects.get(pk=row.pk)
    return None


def _see(sample: Sample, person: User) -> None:
    _blob, image_hash = unredacted_of(sample)
    for seen in {image_hash, sample.pixel_hash}:
        record_exposure(
            user=person, image_hash=seen, role=Role.SCREENER, saw=SeenContent.IMAGE, place="screen"
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
    """Raises AssignmentClosed when it is done, LeaseLost when somebody else has it."""
    if screening.person is not None and _renew(screening, screening.person):
        return
    if Screening.objects.filter(pk=screening.pk).exclude(done_at=None).exists():
        raise ScreeningClosed
    raise ScreeningLost


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


def put_back_screening(*, screening: Screening) -> None:
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

    What is redacted here is looked for on every copy of the image too (`send_copies`). `withhold_evidence` keeps the
    writer's transcript and the links from the annotators, as names stand in them too.
    Where a copy was redacted in places that would stay open here, the screener is told first, and goes on with
    `knows_copies`.
    The same call again changes nothing. Raises ScreeningReasonMissing, BadPayload, WrongImage, CopiesRedactedElsewhere, AssignmentClosed, LeaseLost.
    """
    sample = Sample.objects.select_related("project__team").get(pk=screening.sample_id)
    blob, unredacted_hash = unredacted_of(sample)
    if image_hash != unredacted_hash:
        raise ScreeningImageChanged
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
            send_copies(sample, images=shown, areas=listed, by=stored.person)
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
        settle_after_screening(sample)


def _put_forms(sample: Sample, forms: RedactedForms, *, is_redacted: bool, withhold_evidence: bool) -> None:
    """The sample's images from now on; the ones before stay shut, these are open."""
    blob, image_hash = unredacted_of(sample)
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
        restrict_unless_seen(sample, blob)
    if before != forms.pixel_hash:
        _drop_suggestions(sample)
    unrestrict_images(sample.project.team, [sample.full_blob, sample.released_blob])


def _drop_suggestions(sample: Sample) -> None:
    """What was read from an image that is redacted further may hold what was redacted; it is asked for anew."""
    SuggestionUse.objects.filter(suggestion__request__sample=sample).delete()
    Suggestion.objects.filter(request__sample=sample).delete()
    SuggestionRequest.objects.filter(sample=sample).update(state=JobState.CANCELLED)


_RELEASE_STEPS = ("downscale", "palette", "png", "redacted")
