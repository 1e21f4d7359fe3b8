"""The instructions we send to models, as data: one folder per prompt, one file per version, never edited."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


class UnknownPrompt(LookupError):
    """No prompt of that name and version is kept here."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """An instruction as it is sent, and the name and version that stand for it in every record."""

    name: str
    version: int
    text: str

    @property
    def label(self) -> str:
        return f"{self.name}-{self.version}"


def list_versions(name: str) -> tuple[int, ...]:
    """The versions kept of a prompt, oldest first."""
    found = sorted(int(path.stem) for path in (FOLDER / name).glob("*.md") if path.stem.isdigit())
    if not found:
        raise UnknownPrompt(f"there is no prompt named {name!r}")
    return tuple(found)


def load_prompt(name: str, version: int | None = None) -> Prompt:
    """One prompt; without `version` the newest."""
    versions = list_versions(name)
    wanted = versions[-1] if version is None else version
    if wanted not in versions:
        raise UnknownPrompt(f"prompt {name!r} has versions {', '.join(map(str, versions))}, not {wanted}")
    return Prompt(name, wanted, (FOLDER / name / f"{wanted}.md").read_text(encoding="utf-8").strip())
