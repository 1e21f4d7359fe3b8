"""What the API answers when a service refuses: one home for status, kind and words."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.difficulty import BadScores
from annotation.services.create_import import BadDefaults, RunStarted
from annotation.services.move_work import Archived, NotAllowed, ReasonMissing, StaleWork
from annotation.services.open_sample import HeldByBlindReviewer
from annotation.services.record_evidence import NoSuchEntry
from annotation.services.release_samples import WritersCrossSplits
from annotation.services.request_screening import AlreadyReleased
from annotation.services.resolve_dispute import FieldSettled, NotSettled
from annotation.services.save_draft import AssignmentClosed, LeaseLost, NewerVersion, WrongImage
from annotation.services.screen_page import CopiesRedactedElsewhere, ScreeningReasonMissing
from annotation.services.submit_label import EndNotReached, MarkWithoutMask, MaskWithoutMark, NoLongerBlind
from annotation.stages import IllegalMove
from config.api.errors import ApiError, invalid
from evaluation.import_messages import explain_fault
from evaluation.payloads.errors import BadPayload
from evaluation.services.freeze_release import NothingToRelease


class View(APIView):
    """A view whose services may refuse."""

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(service_error(exc, self.request.data if _is_text(exc) else {}))


def _is_text(error: Exception) -> bool:
    return isinstance(error, NewerVersion)


def service_error(error: Exception, sent: Any) -> Exception:
    """The refusal for what a service raised; everything else as it came."""
    match error:
        case NewerVersion():
            return _newer(error, sent)
        case LeaseLost():
            return ApiError(409, "lease_lost", _("Someone else has this sample now. Nothing was saved."))
        case WrongImage():
            return ApiError(
                409, "wrong_image", _("This text was typed for another image. Read the worksheet again.")
            )
        case AssignmentClosed():
            return ApiError(
                409, "closed", _("This sample has already been submitted and can no longer be changed here.")
            )
        case NoLongerBlind():
            return ApiError(
                409,
                "not_blind",
                _(
                    "You have seen what others wrote for this image, so someone else will "
                    "review it. Release the sample."
                ),
            )
        case StaleWork() | IllegalMove():
            return ApiError(
                409, "moved_on", _("The sample has changed in the meantime. Check its current state.")
            )
        case HeldByBlindReviewer():
            message = _("You are working on this sample blind. Submit or release it first.")
            return ApiError(409, "blind", message)
        case Archived():
            message = _("This project is archived, so nothing can be submitted until a manager restores it.")
            return ApiError(409, "archived", message)
        case NotAllowed():
            return ApiError(409, "not_open", _("You cannot do this now. Check the state of the sample."))
        case FieldSettled():
            return ApiError(409, "settled", _("This is already settled."))
        case RunStarted():
            return ApiError(
                409, "started", _("This import has already started. Import the remaining files separately.")
            )
        case NothingToRelease():
            return ApiError(
                409, "nothing_to_release", _("The release was not frozen: no sample is verified.")
            )
        case WritersCrossSplits():
            writers = [each.as_dict() for each in error.writers]
            message = _(
                "The release was not frozen: some writers appear in more than one "
                "split. Fix the splits, or give a crossing_reason."
            )
            return ApiError(409, "writers_cross_splits", message, writers=writers)
        case EndNotReached():
            message = _("Read the transcription to the end first, then confirm it (reached-end).")
            return ApiError(422, "end_not_reached", message)
        case CopiesRedactedElsewhere():
            message = _(
                "On a copy of this page, areas are redacted that are still visible here. "
                "Read `copies` in the worksheet; use those areas, or send knows_copies."
            )
            return ApiError(422, "copies_tell_more", message)
        case MaskWithoutMark():
            message = _(
                "There is a mask, but no ⟦masked⟧ mark in the text. Put the mark where the "
                "masked writing is, or send a mask_reason."
            )
            return ApiError(422, "mask_without_mark", message)
        case MarkWithoutMask():
            message = _(
                "The text has a ⟦masked⟧ mark, but nothing is masked. Mask that place, or send a mask_reason."
            )
            return ApiError(422, "mark_without_mask", message)
        case NotSettled():
            return invalid(texts=_("First choose a version for every field that is still open."))
        case NoSuchEntry():
            return Http404()
        case AlreadyReleased():
            message = _("This image is part of a release, and releases do not change.")
            return ApiError(409, "released", message)
        case ScreeningReasonMissing():
            message = _(
                "Either mark at least one area, or state that there is nothing to redact. You cannot do both."
            )
            return invalid(areas=message)
        case BadScores():
            return invalid(scores=error.message(_))
        case ReasonMissing():
            return invalid(reason=_("Give a reason. It is kept in the history."))
        case BadDefaults():
            return invalid(**{fault["field"]: explain_fault(fault) for fault in error.faults})
        case BadPayload():
            return invalid(text=error.message(_))
        case _:
            return error


def _newer(error: NewerVersion, sent: Any) -> ApiError:
    return ApiError(
        409,
        "newer_version",
        _(
            "The draft has been saved elsewhere in the meantime. Both texts are in this "
            "response: choose one and save it on top of the stored version."
        ),
        version=error.version,
        stored_text=error.text,
        stored_masks=error.masks,
        sent_text=sent.get("text", ""),
        saved_at=error.saved_at,
    )
