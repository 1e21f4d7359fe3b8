"""A thousand random tables: the study's kappas and alphas against the reference libraries, r and tau by hand."""

from __future__ import annotations

import math
import random
import warnings
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from evaluation.preference.analysis import analyse
from evaluation.preference.design import GRADES, PreferredMetric
from evaluation.preference.grade_statistics import agreement, correlations, mean_grades, systems
from tests.evaluation.preference.builders import synthetic

TABLES = 1000


def tables() -> list[tuple[int, list[list[PreferredMetric | None]], list[list[int | None]]]]:
    """Items x raters of votes and grades, with gaps; sizes, skew and gaps differ."""
    made = []
    for seed in range(TABLES):
        dice = random.Random(seed)
        n, raters = dice.randint(3, 12), dice.randint(2, 3)
        top, gaps = dice.choice((2, 5, 10)), dice.choice((0.0, 0.0, 0.15))

        def gap(dice: random.Random = dice, gaps: float = gaps) -> bool:
            return dice.random() < gaps

        votes = [
            [None if gap() else dice.choice(list(PreferredMetric)) for _ in range(raters)] for _ in range(n)
        ]
        grades = [[None if gap() else dice.randint(0, top) for _ in range(raters)] for _ in range(n)]
        made.append((seed, votes, grades))
    return made


def by_hand_r(x: list[float], y: list[float]) -> float:
    n = len(x)
    sx, sy = math.fsum(x), math.fsum(y)
    above = n * math.fsum(a * b for a, b in zip(x, y, strict=True)) - sx * sy
    return above / math.sqrt(
        (n * math.fsum(a * a for a in x) - sx * sx) * (n * math.fsum(b * b for b in y) - sy * sy)
    )


def by_hand_tau(x: list[float], y: list[float]) -> float:
    pairs = list(combinations(range(len(x)), 2))
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in pairs]
    above = sum(a * b for a, b in signs)
    return above / math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))


def test_agreement_when_tables_are_random_then_equal_to_scikit_learn_and_krippendorff() -> None:
    warnings.simplefilter("ignore")
    n_kappas = n_alphas = 0
    for seed, votes, grades in tables():
        record = synthetic(votes, grades=grades, seed=seed)
        results = agreement(record)
        columns = np.array([[np.nan if g is None else g for g in row] for row in grades]).T
        for weights in ("none", "linear", "quadratic"):
            for pair in results["grades"][f"kappa_{weights}"]["pairs"]:
                a, b = (columns[int(rater[1:]) - 1] for rater in pair["raters"])
                both = ~np.isnan(a) & ~np.isnan(b)
                if pair["value"] is None:
                    assert pair["reason"] and len({*a[both], *b[both]}) <= 1
                    continue
                theirs = cohen_kappa_score(
                    a[both], b[both], weights=None if weights == "none" else weights, labels=list(GRADES)
                )
                assert pair["value"] == pytest.approx(theirs, abs=1e-9), (seed, weights)
                n_kappas += 1
        for level in ("nominal", "ordinal", "interval"):
            mine = results["grades"][f"alpha_{level}"]
            if mine["value"] is None:
                assert mine["reason"]
                continue
            theirs = krippendorff.alpha(
                reliability_data=columns, level_of_measurement=level, value_domain=list(GRADES)
            )
            assert mine["value"] == pytest.approx(theirs, abs=1e-9), (seed, level)
            n_alphas += 1
    assert n_kappas > 4000 and n_alphas > 2900


def test_correlations_when_tables_are_random_then_equal_to_the_formula_worked_by_hand() -> None:
    n_r = n_tau = 0
    for seed, votes, grades in tables()[::10]:  # a tenth: the intervals beside them cost the time
        record = synthetic(votes, grades=grades, seed=seed, resamples=100)
        means = mean_grades(record)
        for row in correlations(record):
            metric = record.metric(row["measure"])
            items = [item for item in record.items if str(item.id) in means]
            x = [means[str(item.id)] for item in items]
            y = [metric.oriented(item.values[metric.key]) for item in items]
            if row["pearson"]["value"] is not None:
                assert row["pearson"]["value"] == pytest.approx(by_hand_r(x, y), abs=1e-9)
                n_r += 1
        results = systems(record)
        for tau in results["kendall_tau"]:
            x = [system_means[tau["first"]] for system_means in results["means"].values()]
            y = [system_means[tau["second"]] for system_means in results["means"].values()]
            if tau["value"] is not None:
                assert tau["value"] == pytest.approx(by_hand_tau(x, y), abs=1e-9)
                n_tau += 1
    assert n_r > 300 and n_tau > 500


def test_pearson_when_a_thousand_lists_are_random_then_equal_to_the_formula_worked_by_hand() -> None:
    from evaluation.metrics.agreement import kendall_tau, pearson  # noqa: PLC0415

    for seed in range(TABLES):
        dice = random.Random(seed)
        n = dice.randint(3, 40)
        x, y = ([float(dice.randint(0, 10)) for _ in range(n)] for _ in range(2))
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        assert pearson(x, y).value == pytest.approx(by_hand_r(x, y), abs=1e-9)
        assert kendall_tau(x, y).value == pytest.approx(by_hand_tau(x, y), abs=1e-9)


def test_intervals_when_a_correlation_exists_then_it_lies_within() -> None:
    record = synthetic([[PreferredMetric.FIRST] * 3] * 60, seed=4)
    for row in analyse(record)["correlations"]:
        for kind in ("pearson", "spearman"):
            assert row[kind]["low"] <= row[kind]["value"] <= row[kind]["high"]
