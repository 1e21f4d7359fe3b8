"""The questions about the person that a manager writes, one a line, and the answers to them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

MAX_QUESTIONS = 30
MAX_ANSWER = 2_000


class BadQuestion(ValueError):
    """A line that is no question; `line` from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True)
class Question:
    """With choices one of them is chosen; without, words are written. A question is answered unless `is_optional`."""

    label: str
    choices: tuple[str, ...] = ()
    is_optional: bool = False


def parse_questions(text: str) -> list[Question]:
    """One question a line: `Words? | choice | choice`; a line that ends in `(optional)` may be left out.

    >>> parse_questions("Which hand? | left | right")
    [Question(label='Which hand?', choices=('left', 'right'), is_optional=False)]
    """
    questions: list[Question] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        label, *choices = (part.strip() for part in line.split("|"))
        is_optional = label.endswith("(optional)") or bool(choices and choices[-1].endswith("(optional)"))
        label = label.removesuffix("(optional)").strip()
        choices = [choice.removesuffix("(optional)").strip() for choice in choices]
        if not label:
            raise BadQuestion(number, "no words")
        if choices and len([c for c in choices if c]) < 2:
            raise BadQuestion(number, "one choice")
        if any(question.label == label for question in questions):
            raise BadQuestion(number, "twice")
        questions.append(Question(label, tuple(filter(None, choices)), is_optional))
    if len(questions) > MAX_QUESTIONS:
        raise BadQuestion(MAX_QUESTIONS + 1, "too many")
    return questions


def write_questions(questions: list[dict[str, Any]]) -> str:
    """The lines that `parse_questions` reads."""
    return "\n".join(
        " | ".join([q["label"], *q["choices"]]) + (" (optional)" if q["is_optional"] else "")
        for q in questions
    )


def as_rows(questions: list[Question]) -> list[dict[str, Any]]:
    """JSON-able."""
    return [asdict(question) | {"choices": list(question.choices)} for question in questions]


def read_questionnaire(
    questions: list[dict[str, Any]], given: Mapping[str, str]
) -> tuple[dict[str, str], list[int]]:
    """Answers by question, and the places (from 0) of those left out or not among the choices. `given` goes by
    `q0`, `q1`, ..."""
    answers: dict[str, str] = {}
    wrong: list[int] = []
    for index, question in enumerate(questions):
        answer = given.get(f"q{index}", "").strip()[:MAX_ANSWER]
        is_wrong = bool(answer and question["choices"]) and answer not in question["choices"]
        if is_wrong or not (answer or question["is_optional"]):
            wrong.append(index)
        answers[question["label"]] = answer
    return answers, wrong
