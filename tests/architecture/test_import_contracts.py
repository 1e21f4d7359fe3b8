"""The import contracts of pyproject.toml hold, each fails on a planted breach, and no modules import in a circle."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"forbidden": ForbiddenContract, "layers": LayersContract}
# (contract, importer, imported): imports that must never come in.
BREACHES = [
    ("apps point down", "evaluation.services.freeze_release", "annotation.models.work"),
    ("apps point down", "annotation.selectors.samples", "baseline.models.setup"),
    ("apps point down", "config.exposure.models", "config.jobs.models"),
    ("config knows no app", "config.storage", "evaluation.files.limits"),
    ("config knows no app", "config.markdown", "annotation.models"),
    (
        "evaluation's packages point down",
        "evaluation.selectors.releases",
        "evaluation.services.freeze_release",
    ),
    ("evaluation's packages point down", "evaluation.exports.inkbench", "evaluation.services.export_release"),
    ("evaluation's packages point down", "evaluation.exports.inkbench", "evaluation.imports.release"),
    (
        "evaluation's packages point down",
        "evaluation.rendering.region_images",
        "evaluation.prediction_formats",
    ),
    ("evaluation's packages point down", "evaluation.visibility", "evaluation.services.run_model"),
    ("evaluation's packages point down", "evaluation.services.run_model", "evaluation.preference.models"),
    (
        "the packages of expert studies point down",
        "evaluation.preference.visibility",
        "evaluation.preference.services.rate_item",
    ),
    (
        "the packages of expert studies point down",
        "evaluation.preference.models",
        "evaluation.preference.selectors",
    ),
    ("annotation's packages point down", "annotation.selectors.work_queue", "annotation.services.claim_work"),
    ("annotation's packages point down", "annotation.visibility.labels", "annotation.services.open_sample"),
    ("annotation's packages point down", "annotation.selectors.drafts", "annotation.visibility.labels"),
    ("annotation's packages point down", "annotation.services.claim_work", "annotation.forms.work"),
    ("annotation's packages point down", "annotation.services.claim_work", "annotation.demo.example_command"),
    ("annotation's packages point down", "annotation.images.page", "annotation.models.sample"),
    ("annotation's packages point down", "annotation.services.run_import", "annotation.tasks"),
    ("annotation's packages point down", "annotation.forms.work", "annotation.admin"),
    ("annotation's packages point down", "annotation.views.work", "annotation.api.work"),
    ("baseline's packages point down", "baseline.selectors.results", "baseline.services.publish_results"),
    ("baseline's packages point down", "baseline.visibility", "baseline.services.run_clock"),
    ("baseline's packages point down", "baseline.services.run_clock", "baseline.views.session"),
    (
        "reads never call services, of any app",
        "annotation.selectors.samples",
        "evaluation.services.run_model",
    ),
    ("reads never call services, of any app", "baseline.selectors.setup", "annotation.services.claim_work"),
    ("reads never call services, of any app", "config.exposure.selectors", "config.exposure.services"),
    (
        "a baseline uses annotation's services and reads, never its pages",
        "baseline.views.heartbeat",
        "annotation.views.work_ajax",
    ),
    ("pure packages run without a site", "evaluation.payloads.text", "django"),
    ("pure packages run without a site", "annotation.stages", "annotation.models"),
    ("the design and the analysis of a study run without a site", "evaluation.preference.analysis", "django"),
    (
        "pages, forms and the API get label content as worksheets, never as rows",
        "annotation.views.work",
        "annotation.models.label",
    ),
    (
        "pages of a baseline get what people wrote as worksheets, never as rows",
        "baseline.views.session",
        "baseline.models.participation",
    ),
]


@cache
def _configuration() -> dict[str, Any]:
    return read_configuration(str(ROOT / "pyproject.toml"))


def _contracts() -> dict[str, dict[str, Any]]:
    return {options["name"]: options for options in _configuration()["contracts_options"]}


@cache
def _graph() -> grimp.ImportGraph:
    packages = _configuration()["session_options"]["root_packages"]
    return grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)


def _is_kept(name: str, graph: grimp.ImportGraph) -> bool:
    options = _contracts()[name]
    contract = TYPES[options["type"]](
        name=name, session_options=_configuration()["session_options"], contract_options=options
    )
    return contract.check(deepcopy(graph), verbose=False).kept


def _planted(importer: str, imported: str) -> grimp.ImportGraph:
    graph = deepcopy(_graph())
    assert {importer, imported} <= graph.modules  # else the breach would prove nothing
    graph.add_import(importer=importer, imported=imported)
    return graph


@pytest.mark.parametrize("name", _contracts())
def test_contract_when_checked_then_it_is_kept(name: str) -> None:
    assert _is_kept(name, _graph())


@pytest.mark.parametrize(("name", "importer", "imported"), BREACHES)
def test_contract_when_a_breach_is_planted_then_it_fails(name: str, importer: str, imported: str) -> None:
    assert not _is_kept(name, _planted(importer, imported))


def test_breaches_when_listed_then_every_contract_has_one() -> None:
    assert {name for name, _, _ in BREACHES} == set(_contracts())


@pytest.mark.parametrize("name", [name for name, options in _contracts().items() if "containers" in options])
def test_layers_when_a_package_is_in_none_of_them_then_the_contract_fails(name: str) -> None:
    graph = deepcopy(_graph())
    (container,) = _contracts()[name]["containers"]
    graph.add_module(f"{container}.planted")
    assert not _is_kept(name, graph)


def _circle(graph: grimp.ImportGraph) -> list[str]:
    """Modules that import each other in a circle, each importing the one before it; empty where there are none."""
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_modules_when_their_imports_are_followed_then_no_circle_is_found() -> None:
    assert _circle(_graph()) == []


def test_circle_when_one_is_planted_then_it_is_found() -> None:
    planted = _planted("annotation.services.move_work", "annotation.services.claim_work")
    assert set(_circle(planted)) == {"annotation.services.move_work", "annotation.services.claim_work"}
