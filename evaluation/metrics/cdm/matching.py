"""Matching of the tokens of two drawings: minimum-cost assignment, then a check of positions (RANSAC).

CDM paper, section 3.3. The cost of a pair combines token, position and order; random-sample consensus (RANSAC) then
keeps the pairs that one translation and scaling explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, log

import numpy as np
from numpy.typing import NDArray

from evaluation.payloads.optimal_matching import optimal_pair_arrays

from .boxes import Drawing, InkBox
from .presets import MatchingSettings, TieBreak
from .synonyms import fold_synonym

_A_FEW = 25  # trials evaluated before the full batch
_SAMPLE = 2  # pairs that determine a translation and a scaling
_UNREACHABLE = 100.0  # cost in place of NaN and infinity
_EPSILON = float(np.spacing(1.0))

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """An assigned pair: indices into reference and prediction, its token cost, and whether it counts."""

    reference: int
    prediction: int
    token_cost: float
    in_place: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The pairs of two drawings, with recall, precision and F1."""

    pairs: tuple[TokenMatch, ...]
    true_positives: int
    n_reference: int
    n_prediction: int

    @property
    def recall(self) -> float:
        """Share of the reference's tokens that are matched, rounded to three decimals as published."""
        return round(self.true_positives / self.n_reference, 3)

    @property
    def precision(self) -> float:
        """Share of the prediction's tokens that are matched, rounded to three decimals as published."""
        return round(self.true_positives / self.n_prediction, 3)

    @property
    def f1(self) -> float:
        """2 tp / (n + m), rounded to three decimals as published."""
        return round(2 * self.true_positives / (self.n_reference + self.n_prediction), 3)


def match_drawings(reference: Drawing, prediction: Drawing, settings: MatchingSettings) -> MatchResult:
    """Match two drawings that both have at least one box; callers handle the empty cases."""
    token_cost = _token_costs(reference.boxes, prediction.boxes, settings.synonym_cost)
    cost = _position_costs(
        reference, prediction
    )  # summed in place: these matrices dominate the memory of a pair
    cost *= settings.position_weight
    cost += token_cost
    order = _order_costs(len(reference.boxes), len(prediction.boxes))
    order *= settings.order_weight
    cost += order
    del order
    cost[~np.isfinite(cost)] = _UNREACHABLE
    rows, columns = optimal_pair_arrays(cost)
    centres_r = _centres(reference.boxes)[rows]
    centres_p = _centres(prediction.boxes)[columns]
    in_place = _consistent(centres_r, centres_p, settings).tolist()
    costs = token_cost[rows, columns].tolist()
    pairs = tuple(
        TokenMatch(r, p, c, ok, ok and c < 1.0)
        for r, p, c, ok in zip(rows.tolist(), columns.tolist(), costs, in_place, strict=True)
    )
    hits = sum(pair.counts for pair in pairs)
    return MatchResult(pairs, hits, len(reference.boxes), len(prediction.boxes))


