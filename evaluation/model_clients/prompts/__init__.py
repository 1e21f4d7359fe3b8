"""The prompts sent to models, as data: one folder per prompt, one file per version; a version is never edited."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


class UnknownPrompt(LookupError):
    """There is no prompt of that name and version."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """An instruction as it is sent, and the name and version that identify it in every record."""

    name: str
    version: int
    text: str

    @property
    def label(self) -> str:
        return f"{self.name}-{self.version}"


def list_versions(name: str) -> tuple[int, ...]:
    """The versions of a prompt, oldest first. Raises UnknownPrompt."""
    versions = sorted(int(path.stem) for path in (FOLDER / name).glob("*.md") if path.stem.isdigit())
    if not versions:
        raise UnknownPrompt(f"there is no prompt named {name!r}")
    return tuple(versions)


def load_prompt(name: str, version: int | None = None) -> Prompt:
    """One prompt; without `version` its newest. Raises UnknownPrompt."""
    versions = list_versions(name)
    number = versions[-1] if version is None else version
    if number not in versions:
        raise UnknownPrompt(f"prompt {name!r} has versions {', '.join(map(str, versions))}, not {number}")
    return Prompt(name, number, (FOLDER / name / f"{number}.md").read_text(encoding="utf-8").strip())
