"""A project's recogniser settings: prompt versions, and the plain record that clients are built from."""

from __future__ import annotations

from annotation.models.project import Project, RecogniserSetting
from evaluation.model_clients.prompts import list_versions, load_prompt
from evaluation.model_clients.recogniser_record import RecogniserRecord

# Name of our prompts -> the column that keeps a project's own.
PROMPT_COLUMNS = {"transcription": "prompt", "table": "table_prompt", "formula": "formula_prompt"}


def prompt_version_of(project: Project, text: str, name: str = "transcription") -> str:
    """The version label of a prompt: ours, or "own-<n>" for the project's own, numbered in the order of first use."""
    for number in list_versions(name):
        ours = load_prompt(name, number)
        if text.strip() == ours.text:
            return ours.label
    column = PROMPT_COLUMNS[name]
    own = "own" if name == "transcription" else f"own-{name}"
    rows = project.recognisers.filter(**{f"{column}_version__startswith": f"{own}-"}).order_by("pk")
    known = list(dict.fromkeys(rows.values_list(column, flat=True)))
    return f"{own}-{known.index(text) + 1}" if text in known else f"{own}-{len(known) + 1}"


def recogniser_record_of(setting: RecogniserSetting) -> RecogniserRecord:
    """A project's setting as the plain record that clients are built from."""
    return RecogniserRecord(
        label=setting.label,
        kind=setting.kind,
        engine=setting.engine,
        base_url=setting.base_url,
        model=setting.model,
        prompt=setting.prompt,
        prompt_version=setting.prompt_version,
        table_prompt=setting.table_prompt,
        table_prompt_version=setting.table_prompt_version,
        formula_prompt=setting.formula_prompt,
        formula_prompt_version=setting.formula_prompt_version,
        parameters=setting.parameters,
        api_key_variable=setting.api_key_variable,
        timeout_seconds=setting.timeout_seconds,
    )
