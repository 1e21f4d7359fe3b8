"""What has already happened in the demo project, so that no page of it is empty.

Every step goes through the services that the pages use: people claim what the queue gives them, hand in, review,
talk and release.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from annotation.models import Assignment, Draft, Project, Suggestion
from annotation.services.adjudicate import escalate_from_seat, post_message, sign
from annotation.services.autosave import save_draft
from annotation.services.claim import claim_next
from annotation.services.evidence import record_evidence, record_note
from annotation.services.release import make_release
from annotation.services.review import return_to_annotator
from annotation.services.submit import mark_end_reached, submit
from annotation.stages import Stage
from config.accounts.models import User
from evaluation.models import Release, ScoreRun
from evaluation.payloads.text import join_lines, split_lines
from evaluation.records import PredictionRecord
from evaluation.services.predictions import record_predictions
from evaluation.services.scoring import request_score

VERIFIED, WAITING = 6, 2
WORKED_PAGES = VERIFIED + WAITING + 4  # and one in discussion, one stalemate, one returned, one begun

People = Mapping[str, User]
Truth = Mapping[str, str]  # sample UUID (hex) -> what the page says


def tell_story(*, project: Project, people: People, truth: Truth) -> Release:
    """Play the work on the samples that wait for annotators; at least WORKED_PAGES must. Returns the release."""
    for turn in range(VERIFIED):
        primary, second = ("ana", "chen") if turn % 2 else ("ben", "dora")
        _hand_in(_take(project, people[primary], Stage.LABEL), truth)
        _hand_in(_take(project, people[second], Stage.VERIFY), truth)
    _discuss(project, people, truth)
    _reach_stalemate(project, people, truth)
    _return(project, people, truth)
    for _ in range(WAITING):
        _hand_in(_take(project, people["ben"], Stage.LABEL), truth)
    begun = _take(project, people["ben"], Stage.LABEL)
    lines = split_lines(truth[begun.sample.uuid.hex])
    save_draft(seat=begun, text=join_lines(lines[:2]), base_version=0, image_hash=begun.sample.pixel_hash)
    return make_release(project=project, by=people["mei"], title="First pages")


def hand_down_readings(*, project: Project, release: Release, by: User) -> list[ScoreRun]:
    """What each recogniser read of the released pages, as the answers of one system each.

    They read the very bytes that the release holds, so this is a model run that has already happened. Returns the
    scorings, queued.
    """
    runs = []
    ids = set(release.items.values_list("sample_id", flat=True))
    for setting in project.recognisers.filter(retired_at=None):
        answers = Suggestion.objects.filter(request__recogniser=setting).select_related("request__sample")
        records = [
            PredictionRecord(
                id=answer.request.sample.uuid.hex,
                text=None if answer.failure else answer.text,
                failure=answer.failure,
                raw=answer.raw,
                provenance=answer.provenance,
            )
            for answer in answers
            if answer.request.sample.uuid.hex in ids
        ]
        answers_of_one = record_predictions(
            release=release, system_name=setting.label, by=by, records=records, origin="run"
        )
        runs.append(request_score(prediction_set=answers_of_one))
    return runs


def _take(project: Project, person: User, stage: Stage) -> Assignment:
    seat = claim_next(person=person, project=project, stage=stage)
    if seat is None:
        raise LookupError(f"nothing waits for {person} at {stage}")
    return seat


def _hand_in(seat: Assignment, truth: Truth, *, change: tuple[int, str] | None = None) -> None:
    """Submit the truth of the page, or a version of it with one line read otherwise."""
    lines = split_lines(truth[seat.sample.uuid.hex])
    if change is not None:
        lines[change[0]] = change[1]
    if seat.stage == Stage.VERIFY:
        mark_end_reached(seat=seat)
    else:
        record_evidence(
            seat=seat, kind="suggestion", link="", note="Compared the three readings line by line."
        )
    submit(
        seat=seat,
        text=join_lines(lines),
        base_version=Draft.objects.get(assignment=seat).version,
        image_hash=seat.sample.pixel_hash,
        idempotency_key=secrets.token_hex(16),
    )


def _misread(line: str) -> str:
    """A plausible other reading of a line: without its last character."""
    return line[:-1] if len(line) > 1 else line + line


def _differ(project: Project, people: People, truth: Truth) -> tuple[Assignment, Assignment, int]:
    """Ana and Chen read one line of a page differently; returns both seats and the line."""
    primary = _take(project, people["ana"], Stage.LABEL)
    lines = split_lines(truth[primary.sample.uuid.hex])
    plain = [index for index, line in enumerate(lines) if not set(line) & set("~$*")]
    at = max(plain, key=lambda index: len(lines[index]))
    record_note(seat=primary, text="The longest line is faint; I read it twice.")
    _hand_in(primary, truth, change=(at, _misread(lines[at])))
    second = _take(project, people["chen"], Stage.VERIFY)
    _hand_in(second, truth)
    return primary, second, at


def _discuss(project: Project, people: People, truth: Truth) -> None:
    primary, second, at = _differ(project, people, truth)
    post_message(assignment=second, position=at, text="The last mark is there, very faint.")
    sign(assignment=second, position=at, text=split_lines(truth[primary.sample.uuid.hex])[at])


def _reach_stalemate(project: Project, people: People, truth: Truth) -> None:
    primary, second, at = _differ(project, people, truth)
    post_message(assignment=primary, position=at, text="I see nothing after the last letter.")
    post_message(assignment=second, position=at, text="Zoom in: the pen touched the paper.")
    escalate_from_seat(assignment=primary, reason="We read the end of one line differently.")


def _return(project: Project, people: People, truth: Truth) -> None:
    seat = _take(project, people["ana"], Stage.LABEL)
    lines = split_lines(truth[seat.sample.uuid.hex])
    mark = len(lines) - 1
    _hand_in(seat, truth, change=(mark, ""))
    second = _take(project, people["dora"], Stage.VERIFY)
    return_to_annotator(seat=second, reason="The last line of the page is missing.")
