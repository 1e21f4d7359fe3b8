"""The demo's tables and pages of formulas: one of each verified, one of each in discussion, one of each begun."""

from __future__ import annotations

import re
from collections.abc import Callable

from annotation.demo.seed_steps import People, Truth, hand_in, take, truth_of
from annotation.models import Assignment, Project
from annotation.services.ask_question import answer_question, ask_question, claim_question
from annotation.services.resolve_dispute import post_message
from annotation.services.save_draft import save_draft
from annotation.stages import Stage
from evaluation.payloads.formula import Region, read_regions, write_regions

WORKED_EACH = 2  # of each structure: one verified, one in discussion
_CELL = re.compile(r"(?<=>)[^<>$]+(?=</td>)")


def tell_structures(*, project: Project, people: People, truth: Truth) -> None:
    """Ana and Chen work on the tables and formulas that wait, WORKED_EACH of each: they read something of the
    last differently."""
    for structure, otherwise in _READ_OTHERWISE.items():
        for turn in range(WORKED_EACH):
            primary = take(project, people["ana"], Stage.LABEL, structure)
            text = truth_of(primary, truth)
            is_disputed = turn == WORKED_EACH - 1
            hand_in(primary, otherwise(text) if is_disputed else text)
            second = take(project, people["chen"], Stage.VERIFY, structure)
            hand_in(second, text)
            if is_disputed:
                post_message(
                    assignment=second, position=_open_field(second), text="I read it as the ink has it."
                )


def _open_field(assignment: Assignment) -> int:
    """The first field the two do not agree on."""
    return (
        assignment.sample.disputes.get(closed_at=None)
        .fields.filter(settled_at=None)
        .order_by("position")[0]
        .position
    )


def _without_a_character(table: str) -> str:
    """The longest cell, its last character overlooked."""
    longest = max(_CELL.finditer(table), key=lambda cell: len(cell.group()))
    return table[: longest.end() - 1] + table[longest.end() :]


def _narrow_and_misread(formulas: str) -> str:
    """The first outline cuts its formula short; in the second formula a 2 is taken for a z."""
    first, second, *others = read_regions(formulas)
    (left, top), (right, _), (_, bottom), _ = first.polygon
    right -= (right - left) // 3
    narrow = Region(first.id, ((left, top), (right, top), (right, bottom), (left, bottom)), first.latex)
    misread = Region(second.id, second.polygon, second.latex.replace("2", "z", 1))
    return write_regions([narrow, misread, *others])


_READ_OTHERWISE: dict[str, Callable[[str], str]] = {
    "table": _without_a_character,
    "formula": _narrow_and_misread,
}


def begin_structures(*, project: Project, people: People, truth: Truth) -> None:
    """Gita is in the middle of the table that waits, Ben of the formulas, with two questions to an expert."""
    table = take(project, people["gita"], Stage.LABEL, "table")
    head, _, last = truth_of(table, truth).rpartition("<tr>")
    _keep(table, head + "<tr>" + _CELL.sub("", last))
    formulas = take(project, people["ben"], Stage.LABEL, "formula")
    regions = read_regions(truth_of(formulas, truth))
    _keep(formulas, write_regions(regions[:2]))
    _ask(formulas, regions[0], "Is the second sign of this formula an equals sign? Its strokes nearly touch.")
    question = claim_question(person=people["ines"], project=project)
    if question is not None:
        answer_question(question=question, text="Yes: two strokes, level and equally long. A minus has one.")
    _ask(formulas, regions[1], "Does the 2 in this line belong to the formula, or does it number the line?")


def _keep(assignment: Assignment, text: str) -> None:
    save_draft(assignment=assignment, text=text, base_version=0, image_hash=assignment.sample.pixel_hash)


def _ask(assignment: Assignment, region: Region, text: str) -> None:
    (left, top), _, (right, bottom), _ = region.polygon
    ask_question(assignment=assignment, text=text, box=(left, top, right - left, bottom - top))
