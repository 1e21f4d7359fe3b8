"""Work on the demo's pages of text, in every stage, so that no page of the site is empty."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from annotation.demo.drawing.ink import end_of_last_line
from annotation.demo.seeding.steps import GroundTruth, People, claim_sample, ground_truth_of, submit_text
from annotation.models import Assignment, Project, Sample
from annotation.services.record_evidence import record_note
from annotation.services.resolve_dispute import escalate_discussion, post_message, sign_field
from annotation.services.return_work import return_to_annotator
from annotation.stages import Stage
from config.accounts.models import User
from config.blobs import read_blob
from evaluation.payloads.mask_mark import MASK_MARK
from evaluation.payloads.text import join_lines, split_lines

VERIFIED, WAITING = 6, 2
WORKED_PAGES = VERIFIED + WAITING + 4  # two under discussion, one stalemate, one returned


def seed_texts(*, project: Project, people: People, truth: GroundTruth) -> None:
    """Work on the texts that wait for annotators, of which there must be at least WORKED_PAGES."""
    for turn in range(VERIFIED):
        primary, second = ("ana", "chen") if turn % 2 else ("ben", "dora")
        _transcribe(project, people[primary], Stage.LABEL, truth)
        _transcribe(project, people[second], Stage.VERIFY, truth)
    _discuss(project, people, truth)
    _mask_differently(project, people, truth)
    _reach_stalemate(project, people, truth)
    _return_page(project, people, truth)
    for _ in range(WAITING):
        _transcribe(project, people["ben"], Stage.LABEL, truth)


def _transcribe(project: Project, person: User, stage: Stage, truth: GroundTruth) -> None:
    assignment = claim_sample(project, person, stage)
    submit_text(assignment, ground_truth_of(assignment, truth))


def _lines(assignment: Assignment, truth: GroundTruth) -> list[str]:
    return split_lines(ground_truth_of(assignment, truth))


def _misread(line: str) -> str:
    """The line as somebody may misread it: without its last character."""
    return line[:-1] if len(line) > 1 else line + line


def _differ(project: Project, people: People, truth: GroundTruth) -> tuple[Assignment, Assignment, int]:
    """Ana and Chen read one line of a page differently. Returns both assignments and the line's position."""
    primary = claim_sample(project, people["ana"], Stage.LABEL)
    lines = _lines(primary, truth)
    plain = [index for index, line in enumerate(lines) if not set(line) & set("~$*")]
    position = max(plain, key=lambda index: len(lines[index]))
    record_note(assignment=primary, text="The longest line is faint; I read it twice.")
    submit_text(primary, join_lines([*lines[:position], _misread(lines[position]), *lines[position + 1 :]]))
    second = claim_sample(project, people["chen"], Stage.VERIFY)
    submit_text(second, ground_truth_of(second, truth))
    return primary, second, position


def _discuss(project: Project, people: People, truth: GroundTruth) -> None:
    primary, second, position = _differ(project, people, truth)
    post_message(assignment=second, position=position, text="The last mark is there, very faint.")
    sign_field(assignment=second, position=position, text=_lines(primary, truth)[position])


def _mask_differently(project: Project, people: People, truth: GroundTruth) -> None:
    """Both find the end of the last line illegible, but Ana masks less of it than Chen."""
    primary = claim_sample(project, people["ana"], Stage.LABEL)
    lines = _lines(primary, truth)
    text = join_lines([*lines[:-1], lines[-1][: len(lines[-1]) * 3 // 4] + MASK_MARK])
    left, top, right, bottom = _illegible_area(primary.sample)
    submit_text(primary, text, [_box((left + right) // 2 - (right - left) // 6, top, right, bottom)])
    second = claim_sample(project, people["chen"], Stage.VERIFY)
    submit_text(second, text, [_box(left, top, right, bottom)])


def _illegible_area(sample: Sample) -> tuple[int, int, int, int]:
    with Image.open(io.BytesIO(read_blob(sample.full_blob))) as image:
        return end_of_last_line(image)


def _box(left: int, top: int, right: int, bottom: int) -> dict[str, Any]:
    reason = "The ink has run; nobody could read it."
    return {"id": "m1", "shape": "box", "points": [[left, top], [right, bottom]], "reason": reason}


def _reach_stalemate(project: Project, people: People, truth: GroundTruth) -> None:
    primary, second, position = _differ(project, people, truth)
    post_message(assignment=primary, position=position, text="I see nothing after the last letter.")
    post_message(assignment=second, position=position, text="Zoom in: the pen touched the paper.")
    escalate_discussion(assignment=primary, reason="We read the end of one line differently.")


def _return_page(project: Project, people: People, truth: GroundTruth) -> None:
    assignment = claim_sample(project, people["ana"], Stage.LABEL)
    submit_text(assignment, join_lines([*_lines(assignment, truth)[:-1], ""]))
    second = claim_sample(project, people["dora"], Stage.VERIFY)
    return_to_annotator(assignment=second, reason="The last line of the page is missing.")
