"""Work on the demo's tables and formula pages: one of each verified, one under discussion, one begun."""

from __future__ import annotations

import re
from collections.abc import Callable

from annotation.demo.seeding.steps import GroundTruth, People, claim_sample, ground_truth_of, submit_text
from annotation.models import Assignment, Project
from annotation.services.ask_question import answer_question, ask_question, claim_question
from annotation.services.resolve_dispute import post_message
from annotation.services.save_draft import save_draft
from annotation.stages import Stage
from evaluation.payloads.formula import Region, read_regions, write_regions

WORKED_EACH = 2  # of each structure: one verified, one under discussion
_CELL = re.compile(r"(?<=>)[^<>$]+(?=</td>)")


def seed_structures(*, project: Project, people: People, truth: GroundTruth) -> None:
    """Ana and Chen work on WORKED_EACH tables and formula pages, and disagree on the last of each."""
    for structure, misread in _MISREAD.items():
        for turn in range(WORKED_EACH):
            primary = claim_sample(project, people["ana"], Stage.LABEL, structure)
            text = ground_truth_of(primary, truth)
            is_disputed = turn == WORKED_EACH - 1
            submit_text(primary, misread(text) if is_disputed else text)
            second = claim_sample(project, people["chen"], Stage.VERIFY, structure)
            submit_text(second, text)
            if is_disputed:
                post_message(
                    assignment=second, position=_first_disputed(second), text="I read it as the ink has it."
                )


def _first_disputed(assignment: Assignment) -> int:
    """The position of the first field that the two do not agree on."""
    return (
        assignment.sample.disputes.get(closed_at=None)
        .fields.filter(settled_at=None)
        .order_by("position")[0]
        .position
    )


def _drop_character(table: str) -> str:
    """The table without the last character of its longest cell."""
    longest = max(_CELL.finditer(table), key=lambda cell: len(cell.group()))
    return table[: longest.end() - 1] + table[longest.end() :]


def _misread_formulas(formulas: str) -> str:
    """The formulas with a first outline that is too narrow, and a z for a 2 in the second formula."""
    first, second, *rest = read_regions(formulas)
    (left, top), (right, _), (_, bottom), _ = first.polygon
    right -= (right - left) // 3
    narrow = Region(first.id, ((left, top), (right, top), (right, bottom), (left, bottom)), first.latex)
    misread = Region(second.id, second.polygon, second.latex.replace("2", "z", 1))
    return write_regions([narrow, misread, *rest])


_MISREAD: dict[str, Callable[[str], str]] = {
    "table": _drop_character,
    "formula": _misread_formulas,
}


def begin_structures(*, project: Project, people: People, truth: GroundTruth) -> None:
    """Gita has begun the next table, Ben the next formula page; Ben has asked an expert two questions."""
    table = claim_sample(project, people["gita"], Stage.LABEL, "table")
    head, _, last = ground_truth_of(table, truth).rpartition("<tr>")
    _save(table, head + "<tr>" + _CELL.sub("", last))
    formulas = claim_sample(project, people["ben"], Stage.LABEL, "formula")
    regions = read_regions(ground_truth_of(formulas, truth))
    _save(formulas, write_regions(regions[:2]))
    _ask(formulas, regions[0], "Is the second sign of this formula an equals sign? Its strokes nearly touch.")
    question = claim_question(person=people["ines"], project=project)
    if question is not None:
        answer_question(question=question, text="Yes: two strokes, level and equally long. A minus has one.")
    _ask(formulas, regions[1], "Does the 2 in this line belong to the formula, or does it number the line?")


def _save(assignment: Assignment, text: str) -> None:
    save_draft(assignment=assignment, text=text, base_version=0, image_hash=assignment.sample.pixel_hash)


def _ask(assignment: Assignment, region: Region, text: str) -> None:
    (left, top), _, (right, bottom), _ = region.polygon
    ask_question(assignment=assignment, text=text, box=(left, top, right - left, bottom - top))
