"""Why a file, or one of its pages, could not be imported: a stable key and the facts of its message."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

Fact = str | int | dict[str, Any] | list[Any]  # JSON


class FileProblem(StrEnum):
    """The kinds of problems. Their messages are in `evaluation.import_messages`."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    NOT_AN_IMAGE = "not_an_image"
    UNSUPPORTED = "unsupported"
    SVG = "svg"
    HIDDEN_FILE = "hidden_file"  # a second file follows the image data
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_MANY_PAGES = "too_many_pages"
    ENCRYPTED = "encrypted"
    WRONG_EXTENSION = "wrong_extension"  # imported nevertheless
    TOO_MANY_MEMBERS = "too_many_members"
    UNPACKS_TOO_LARGE = "unpacks_too_large"
    PACKED_TOO_TIGHT = "packed_too_tight"
    UNSAFE_NAME = "unsafe_name"
    SPECIAL_FILE = "special_file"
    NESTED_ARCHIVE = "nested_archive"
    DAMAGED_ARCHIVE = "damaged_archive"
    MISSING_BYTES = "missing_bytes"  # the uploaded bytes are no longer in the store
    # the manifest
    BAD_LINE = "bad_line"
    NO_SUCH_FILE = "no_such_file"
    NO_LANGUAGE = "no_language"
    # ground truth in the manifest
    NO_GROUND_TRUTH = "no_ground_truth"
    NO_VERIFICATION = "no_verification"
    REGIONS_ELSEWHERE = "regions_elsewhere"
    BAD_GROUND_TRUTH = "bad_ground_truth"


class BadFile(Exception):
    """The file is refused. `facts` are the numbers and names in its message."""

    def __init__(self, problem: FileProblem, **facts: Fact) -> None:
        super().__init__(f"{problem} {facts}" if facts else str(problem))
        self.problem = problem
        self.facts = facts

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with problem and facts, which the default of exceptions would lose."""
        return _restore, (self.problem, self.facts)


def _restore(problem: FileProblem, facts: dict[str, Fact]) -> BadFile:
    return BadFile(problem, **facts)
