from evaluation.models.release import ExportFormat, ExportRun, Frozen, GoldItem, Release
from evaluation.models.system import (
    ItemScore,
    ModelRun,
    Pooling,
    Prediction,
    PredictionSet,
    ScoreRun,
    System,
    SystemKind,
    columns_of,
)

__all__ = [
    "ExportFormat",
    "ExportRun",
    "Frozen",
    "GoldItem",
    "ItemScore",
    "ModelRun",
    "Pooling",
    "Prediction",
    "PredictionSet",
    "Release",
    "ScoreRun",
    "System",
    "SystemKind",
    "columns_of",
]
