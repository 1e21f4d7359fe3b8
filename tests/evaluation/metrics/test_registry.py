"""The registry: one row adds a metric, and every row is complete."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

import evaluation.metrics
from evaluation import labels
from evaluation.metrics import registry
from evaluation.metrics.aggregation import Accumulator, Average
from evaluation.metrics.base import Direction, Pair, Score, ScoreStatus, Signature
from evaluation.metrics.bundles import ScoringSample, score_sample
from evaluation.metrics.cli import main
from evaluation.metrics.registry import MetricSpec
from evaluation.predictions import Text


def same_length(prediction: str | None, reference: str | None, *, preset: str = "toy-1") -> Score:
    """A toy metric: 1 where both sides have the same length, else 0."""
    value = float(len(prediction or "") == len(reference or ""))
    return Score(
        value, value, 1, 1, 0, Direction.HIGHER, ScoreStatus.SCORED, Signature("same_length", preset)
    )


def same_length_corpus(pairs: Iterable[Pair], *, preset: str = "toy-1") -> Score:
    accumulator = make_accumulator("same_length", preset)
    return accumulator.add_all(same_length(*pair, preset=preset) for pair in pairs).score(Average.SAMPLE)


def metric_presets(name: str) -> tuple[str, ...]:
    return ("toy-1",)


def make_accumulator(name: str, preset: str) -> Accumulator:
    return Accumulator(Signature(name, preset), Direction.HIGHER, 0.0)


ROW = MetricSpec(
    "same_length", "Same length", __name__, frozenset({"text"}), Direction.HIGHER, Average.SAMPLE, "samples"
)


def test_metric_when_its_row_is_added_then_it_is_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "same_length" not in registry.metric_names()
    monkeypatch.setitem(registry.METRICS, ROW.name, ROW)

    assert registry.all_metrics()[-1] is ROW
    assert registry.get("same_length").presets == ("toy-1",)
    assert labels.metric_name("same_length") == "Same length"
    assert evaluation.metrics.same_length("ab", "cd").value == 1
    assert evaluation.metrics.same_length_corpus([("ab", "cd"), ("a", "cd")]).value == 0.5
    assert "same_length" in dir(evaluation.metrics)
    sample = ScoringSample("1", "text", Text("ab"), Text("cd"))
    assert score_sample(sample, metric="same_length", preset="toy-1").value == 1

    gold, predictions, out = (tmp_path / name for name in ("gold.jsonl", "pred.jsonl", "out.json"))
    gold.write_text(json.dumps({"id": "a", "structure": "text", "text": "ink"}) + "\n")
    predictions.write_text(json.dumps({"id": "a", "text": "pen"}) + "\n")
    assert main([str(gold), str(predictions), "--preset", "toy-1", "--json", str(out)]) == 0
    assert "same_length" in capsys.readouterr().out
    scores = json.loads(out.read_text())["scores"]
    assert [(row["metric"], row["group"], row["value"]) for row in scores] == [("same_length", "all", 1.0)]


def test_registry_when_listed_then_each_metric_scores_and_adds_up() -> None:
    samples = {
        "text": ("the hat", "the cat"),
        "table": ("<table><tr><td>1</td></tr></table>", "<table><tr><td>2</td></tr></table>"),
        "formula": ("x^2", "x^3"),
    }
    for spec in registry.all_metrics():
        assert spec.name == registry.get(spec.name).name
        if spec.kinds == {"grade"}:
            continue  # judged in grading/: its sides are verdicts
        prediction, reference = samples[min(spec.kinds)]
        for preset in spec.presets:
            score = spec.sample(prediction, reference, preset=preset)
            assert score.direction is spec.direction
            assert f"preset:{preset}" in str(score.signature)
            corpus = spec.corpus([(prediction, reference), (None, reference)], preset=preset)
            assert (corpus.n, corpus.n_failed) == (2, 1)
            assert spec.sample(None, reference, preset=preset).value == spec.worst
            assert spec.make_accumulator(preset).signature == score.signature


def test_registry_when_a_name_is_unknown_then_the_known_ones_are_listed() -> None:
    with pytest.raises(ValueError, match="known: edit"):
        registry.get("nonsense")


@pytest.mark.parametrize("name", registry.metric_names())
def test_label_when_shown_then_it_is_the_registrys(name: str) -> None:
    assert labels.metric_name(name) == registry.get(name).label


def test_cdm_when_imported_then_the_package_keeps_its_name() -> None:
    import evaluation.metrics.cdm as package  # noqa: PLC0415

    assert evaluation.metrics.cdm is package
    assert callable(package.cdm)
