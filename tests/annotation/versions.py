"""Two versions of a sample of every structure, and what differs between them."""

from __future__ import annotations

import json

from annotation.models.project import VerificationMode
from annotation.stages import Stage
from evaluation.payloads.registry import payload_for
from tests.annotation.assignments import assignment_for, submit_work
from tests.factories import make_project, make_sample


def box(x: int, y: int, width: int = 100, height: int = 30) -> list[list[int]]:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def page(*regions: tuple[str, list[list[int]], str]) -> str:
    listed = [{"id": name, "polygon": polygon, "latex": latex} for name, polygon, latex in regions]
    return payload_for("formula").canonical(json.dumps({"regions": listed}))


def grid(*lines: str) -> str:
    rows = ("".join(f"<td>{cell}</td>" for cell in line.split()) for line in lines)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


A, B = ("a", box(0, 0), "x^2"), ("b", box(0, 50), "y_1")
B_OTHER_LATEX = ("b", box(0, 50), "y_l")
B_OTHER_OUTLINE = ("b", box(20, 50), "y_1")
MASK = {"id": "m", "shape": "box", "points": [[10, 100], [60, 130]], "reason": "torn"}
WIDE = {"id": "w", "shape": "box", "points": [[10, 100], [90, 130]], "reason": "a hole"}
BRUSH = {"id": "n", "shape": "brush", "points": [[150, 20], [200, 20]], "width": 10, "reason": "blot"}


# structure, the two versions, and what differs between them
VERSIONS = {
    "a cell": ("table", grid("a b", "c d"), grid("a b", "c x"), [("cell", "r2c2")]),
    "a row": (
        "table",
        grid("one two", "five six"),
        grid("one two", "three four", "five six"),
        [("structure", "structure"), ("cell", "-/r2c1"), ("cell", "-/r2c2")],
    ),
    "LaTeX": ("formula", page(A, B), page(A, B_OTHER_LATEX), [("latex", "b")]),
    "a polygon": ("formula", page(A, B), page(A, B_OTHER_OUTLINE), [("region", "b")]),
    "order": ("formula", page(A, B), page(B, A), [("order", "order")]),
    "a region": ("formula", page(A), page(A, B), [("region", "b")]),
    "a line": ("text", "one\ntwo", "one\ntvo", [("line", "2")]),
}


def start(structure: str, mode: VerificationMode = VerificationMode.DOUBLE_BLIND):
    project = make_project(verification_mode=mode)
    make_sample(project, structure=structure)
    return project, assignment_for(project)


def dispute(what: str, mode: VerificationMode = VerificationMode.DOUBLE_BLIND, masks=((), ())):
    structure, first, second, _ = VERSIONS[what]
    project, primary = start(structure, mode)
    submit_work(primary, first, masks=list(masks[0]))
    reviewer = assignment_for(project, Stage.VERIFY)
    submit_work(reviewer, second, masks=list(masks[1]))
    return project, primary, reviewer