def _token_costs(
    reference: tuple[InkBox, ...], prediction: tuple[InkBox, ...], synonym_cost: float
) -> Floats:
    """0 for the same token, `synonym_cost` for another spelling of the same mark, else 1."""
    exact: dict[str, int] = {}
    folded: dict[str, int] = {}

    def code(boxes: tuple[InkBox, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        plain = [exact.setdefault(box.token, len(exact)) for box in boxes]
        marks = [folded.setdefault(fold_synonym(box.token), len(folded)) for box in boxes]
        return np.array(plain), np.array(marks)

    plain_r, mark_r = code(reference)
    plain_p, mark_p = code(prediction)
    cost = np.where(mark_r[:, None] == mark_p[None, :], synonym_cost, 1.0)
    cost[plain_r[:, None] == plain_p[None, :]] = 0.0
    return cost


def _position_costs(reference: Drawing, prediction: Drawing) -> Floats:
    """Mean absolute difference of the four box edges, each side measured in its own image."""
    a = _edges(reference)
    b = _edges(prediction)
    total: Floats = np.abs(a[0][:, None] - b[0][None, :])
    for edge_r, edge_p in zip(a[1:], b[1:], strict=True):
        total += np.abs(edge_r[:, None] - edge_p[None, :])
    total /= 4
    return total


def _edges(drawing: Drawing) -> Floats:
    w, h = drawing.width, drawing.height
    return np.array([(box.x0 / w, box.y0 / h, box.x1 / w, box.y1 / h) for box in drawing.boxes]).T


def _order_costs(n: int, m: int) -> Floats:
    longest = max(n, m)
    ranks = np.arange(longest) / longest
    costs = ranks[:n, None] - ranks[None, :m]
    return np.abs(costs, out=costs)


def _centres(boxes: tuple[InkBox, ...]) -> Floats:
    """Box centres as (y, x); the order fixes the order of floating-point sums."""
    return np.array([((box.y0 + box.y1) / 2, (box.x0 + box.x1) / 2) for box in boxes], dtype=np.float64)


def _consistent(source: Floats, target: Floats, settings: MatchingSettings) -> NDArray[np.bool_]:
    """Which pairs fit a translation and scaling: up to `rounds` models, each fitted to the remaining pairs."""
    explained = np.zeros(len(source), dtype=np.bool_)
    if len(source) <= _SAMPLE:
        return ~explained
    for _ in range(settings.rounds):
        unexplained = np.flatnonzero(~explained)
        if len(unexplained) <= _SAMPLE:
            break
        inliers = _best_sample(source[unexplained], target[unexplained], settings)
        if inliers is None:
            break
        explained[unexplained[inliers]] = True
    return explained


def _best_sample(source: Floats, target: Floats, settings: MatchingSettings) -> NDArray[np.bool_] | None:
    """The largest set of pairs that one model, fitted to two of them, explains; None if there is none."""
    n = len(source)
    draws = _draws(n, settings.seed, settings.trials)
    squares = settings.tie_break is TieBreak.SQUARES_OF_ALL
    for few in (draws[:1], draws[:_A_FEW]):
        fits = (_residuals(source, target, few) < settings.threshold).all(axis=1)
        if bool(fits.any()):
            return np.ones(n, dtype=np.bool_)  # every pair fits: no later trial can do better
    residuals = _residuals(source, target, draws)
    inliers = residuals < settings.threshold
    counts = np.count_nonzero(inliers, axis=1).tolist()
    best, best_count, best_sum, limit = -1, 0, inf, float(settings.trials)
    for trial, count in enumerate(counts):
        if trial >= limit:
            break
        if count < best_count or (count == 0 and not squares):
            continue
        row = residuals[trial]
        total = float(row.dot(row)) if squares else float(np.sum(row[inliers[trial]]))
        if count > best_count or total < best_sum:
            best, best_count, best_sum = trial, count, total
            if squares:
                limit = min(limit, _enough_trials(count, n))
                if total <= 0:
                    break
    return inliers[best] if best_count else None


def _residuals(source: Floats, target: Floats, draws: NDArray[np.int64]) -> Floats:
    """Distances, one row per draw of two pairs; the model scales all points about their mean, then translates."""
    src, dst = source[draws], target[draws]
    src_mean, dst_mean = src.mean(axis=1), dst.mean(axis=1)
    spread_src = np.sqrt(((src - src_mean[:, None]) ** 2).sum(axis=2)).mean(axis=1)
    spread_dst = np.sqrt(((dst - dst_mean[:, None]) ** 2).sum(axis=2)).mean(axis=1)
    scale = spread_dst / (spread_src + 1e-10)
    mean = source.mean(axis=0)
    moved = scale[:, None, None] * (source - mean)[None] + mean + (dst_mean - src_mean)[:, None]
    return np.asarray(np.sqrt(((moved - target[None]) ** 2).sum(axis=2)), dtype=np.float64)


def _enough_trials(inliers: int, points: int) -> float:
    """Number of trials after which a better sample is impossible at machine precision."""
    if inliers == 0:
        return inf
    miss = max(_EPSILON, 1 - (inliers / points) ** _SAMPLE)
    return inf if miss == 1 else ceil(log(_EPSILON) / log(miss))


@lru_cache(maxsize=4096)
def _draws(n: int, seed: int, trials: int) -> NDArray[np.int64]:
    """The drawn pairs of indices; they depend only on the number of points."""
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(n, _SAMPLE, replace=False) for _ in range(trials)])
