"""Which samples a baseline holds, who gets which, and in what order. Pure, and decided by a recorded seed alone."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

COLUMNS = ("structure", "language", "scenario")


class Method(StrEnum):
    ALL = "all"
    RANDOM = "random"
    STRATIFIED = "stratified"


@dataclass(frozen=True, slots=True)
class Shortage:
    """A stratum that has fewer samples than its share."""

    stratum: str
    has: int
    needs: int


class TooFew(ValueError):
    """The release cannot give what was asked for; `shortages` names each stratum."""

    def __init__(self, shortages: Sequence[Shortage]) -> None:
        self.shortages = tuple(shortages)
        super().__init__("; ".join(f"{s.stratum}: {s.has} of {s.needs}" for s in shortages))


class ImpossiblePlan(ValueError):
    """Fewer people are left for some samples than the plan wants; `missing` says how many per sample."""

    def __init__(self, missing: Mapping[str, int]) -> None:
        self.missing = dict(missing)
        super().__init__(
            f"{sum(self.missing.values())} readings of {len(self.missing)} samples cannot be given"
        )


def field_of(record: Mapping[str, Any], name: str) -> str:
    """A gold record's value for a stratum: one of its columns, or a field of `extra`; "" where it has none.

    >>> field_of({"language": "en", "extra": {"domain": "physics"}}, "domain")
    'physics'
    """
    value = record.get(name) if name in COLUMNS else record.get("extra", {}).get(name)
    return "" if value is None else str(value)


def draw(
    records: Mapping[str, Mapping[str, Any]],
    *,
    method: Method,
    seed: int,
    n: int = 0,
    strata: Sequence[str] = (),
    balance: str = "",
) -> list[str]:
    """The ids of the samples to read, sorted; the same for the same records and seed, in whatever order they came.

    STRATIFIED gives each combination of `strata` an equal share of `n`, and within it each value of `balance` an
    equal share (160 of four domains, half correct: 40 a domain, 20 and 20). A share that does not divide goes to
    strata in seeded order. Raises TooFew when a stratum cannot give its share: nothing is filled up in silence.

    >>> draw({"a": {}, "b": {}, "c": {}}, method=Method.RANDOM, seed=1, n=2)
    ['a', 'c']
    """
    ids = sorted(records)
    if method == Method.ALL:
        return ids
    if n < 1 or n > len(ids):
        raise TooFew([Shortage("", len(ids), n)])
    chance = random.Random(f"draw:{seed}")
    if method == Method.RANDOM:
        return sorted(chance.sample(ids, n))
    cells: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for sample in ids:
        record = records[sample]
        cells[tuple(field_of(record, name) for name in strata)][
            field_of(record, balance) if balance else ""
        ].append(sample)
    taken: list[str] = []
    short: list[Shortage] = []
    for stratum, share in _shares(sorted(cells), n, chance).items():
        for value, part in _shares(sorted(cells[stratum]), share, chance).items():
            there = cells[stratum][value]
            if part > len(there):
                label = " · ".join(filter(None, [*stratum, value])) or "–"
                short.append(Shortage(label, len(there), part))
            else:
                taken += chance.sample(there, part)
    if short:
        raise TooFew(short)
    return sorted(taken)


def _shares(keys: Sequence[Any], n: int, chance: random.Random) -> dict[Any, int]:
    whole, rest = divmod(n, len(keys))
    lucky = set(chance.sample(range(len(keys)), rest))
    return {key: whole + (index in lucky) for index, key in enumerate(keys)}


def order_for(ids: Collection[str], *, seed: int, number: int) -> list[str]:
    """One person's order: shuffled by the baseline's seed and the person's number in it.

    >>> order_for(["a", "b", "c"], seed=1, number=1) == order_for(["c", "a", "b"], seed=1, number=1)
    True
    """
    shuffled = sorted(ids)
    random.Random(f"order:{seed}:{number}").shuffle(shuffled)
    return shuffled


def allocate(
    eligible: Mapping[str, Collection[str]],
    samples: Collection[str],
    *,
    seed: int,
    per_sample: int = 0,
    per_person: int = 0,
) -> dict[str, set[str]]:
    """Who reads what: each sample by `per_sample` people (0 = everybody who may), nobody more than `per_person` (0 =
    any number). Loads are even where they can be.

    `eligible` names for each person the samples they may read. Raises ImpossiblePlan with what is missing; a plan
    that can be kept is always found (people are moved along augmenting paths).
    """
    given: dict[str, set[str]] = {person: set() for person in eligible}
    if not per_sample:
        wanted: Collection[str] = set(samples)
        given = {
            person: set(_some_of(may, wanted, random.Random(f"share:{seed}:{person}"), per_person))
            for person, may in eligible.items()
        }
        missing = {sample: 1 for sample in sorted(wanted) if not any(sample in has for has in given.values())}
        if missing:
            raise ImpossiblePlan(missing)
        return given
    readers = {sample: sorted(p for p, may in eligible.items() if sample in may) for sample in samples}
    chance = random.Random(f"allocate:{seed}")
    missing = {}
    order = sorted(samples)
    chance.shuffle(order)
    for sample in sorted(order, key=lambda s: len(readers[s])):
        for _ in range(per_sample):
            if not _give(sample, given, readers, per_person, set()):
                missing[sample] = missing.get(sample, 0) + 1
    if missing:
        raise ImpossiblePlan(missing)
    return given


def _give(
    sample: str,
    given: dict[str, set[str]],
    readers: Mapping[str, list[str]],
    per_person: int,
    tried: set[str],
) -> bool:
    """Give the sample to the person with the least, moving another of theirs along where all are full."""
    may = sorted(
        (p for p in readers[sample] if sample not in given[p]),
        key=lambda person: (len(given[person]), person),
    )
    for person in may:
        if not per_person or len(given[person]) < per_person:
            given[person].add(sample)
            return True
    for person in may:
        if person in tried:
            continue
        tried.add(person)
        for other in sorted(given[person]):
            given[person].discard(other)
            given[person].add(sample)
            if _give(
                other,
                given,
                {**readers, other: [p for p in readers[other] if p != person]},
                per_person,
                tried,
            ):
                return True
            given[person].discard(sample)
            given[person].add(other)
    return False


def _some_of(may: Collection[str], wanted: Collection[str], chance: random.Random, limit: int) -> list[str]:
    mine = sorted(sample for sample in wanted if sample in may)
    return chance.sample(mine, limit) if limit and limit < len(mine) else mine


def share_for(
    may: Collection[str],
    readings: Mapping[str, int],
    *,
    seed: int,
    number: int,
    per_sample: int = 0,
    per_person: int = 0,
) -> set[str]:
    """What somebody who comes later gets: of the samples they may read and that still want readers, those with the
    fewest first.

    >>> sorted(share_for({"a", "b", "c"}, {"a": 2, "b": 0}, seed=1, number=3, per_sample=2))
    ['b', 'c']
    """
    left = [s for s in sorted(may) if not per_sample or readings.get(s, 0) < per_sample]
    random.Random(f"share:{seed}:{number}").shuffle(left)
    left.sort(key=lambda sample: readings.get(sample, 0))
    return set(left[:per_person] if per_person else left)
