"""A grade: the verdict on a hand-drawn answer and, if it is wrong, the types of its errors.

Stored as JSON with the same keys for people and models:
`{"domain": "physics", "is_correct": false, "error_list": [{"error_type": "Placement Error"}]}`,
each error with an optional `description`.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy, domain_id


class InvalidGrade(ValueError):
    """The text is not a grade; the message names the field and says how to fix it."""


@dataclass(frozen=True, slots=True)
class GradedError:
    """One error in the drawing: the name of its type and, optionally, a description of what is wrong."""

    error_type: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """A verdict. The same type may be listed more than once: two missing steps are two errors."""

    domain: str
    is_correct: bool
    errors: tuple[GradedError, ...] = ()


@dataclass(frozen=True, slots=True)
class GradeProblem:
    """Why a well-formed grade is not accepted: `code` for programs, `message` for people."""

    field: str
    code: str
    message: str


def parse(text: str) -> Grade:
    """Read a grade from its JSON text; checks the form, not the taxonomy. Raises InvalidGrade naming the field.

    >>> parse('{"domain": "chart", "is_correct": true}')
    Grade(domain='chart', is_correct=True, errors=())
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise InvalidGrade(f"the grade is not JSON: {fault}") from fault
    if not isinstance(data, dict):
        raise InvalidGrade("the grade must be a JSON object with 'domain' and 'is_correct'")
    return from_mapping(data)


def from_mapping(data: Mapping[str, Any]) -> Grade:
    """Read a grade from decoded JSON.

    The keys of SketchJudge are accepted too: `category` for `domain`, and a list of names in `error_types` for
    `error_list`. Raises InvalidGrade naming the field.
    """
    domain = data.get("domain", data.get("category"))
    if not isinstance(domain, str) or not domain.strip():
        raise InvalidGrade('domain: name the domain, e.g. "physics"')
    verdict = data.get("is_correct")
    if not isinstance(verdict, bool):
        raise InvalidGrade(f"is_correct: must be true or false, not {verdict!r}")
    listed = data.get("error_list", data.get("error_types"))
    if listed is None:
        listed = []
    if not isinstance(listed, list):
        raise InvalidGrade(f"error_list: must be a list, not {type(listed).__name__}")
    errors = tuple(_read_error(entry, index) for index, entry in enumerate(listed))
    return Grade(domain_id(domain), verdict, errors)


def _read_error(entry: object, index: int) -> GradedError:
    if isinstance(entry, str):
        entry = {"error_type": entry}
    if not isinstance(entry, Mapping):
        raise InvalidGrade(f"error_list[{index}]: must be an object with 'error_type', not {entry!r}")
    name = entry.get("error_type")
    if not isinstance(name, str) or not name.strip():
        raise InvalidGrade(f"error_list[{index}].error_type: name the type of the error")
    description = entry.get("description") or ""
    if not isinstance(description, str):
        raise InvalidGrade(f"error_list[{index}].description: must be text, not {description!r}")
    return GradedError(name.strip(), description.strip())


def validate(grade: Grade, *, taxonomy: Taxonomy = DIAGRAM_TAXONOMY) -> tuple[GradeProblem, ...]:
    """The problems that keep a grade from being stored as ground truth; empty if it is valid.

    >>> [p.code for p in validate(Grade("chart", False))]
    ['errors_missing']
    >>> validate(Grade("chart", False, (GradedError("Omision Error"),)))[0].message
    "'Omision Error' is no error type of chart; did you mean 'Omission Error'?"
    """
    problems: list[GradeProblem] = []
    types = taxonomy.types(grade.domain)
    if not types:
        known = ", ".join(taxonomy)
        problems.append(
            GradeProblem("domain", "domain_unknown", f"{grade.domain!r} is no domain; choose one of: {known}")
        )
    if grade.is_correct and grade.errors:
        message = "a correct answer has no errors: change the verdict or remove the errors"
        problems.append(GradeProblem("error_list", "errors_on_correct", message))
    if not grade.is_correct and not grade.errors:
        message = "an incorrect answer has at least one error: add its type"
        problems.append(GradeProblem("error_list", "errors_missing", message))
    if types:
        problems.extend(_unknown_types(grade, taxonomy))
    return tuple(problems)


def _unknown_types(grade: Grade, taxonomy: Taxonomy) -> list[GradeProblem]:
    names = [kind.name for kind in taxonomy.types(grade.domain)]
    problems = []
    for index, error in enumerate(grade.errors):
        if taxonomy.find(grade.domain, error.error_type) is None:
            similar = difflib.get_close_matches(error.error_type, names, n=1)
            fix = f"did you mean {similar[0]!r}?" if similar else f"choose one of: {', '.join(names)}"
            message = f"{error.error_type!r} is no error type of {grade.domain}; {fix}"
            problems.append(GradeProblem(f"error_list[{index}].error_type", "type_unknown", message))
    return problems


def canonical(grade: Grade, *, taxonomy: Taxonomy = DIAGRAM_TAXONOMY) -> Grade:
    """The grade with types spelled and ordered as in the taxonomy, unknown ones last; equal grades are equal texts.

    The number of equal errors and the descriptions stay.

    >>> canonical(Grade("Chart", False, (GradedError("omission_error"),))).errors[0].error_type
    'Omission Error'
    """
    domain = domain_id(grade.domain)
    order = {kind.name: position for position, kind in enumerate(taxonomy.types(domain))}

    def respelled(error: GradedError) -> GradedError:
        kind = taxonomy.find(domain, error.error_type)
        return GradedError(kind.name if kind else error.error_type.strip(), error.description.strip())

    def sort_key(error: GradedError) -> tuple[int, str, str]:
        return order.get(error.error_type, len(order)), error.error_type, error.description

    return Grade(domain, grade.is_correct, tuple(sorted(map(respelled, grade.errors), key=sort_key)))


def write(grade: Grade) -> str:
    """The JSON text of a grade, with a fixed order of keys; `parse(write(g)) == g`.

    >>> write(Grade("chart", True))
    '{"domain": "chart", "is_correct": true, "error_list": []}'
    """
    errors = [{"error_type": error.error_type, "description": error.description} for error in grade.errors]
    data = {"domain": grade.domain, "is_correct": grade.is_correct, "error_list": errors}
    return json.dumps(data, ensure_ascii=False)
