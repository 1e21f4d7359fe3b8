"""What has already happened in the demo project, so that no page of it is empty.

Every step goes through the services that the pages use: people claim what the queue gives them, hand in, review and
talk. Tables and formulas are in `demo_structures`, ratings and screening in `demo_beside`.
"""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from annotation.demo.drawing.ink import end_of_last_line
from annotation.demo.seed_steps import People, Truth, hand_in, take, truth_of
from annotation.models import Assignment, Project, Sample, Suggestion
from annotation.services.record_evidence import record_note
from annotation.services.resolve_dispute import escalate_as_participant, post_message, sign_field
from annotation.services.return_work import return_to_annotator
from annotation.stages import Stage
from config.accounts.models import User
from config.blobs import read_blob
from evaluation.models import Release, ScoreRun
from evaluation.payloads.mask_mark import MASK_MARK
from evaluation.payloads.text import join_lines, split_lines
from evaluation.predictions import Failed, Text
from evaluation.records import PredictionRecord
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score

VERIFIED, WAITING = 6, 2
WORKED_PAGES = VERIFIED + WAITING + 4  # and two in discussion, one stalemate, one returned


def tell_story(*, project: Project, people: People, truth: Truth) -> None:
    """Play the work on the texts that wait for annotators; at least WORKED_PAGES must."""
    for turn in range(VERIFIED):
        primary, second = ("ana", "chen") if turn % 2 else ("ben", "dora")
        _transcribe(project, people[primary], Stage.LABEL, truth)
        _transcribe(project, people[second], Stage.VERIFY, truth)
    _discuss(project, people, truth)
    _mask_apart(project, people, truth)
    _reach_stalemate(project, people, truth)
    _return(project, people, truth)
    for _ in range(WAITING):
        _transcribe(project, people["ben"], Stage.LABEL, truth)


def _transcribe(project: Project, person: User, stage: Stage, truth: Truth) -> None:
    assignment = take(project, person, stage)
    hand_in(assignment, truth_of(assignment, truth))


def _lines(assignment: Assignment, truth: Truth) -> list[str]:
    return split_lines(truth_of(assignment, truth))


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
                answer.request.sample.uuid.hex,
                Failed(answer.failure) if answer.failure else Text(answer.text),
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


def _misread(line: str) -> str:
    """A plausible other reading of a line: without its last character."""
    return line[:-1] if len(line) > 1 else line + line


def _differ(project: Project, people: People, truth: Truth) -> tuple[Assignment, Assignment, int]:
    """Ana and Chen read one line of a page differently; returns both assignments and the line."""
    primary = take(project, people["ana"], Stage.LABEL)
    lines = _lines(primary, truth)
    plain = [index for index, line in enumerate(lines) if not set(line) & set("~$*")]
    at = max(plain, key=lambda index: len(lines[index]))
    record_note(assignment=primary, text="The longest line is faint; I read it twice.")
    hand_in(primary, join_lines([*lines[:at], _misread(lines[at]), *lines[at + 1 :]]))
    second = take(project, people["chen"], Stage.VERIFY)
    hand_in(second, truth_of(second, truth))
    return primary, second, at


def _discuss(project: Project, people: People, truth: Truth) -> None:
    primary, second, at = _differ(project, people, truth)
    post_message(assignment=second, position=at, text="The last mark is there, very faint.")
    sign_field(assignment=second, position=at, text=_lines(primary, truth)[at])


def _mask_apart(project: Project, people: People, truth: Truth) -> None:
    """Both find the end of the last line illegible, but Ana covers less of it than Chen."""
    primary = take(project, people["ana"], Stage.LABEL)
    lines = _lines(primary, truth)
    text = join_lines([*lines[:-1], lines[-1][: len(lines[-1]) * 3 // 4] + MASK_MARK])
    left, top, right, bottom = _unread(primary.sample)
    hand_in(primary, text, [_box((left + right) // 2 - (right - left) // 6, top, right, bottom)])
    second = take(project, people["chen"], Stage.VERIFY)
    hand_in(second, text, [_box(left, top, right, bottom)])


def _unread(sample: Sample) -> tuple[int, int, int, int]:
    with Image.open(io.BytesIO(read_blob(sample.full_blob))) as image:
        return end_of_last_line(image)


def _box(left: int, top: int, right: int, bottom: int) -> dict[str, Any]:
    reason = "The ink has run; nobody could read it."
    return {"id": "m1", "shape": "box", "points": [[left, top], [right, bottom]], "reason": reason}


def _reach_stalemate(project: Project, people: People, truth: Truth) -> None:
    primary, second, at = _differ(project, people, truth)
    post_message(assignment=primary, position=at, text="I see nothing after the last letter.")
    post_message(assignment=second, position=at, text="Zoom in: the pen touched the paper.")
    escalate_as_participant(assignment=primary, reason="We read the end of one line differently.")


def _return(project: Project, people: People, truth: Truth) -> None:
    assignment = take(project, people["ana"], Stage.LABEL)
    hand_in(assignment, join_lines([*_lines(assignment, truth)[:-1], ""]))
    second = take(project, people["dora"], Stage.VERIFY)
    return_to_annotator(assignment=second, reason="The last line of the page is missing.")
