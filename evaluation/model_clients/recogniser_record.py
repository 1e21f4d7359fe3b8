"""The settings of a recogniser as plain data, whoever stores them: a project, or a run over a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from evaluation.model_clients.prompts import Prompt, load_prompt

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class RecogniserRecord:
    """The settings of one recogniser. An `engine` of the registry when `kind` is embedded, else an endpoint.

    `api_key_variable` names an environment variable; a key itself is never part of this, so it can be stored and shown.
    """

    label: str
    kind: str
    engine: str = ""
    base_url: str = ""
    model: str = ""
    prompt: str = ""
    prompt_version: str = ""
    table_prompt: str = ""
    table_prompt_version: str = ""
    formula_prompt: str = ""
    formula_prompt_version: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api_key_variable: str = ""
    timeout_seconds: int = 180

    def as_dict(self) -> dict[str, Any]:
        """JSON-able; `RecogniserRecord(**...)` reads it back."""
        return asdict(self)

    def provenance(self, structure: str = "text") -> dict[str, Any]:
        """What an answer to a sample of one structure keeps of them."""
        names = ("label", "kind", "engine", "model", "base_url")
        return {name: getattr(self, name) for name in names} | {"prompt_version": self.prompt_of(structure)}

    def prompt_of(self, structure: str) -> str:
        """The name and version of what is asked of samples of one structure; "" where nothing is asked."""
        if self.kind == EMBEDDED or structure == "text":
            return self.prompt_version
        prompt = instruction(self, structure)
        return prompt.label if prompt.version else prompt.name


def instruction(record: RecogniserRecord, structure: str) -> Prompt:
    """What an endpoint is asked for samples of one structure: the record's own prompt. For tables and formulas ours
    where it has none; their answers must keep to a form to be read."""
    own = {
        "text": (record.prompt, record.prompt_version),
        "table": (record.table_prompt, record.table_prompt_version),
        "formula": (record.formula_prompt, record.formula_prompt_version),
    }
    text, version = own[structure]
    if not text and structure != "text":
        return load_prompt(structure)
    return Prompt(name=version or "custom", version=0, text=text)
